/** The file of the ledger: a JSON object a line, only ever appended to, so that writers side by side and merges lose nothing. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { ReinsError } from '../../core/index.ts';
import { rungs, type LedgerLine, type NewLine } from './types.ts';

/** Bytes; what is larger is no ledger. */
const mostBytes = 8 * 1024 * 1024;
/** Characters of a symptom and of the other texts. */
export const longestText = 500;

/** The top of the repository around a folder, or the folder itself. */
export function repositoryOf(folder: string): string {
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, '.git'))) return each;
    if (dirname(each) === each) return folder;
  }
}

export const ledgerFile = (repository: string): string => join(repository, '.reins', 'ledger.jsonl');

/** Throws `ledger-unusable` for what isn't a plain file of a plain folder: a repository could make a link of it that leads elsewhere. */
export function readLines(file: string): { lines: LedgerLine[]; damaged: number } {
  const handle = opened(file, constants.O_RDONLY);
  if (handle === undefined) return { lines: [], damaged: 0 };
  try {
    const texts = readFileSync(handle, 'utf8').split('\n');
    const parsed = texts.filter((text) => text.trim() !== '').map(parsedLine);
    const lines = parsed.filter((line) => line !== undefined);
    return { lines, damaged: parsed.length - lines.length };
  } finally {
    closeSync(handle);
  }
}

/** One write for all: other writers stand before or after it. */
export function appendLines(file: string, news: readonly NewLine[]): LedgerLine[] {
  const at = new Date().toISOString();
  const lines = news.map((line): LedgerLine => ({ ...line, id: randomBytes(5).toString('hex'), at }));
  prepareFolder(dirname(file));
  const handle = opened(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  if (handle === undefined) throw unusable(file, 'it can’t be made');
  try {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const bytes = Buffer.from(endsTorn(handle) ? `\n${text}` : text);
    if (writeSync(handle, bytes) !== bytes.length) throw unusable(file, 'it could only be written in part');
    return lines;
  } finally {
    closeSync(handle);
  }
}

function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw unusable(folder, (error as NodeJS.ErrnoException).code ?? String(error));
  }
}

function opened(file: string, flags: number): number | undefined {
  try {
    const folder = lstatSync(dirname(file), { throwIfNoEntry: false });
    if (folder === undefined) return undefined;
    if (!folder.isDirectory()) throw unusable(dirname(file), 'it is no folder');
    const handle = openSync(file, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o644);
    const status = fstatSync(handle);
    if (status.isFile() && status.size <= mostBytes) return handle;
    closeSync(handle);
    throw unusable(file, status.isFile() ? `it has more than ${mostBytes} bytes` : 'it is no plain file');
  } catch (error) {
    if (error instanceof ReinsError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw unusable(file, code === 'ELOOP' ? 'it is a link' : (code ?? String(error)));
  }
}

/** A writer that died, or an editor that leaves out the last line end. */
function endsTorn(handle: number): boolean {
  const { size } = fstatSync(handle);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}

function unusable(file: string, why: string): ReinsError {
  return new ReinsError('ledger-unusable', `${file} can’t be used as the ledger: ${why}.`);
}

/** What a person or another version wrote may hold anything. */
function parsedLine(text: string): LedgerLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // It is counted and named by the caller.
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const line = value as { [key: string]: unknown };
  const optional = ['session', 'model', 'recurs', 'file', 'text'];
  const required = ['id', 'at', ...(line['type'] === 'fix' ? ['of', 'rung'] : ['symptom'])];
  const areTexts =
    required.every((key) => typeof line[key] === 'string') &&
    optional.every((key) => line[key] === undefined || typeof line[key] === 'string');
  if (!areTexts) return undefined;
  if (line['type'] === 'failure') return value as LedgerLine;
  return line['type'] === 'fix' && rungs.some((rung) => rung === line['rung']) ? (value as LedgerLine) : undefined;
}
