/** Patterns for paths: `*` and `?` within a folder, `**` across folders. A pattern can be hostile: matching takes linear steps. */

/** Whether a path (relative, with `/`) fits a pattern, all of it. */
export function matchesGlob(path: string, pattern: string): boolean {
  const parts = pattern.match(/\*\*+\/|\*\*+|[^]/gu) ?? [];
  let states = enter(parts, 0, new Set<number>());
  for (const character of path) {
    const next = new Set<number>();
    for (const state of states) step(parts, state, character, next);
    states = next;
  }
  return states.has(parts.length);
}

/**
 * A state is the number of the part that is to be matched next; `-1 - number` is within the folders of a part that spans them.
 * Entering a part that may stand for nothing enters the next one too.
 */
function enter(parts: readonly string[], state: number, states: Set<number>): Set<number> {
  states.add(state);
  return parts[state]?.startsWith('*') === true ? enter(parts, state + 1, states) : states;
}

function step(parts: readonly string[], state: number, character: string, next: Set<number>): void {
  const index = state < 0 ? -1 - state : state;
  const part = parts[index];
  if (part === undefined) return;
  if (part.startsWith('**') && part.endsWith('/')) {
    next.add(-1 - index);
    if (character === '/') enter(parts, index + 1, next);
    return;
  }
  if (part.startsWith('*')) {
    if (part.length > 1 || character !== '/') enter(parts, index, next);
    return;
  }
  if (part === '?' ? character !== '/' : part === character) enter(parts, index + 1, next);
}
