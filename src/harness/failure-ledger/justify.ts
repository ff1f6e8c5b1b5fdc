/** Which lines of instruction files a failure stands behind: each line costs tokens in every request. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { loadInstructions } from '../../context/index.ts';
import type { Failure, LedgerReport } from './types.ts';

const mostBytes = 256 * 1024;

interface InstructionText {
  /** Relative to the repository. */
  file: string;
  text: string;
}

/** The files of the repository's root and of the folders down to the one that is asked about. */
export async function instructionTexts(repository: string, folder: string): Promise<InstructionText[]> {
  const { slotsFor } = await loadInstructions();
  const steps = relative(repository, folder)
    .split('/')
    .filter((step) => step !== '');
  const folders = ['', ...steps.map((_, at) => steps.slice(0, at + 1).join('/'))];
  const names = slotsFor([]).flatMap((slot) => slot.names);
  return folders.flatMap((each) =>
    names.flatMap((name) => {
      const file = join(each, name);
      const text = textOf(join(repository, file));
      return text === undefined ? [] : [{ file, text }];
    }),
  );
}

/** List items outside of code: prose is mostly what nobody could find out by themselves. */
export function unjustifiedIn(
  texts: readonly InstructionText[],
  failures: readonly Failure[],
): LedgerReport['unjustified'] {
  const fixes = failures.flatMap((failure) =>
    failure.fixes.map((fix) => ({ ...fix, ids: failure.seen.map(({ id }) => id) })),
  );
  return texts.flatMap(({ file, text }) => {
    const own = fixes.filter((fix) => fix.file === file || (fix.file === undefined && fix.rung === 'instructions'));
    return itemsIn(text)
      .filter(
        ({ text: item }) =>
          !own.some(({ text: piece, ids }) => holds(item, piece) || ids.some((id) => item.includes(id))),
      )
      .map((item) => ({ file, ...item }));
  });
}

export function goneIn(repository: string, failures: readonly Failure[]): LedgerReport['gone'] {
  return failures.flatMap(({ id, fixes }) => {
    const last = fixes.at(-1);
    if (last?.file === undefined || last.text === undefined) return [];
    const { file, text } = last;
    const isInside = !relative(repository, join(repository, file)).startsWith('..');
    return isInside && !holds(textOf(join(repository, file)) ?? '', text) ? [{ id, file, text }] : [];
  });
}

function holds(text: string, piece: string | undefined): boolean {
  return piece !== undefined && piece.trim() !== '' && text.toLowerCase().includes(piece.toLowerCase());
}

function itemsIn(text: string): { line: number; text: string }[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const item = isCode ? undefined : /^\s*(?:[-*+]|\d{1,9}[.)])\s+(\S.*)$/.exec(line)?.[1];
    return item === undefined ? [] : [{ line: index + 1, text: item.trim() }];
  });
}

/** Undefined for what isn't a plain file that can be read. */
function textOf(path: string): string | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const status = fstatSync(handle);
    return status.isFile() && status.size <= mostBytes ? readFileSync(handle, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
