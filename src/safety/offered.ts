/** What an "always" would grant: the shape of the part that asked, as wide as the table of words allows and no wider. */
import { arityOf } from './arity.ts';
import { compileShape } from './compile.ts';
import type { JudgedPart } from './part.ts';
import { inWorkspace } from './paths.ts';
import type { PolicyPlaces } from './places.ts';
import { covers } from './rules.ts';
import { shapeOfPath, shapeOfWords } from './shape.ts';

/** Tools whose calls are all of one kind for one path; another tool can do anything with it. */
const fileTools = new Set(['read', 'write', 'edit']);

/** Nothing where no shape would be as narrow as what was asked. */
export function offeredShape(part: JudgedPart, places: PolicyPlaces): string | undefined {
  if (part.text === undefined) return shapeOfFile(part, places);
  if (part.tool !== 'shell') return undefined;
  const words = part.words.filter((word) => word !== null);
  const arity = arityOf(words);
  const shapes = [
    arity === undefined ? undefined : shapeOfWords(words.slice(0, arity), true),
    shapeOfWords(words, false),
  ];
  return shapes.find((shape) => shape !== undefined && covers(compileShape('allow', shape, ''), part, places));
}

function shapeOfFile({ tool, paths, touchesOthers }: JudgedPart, { workspace }: PolicyPlaces): string | undefined {
  const [only] = paths;
  if (only === undefined || paths.length > 1 || touchesOthers || !fileTools.has(tool)) return undefined;
  return shapeOfPath(tool, inWorkspace(only.path, workspace) ?? '');
}
