/** The grammar of the shell: from a line to a tree of plain data. */
import { plainLine } from './plain.ts';
import type { GrammarThread } from './thread.ts';
import type { Statement, Unclear } from './tree.ts';

export { TimeLimit } from './time-limit.ts';
export type { Arithmetic, Assignment, Command, Piece, Statement, TreeRedirection, Unclear, Word } from './tree.ts';

export interface Grammar {
  /** The statements of a line. Never rejects: what can't be parsed, or not in time, is unclear. */
  parse(source: string): Promise<Statement[] | Unclear>;
  /** Loads what lines need that aren't plain. Never rejects. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** UTF-16 code units; a longer line isn't looked at. */
const longestLine = 1_000_000;
/** Milliseconds for one line. */
const longestParse = 100;

/**
 * The thread is started by the first line that isn't plain, not before: ready, it holds about 60 MB, which a run of plain lines
 * shall not cost, and that first line then waits for it about 0.2 seconds.
 */
export function createGrammar(): Grammar {
  let thread: Promise<GrammarThread> | undefined;
  const started = (): Promise<GrammarThread> => (thread ??= load());
  return {
    async parse(source) {
      const trouble = troubleIn(source);
      if (trouble !== undefined) return { unclear: trouble };
      if (/^\s*$/.test(source)) return [];
      return plainLine(source) ?? (await started()).parse(source, longestParse);
    },
    warm: async () => (await started()).warm(),
    close: async () => (await thread)?.close(),
  };
}

async function load(): Promise<GrammarThread> {
  const { GrammarThread: Thread } = await import('./thread.ts');
  return new Thread();
}

/** What the parsers silently pass over, or see otherwise than a shell does. */
function troubleIn(source: string): string | undefined {
  if (source.length > longestLine) return `it is longer than ${longestLine} characters`;
  if (source.includes('\0')) return 'there is a NUL character in it';
  if (source.includes('\r')) return 'there is a carriage return in it';
  return source.isWellFormed() ? undefined : 'there are halves of characters in it';
}
