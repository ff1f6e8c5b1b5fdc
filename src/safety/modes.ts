/** What each mode lets pass by itself, asks about, or refuses. */
import type { Mode } from '../core/index.ts';
import type { JudgedCall } from './needs.ts';
import { isPath } from './paths.ts';

export type ModeSays = 'pass' | 'ask' | 'no';

export function modeSays(mode: Mode, { effects }: JudgedCall): ModeSays {
  if (mode === 'unsafe' || onlyReads(effects)) return 'pass';
  if (mode === 'plan') return 'no';
  if (mode === 'ask') return 'ask';
  // Beyond files of the workspace, auto lets pass what the sandbox holds.
  const held = mode === 'auto' && effects.confined === true;
  return held || writesFiles(effects) ? 'pass' : 'ask';
}

/** Reading, and fetching pages where the user has granted that. */
function onlyReads({ effects, resources, url }: JudgedCall['effects']): boolean {
  const writes = resources !== 'unknown' && resources.some(({ access }) => access === 'write');
  return !writes && effects.every((effect) => effect === 'read' || (effect === 'network' && url !== undefined));
}

/** Nothing but reading and writing declared files; that they lie in the workspace is the floor's matter. */
function writesFiles({ effects, resources }: JudgedCall['effects']): boolean {
  const onFiles = effects.every((effect) => effect === 'read' || effect === 'write');
  return onFiles && resources !== 'unknown' && resources.every(isPath);
}

/** What a mode does, as the end of a sentence. */
export const modeTexts: { [M in Mode]: string } = {
  plan: 'mode plan allows reading only; say what you would do instead',
  ask: 'mode ask asks before anything but reading',
  edit: 'mode edit asks before anything but reading and changing files of the workspace',
  auto: 'mode auto asks before what can’t run in the sandbox',
  unsafe: 'mode unsafe allows everything above the floor',
};
