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

/**
 * Whether a path that a command names may be one of those that a pattern stands for. The path may be a pattern of the shell itself;
 * `below`: everything under it counts as well.
 */
export function mayBeIn(path: string, pattern: string, below = false): boolean {
  if (!/[*?[]/.test(path) && !below) return matchesGlob(path, pattern);
  return overlap(path.split('/'), pattern.split('/'), below);
}

function overlap(path: string[], pattern: string[], below: boolean): boolean {
  // Reached by both so far: the numbers of segments of the pattern that may come next.
  let states = withSpans(new Set([0]), pattern);
  for (const segment of path) {
    const next = new Set<number>();
    for (const state of states) {
      const wanted = pattern[state];
      if (wanted === undefined) continue;
      if (wanted === '**') next.add(state);
      if (wanted === '**' || alike(segment, wanted)) next.add(state + 1);
    }
    states = withSpans(next, pattern);
  }
  return states.has(pattern.length) || (below && states.size > 0);
}

/** `**` may stand for nothing. */
function withSpans(states: Set<number>, pattern: string[]): Set<number> {
  for (const state of states) if (pattern[state] === '**') states.add(state + 1);
  return states;
}

/** Two names of which either may be a pattern. Where both are, the answer is yes. */
function alike(segment: string, wanted: string): boolean {
  const open = segment.replaceAll(/\[[^\]]*\]?/g, '?');
  if (!/[*?]/.test(open)) return matchesGlob(open, wanted);
  if (/[*?]/.test(wanted)) return true;
  // The shell's wildcards leave out what begins with a dot.
  return !(wanted.startsWith('.') && /^[*?]/.test(open)) && matchesGlob(wanted, open);
}
