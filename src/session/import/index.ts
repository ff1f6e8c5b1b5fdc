/** The door of the imports: session files of other harnesses, read into a history, and a history written as a session. */
import { ReinsError, systemReason, type JsonObject } from '../../core/index.ts';
import { importFormats, type ImportFormat } from '../import-formats.ts';
import { isClaude, readClaude } from './claude.ts';
import { isCodex, readCodex } from './codex.ts';
import { History } from './history.ts';
import { readObjects, type ReadLines } from './lines.ts';
import { isPi, readPi } from './pi.ts';

export type { History, Origin } from './history.ts';
export { writeHistory } from './write.ts';

interface Reader {
  knows: (lines: readonly JsonObject[]) => boolean;
  read: (lines: readonly JsonObject[], history: History) => void;
}

const readers: { readonly [format in ImportFormat]: Reader } = {
  claude: { knows: isClaude, read: readClaude },
  codex: { knows: isCodex, read: readCodex },
  pi: { knows: isPi, read: readPi },
};

export interface ReadSession {
  format: ImportFormat;
  history: History;
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
  const history = new History();
  if (format !== undefined) readers[format].read(lines, history);
  if (format === undefined || history.items.length === 0) {
    throw new ReinsError(
      'import-invalid',
      `${file} holds no conversation${named === undefined ? '' : ` of ${named}`}.`,
    );
  }
  return { format, history, broken };
}
