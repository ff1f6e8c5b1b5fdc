/** The door of the imports: session files of other harnesses, read into a history, and a history written as a session. */
import { ReinsError, systemReason, type JsonObject } from '../../core/index.ts';
import { importFormats, type ImportFormat } from '../import-formats.ts';
import { isClaude, readClaude } from './claude.ts';
import { isCodex, readCodex } from './codex.ts';
import type { History } from './history.ts';
import { readObjects, type ReadLines } from './lines.ts';
import { isPi, readPi } from './pi.ts';

export type { History, Origin } from './history.ts';
export { writeHistory } from './write.ts';

interface Reader {
  knows: (lines: readonly JsonObject[]) => boolean;
  read: (lines: readonly JsonObject[]) => History[];
}

const readers: { readonly [format in ImportFormat]: Reader } = {
  claude: { knows: isClaude, read: readClaude },
  codex: { knows: isCodex, read: readCodex },
  pi: { knows: isPi, read: readPi },
};

export interface ReadSession {
  format: ImportFormat;
  /** The conversation that goes on. */
  history: History;
  /** Conversations that were left at some point of it. */
  branches: History[];
  /** Lines that can't be read. */
  broken: ReadLines['broken'];
}

/** Reads a session file; which harness wrote it is told by what is in it. Rejects with `import-invalid`. */
export async function readForeign(file: string, named?: ImportFormat): Promise<ReadSession> {
  const { objects, broken } = await readObjects(file).catch((error: unknown) => {
    throw new ReinsError('import-invalid', `${file} can’t be read: ${systemReason(error)}.`, { cause: error });
  });
  const lines = objects.map(({ value }) => value);
  const format = named ?? importFormats.find((each) => readers[each].knows(lines));
  const [history, ...others] = format === undefined ? [] : readers[format].read(lines);
  if (format === undefined || history === undefined || history.items.length === 0) {
    const formats =
      named ?? `${importFormats.join(', ')}, whose session files can be imported; other formats are for export only`;
    throw new ReinsError('import-invalid', `${file} holds no conversation of ${formats}.`);
  }
  return { format, history, branches: others.filter(({ items }) => items.length > 0), broken };
}
