/** All that an analysis tells of a line, as short texts. */
import type { CommandAnalysis, CommandPart } from '../../../src/core/index.ts';

/** A text for each part, and for what can’t be told apart. */
export function inFull({ parts, unclear }: CommandAnalysis): string[] {
  return [...parts.map(partInFull), ...(unclear === undefined ? [] : [`unclear: ${unclear}`])];
}

/** `words | effects | paths | hosts | where it stands | what feeds it | why it can’t be told`; what is as ever is left out. */
function partInFull({ text, words, effects, paths, hosts, inside, pipedFrom, reason }: CommandPart): string {
  const shown = words.map((word) => (word === null ? '?' : /^[\w./:=%@+-]+$/.test(word) ? word : `‘${word}’`));
  return [
    shown.join(' ') || `(${text})`,
    effects.join() === 'read' ? undefined : effects.join(' '),
    paths.map(({ access, path, recursive }) => `${access} ${path}${recursive === true ? '/**' : ''}`).join(', '),
    hosts.map((host) => `@${host}`).join(' '),
    inside.length === 0 ? undefined : `in ${inside.join(' > ')}`,
    pipedFrom === undefined ? undefined : `from ${pipedFrom}`,
    effects.includes('cannot-tell') ? reason : undefined,
  ]
    .filter((each) => each !== undefined && each !== '')
    .join(' | ');
}
