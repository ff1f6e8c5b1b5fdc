/** Patterns for paths, where what a command names may be a pattern itself. */
import { matchesGlob } from '../core/index.ts';

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
