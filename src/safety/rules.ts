/** Rules: a shape and what it means for the calls of it. */
import { mayRun } from './mentions.ts';
import { matchesGlob } from './glob.ts';
import type { JudgedCall } from './needs.ts';
import { inWorkspace, isPath } from './paths.ts';
import { riskyOption } from './risky-options.ts';
import type { Shape } from './shape.ts';
import { simpleCommand } from './words.ts';

/** Whether an allow of this shape covers the call, all of it. Narrow: what can't be told isn't covered. */
export function covers(shape: Shape, call: JudgedCall, workspace: string): boolean {
  if (shape.tool !== call.tool) return false;
  if (shape.command !== undefined) return coversCommand(shape.command, call.effects.command);
  if (shape.paths === undefined) return true;
  const { paths } = shape;
  const touched = relativePaths(call, workspace);
  return touched.length > 0 && touched.every(({ path }) => path !== undefined && matchesGlob(path, paths));
}

function coversCommand({ words, open }: { words: string[]; open: boolean }, command: string | undefined): boolean {
  const simple = command === undefined ? undefined : simpleCommand(command);
  if (simple === undefined || 'unclear' in simple) return false;
  const begins = words.every((word, index) => simple.words[index] === word);
  if (!begins) return false;
  return open ? riskyOption(simple.words, words.length) === undefined : simple.words.length === words.length;
}

/**
 * Why a deny or ask of this shape touches the call, or nothing. Wide: a command is touched when any part of it may be what the
 * shape names; a path pattern for `write` or `edit` holds for whatever writes there, one for `read` for whatever looks there.
 */
export function touches(shape: Shape, call: JudgedCall, workspace: string): string | undefined {
  if (shape.tool === 'shell' && shape.command !== undefined) {
    return call.effects.command === undefined ? undefined : mayRun(call.effects.command, shape.command.words);
  }
  if (shape.paths === undefined) return shape.tool === call.tool ? `it is a call of ${shape.tool}` : undefined;
  const { paths } = shape;
  const hit = relativePaths(call, workspace).find(
    ({ path, access }) => path !== undefined && concerns(shape.tool, call.tool, access) && matchesGlob(path, paths),
  );
  return hit === undefined ? undefined : `it touches ${hit.path}`;
}

function concerns(ruled: string, tool: string, access: 'read' | 'write'): boolean {
  if (ruled === 'read') return tool !== 'write';
  if (ruled === 'write' || ruled === 'edit') return access === 'write';
  return ruled === tool;
}

function relativePaths({ effects }: JudgedCall, workspace: string) {
  const resources = effects.resources === 'unknown' ? [] : effects.resources.filter(isPath);
  return resources.map(({ access, path }) => ({ access, path: inWorkspace(path, workspace) }));
}
