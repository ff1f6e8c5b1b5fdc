/** The user's keys in a file of their own: it counts only while nobody else can read or write it. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { ReinsError } from '../core/index.ts';
import { printable } from './quote.ts';

/** Bytes; keys have a few hundred. */
const mostBytes = 64 * 1024;

/**
 * The keys by provider; empty where there is no file. Throws `config-invalid`, with the path and never with what is in it, for a
 * file that others can get at, that isn't the user's own or that isn't a JSON object of texts.
 */
export function readKeyFile(file: string): { [provider: string]: string } {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw code === 'ELOOP' ? refused(file, 'is a symbolic link', alone) : refused(file, `can’t be opened (${code})`);
  }
  try {
    const wrong = wrongWith(fstatSync(handle));
    if (wrong !== undefined) throw refused(file, wrong, alone);
    return keysIn(readFileSync(handle, 'utf8'), file);
  } finally {
    closeSync(handle);
  }
}

function wrongWith(status: Stats): string | undefined {
  if (!status.isFile()) return 'is not a regular file';
  if (status.uid !== process.getuid?.()) return 'belongs to another user';
  const mode = status.mode & 0o777;
  if ((mode & 0o077) !== 0) return `can be used by others (mode ${mode.toString(8)})`;
  return status.size > mostBytes ? `has more than ${mostBytes} bytes` : undefined;
}

function keysIn(text: string, file: string): { [provider: string]: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The parser's own words quote what it found, which may be a key.
    throw refused(file, 'isn’t JSON');
  }
  const expected = 'isn’t an object of provider names and keys';
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw refused(file, expected);
  const entries = Object.entries(parsed);
  if (entries.some(([, key]) => typeof key !== 'string')) throw refused(file, expected);
  return Object.fromEntries(entries as [string, string][]);
}

/** The way out where the keys in it could be somebody else's to read or to choose. */
const alone = ' Make it a plain file that is yours alone (chmod 600).';

function refused(file: string, why: string, wayOut = ''): ReinsError {
  return new ReinsError('config-invalid', `The key file ${printable(file)} ${why}, so it is not used.${wayOut}`);
}
