/** What each mode lets pass by itself, asks about, or refuses. */
import type { Mode, TouchedPath } from '../core/index.ts';
import { mayBeIn } from './glob.ts';
import { programName, type JudgedPart } from './part.ts';
import { inWorkspace, isProtected } from './paths.ts';
import { isSink, isSystemPlace, type PolicyPlaces } from './places.ts';
import { redirects } from './words.ts';

export type ModeSays = 'pass' | 'ask' | 'no';

export function modeSays(mode: Mode, part: JudgedPart, { workspace, planFile }: PolicyPlaces): ModeSays {
  if (mode === 'unsafe') return 'pass';
  if (mode === 'plan' && isOnPlan(part, planFile)) return 'pass';
  // In auto the sandbox hides and holds.
  const isHeld = mode === 'auto' && part.confined;
  if (onlyReads(part)) return isHeld || strangeRead(part, workspace) === undefined ? 'pass' : 'ask';
  if (mode === 'plan') return 'no';
  if (mode === 'ask') return 'ask';
  return isHeld || writesFiles(part, workspace) ? 'pass' : 'ask';
}

/** A path that is read where not everybody may look: homes, and whatever else is neither the workspace nor the system. */
export function strangeRead({ paths }: JudgedPart, workspace: string): string | undefined {
  const strange = paths.find(
    ({ path, recursive }) =>
      inWorkspace(path, workspace) === undefined && !isSystemPlace(path, recursive === true) && !isSink(path),
  );
  return strange?.path;
}

/** Nothing but reading and writing the plan, by a tool: what a command does besides can't be told. */
function isOnPlan({ text, effects, paths, unclear, touchesOthers }: JudgedPart, planFile: string | undefined): boolean {
  if (planFile === undefined || text !== undefined || unclear !== undefined || touchesOthers) return false;
  const isKnown = effects.every((effect) => effect === 'read' || effect === 'write');
  return isKnown && paths.length > 0 && paths.every(({ path }) => path === planFile);
}

/** Reading, and fetching pages where the user has granted that. */
function onlyReads({ effects, paths, fetches }: JudgedPart): boolean {
  const writes = paths.some(({ access, path }) => access !== 'read' && !isSink(path));
  return !writes && effects.every((effect) => effect === 'read' || (effect === 'network' && fetches));
}

/** Nothing but reading and writing files of the workspace that are known. */
function writesFiles(part: JudgedPart, workspace: string): boolean {
  const { effects, paths, unclear, text, touchesOthers } = part;
  if (unclear !== undefined || touchesOthers) return false;
  if (!effects.every((effect) => effect === 'read' || effect === 'write')) return false;
  // That a tool stays in the workspace is the floor’s matter.
  if (text === undefined) return true;
  const written = paths.filter(({ access, path }) => access !== 'read' && !isSink(path));
  const isInside = written.length > 0 && written.every((touched) => isOrdinary(touched, workspace));
  return isInside && strangeRead(part, workspace) === undefined && !replacesUnseen(part, text, written.length);
}

function isOrdinary({ access, path }: TouchedPath, workspace: string): boolean {
  const relative = inWorkspace(path, workspace);
  if (access === 'destroy' || relative === undefined || isProtected(relative)) return false;
  return !['.git', '.reins'].some((name) => relative.split('/').some((segment) => mayBeIn(segment, name)));
}

/** Programs that make what wasn’t there, or say by their words what they put in its place. */
const makers = new Set('mkdir touch cp ln install mktemp mkfifo patch chmod sed'.split(' '));

/** What a redirection, `tee` or an option for output would replace, nobody may have looked at yet. */
function replacesUnseen({ words: [first] }: JudgedPart, text: string, written: number): boolean {
  const kinds = redirects(text);
  if (kinds.some((kind) => kind !== 'append')) return true;
  return kinds.length < written && !makers.has(programName(first ?? ''));
}

/** What a mode does, as the end of a sentence. */
export const modeTexts: { [M in Mode]: string } = {
  plan: 'mode plan allows reading, and writing the plan; say what you would do instead',
  ask: 'mode ask asks before anything but reading',
  edit: 'mode edit asks before anything but reading and changing files of the workspace',
  auto: 'mode auto asks before what can’t run in the sandbox',
  unsafe: 'mode unsafe allows everything above the floor',
};
