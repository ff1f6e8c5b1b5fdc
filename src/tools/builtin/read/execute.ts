import type { CallOutcome } from '../../../core/index.ts';
import type { FileState } from '../../needs.ts';
import { failed } from '../../outcome.ts';
import type { ReadFact } from '../../known.ts';
import {
  count,
  cutLine,
  decode,
  encodingName,
  encodingOf,
  linesOf,
  visible,
  type EncodedText,
  type LineEnds,
} from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { find, missing, type Found } from '../file-access.ts';

const linesShown = 2000;
const lineLength = 2000;
/** A window ends before this many characters, whole lines only, so that one file can't fill the context window. */
export const charactersShown = 100_000;
const roomForNotes = 500;

export interface ReadArguments {
  path: string;
  offset?: number;
  limit?: number;
}

export async function read(args: ReadArguments, context: ToolContext): Promise<CallOutcome> {
  const found = await find(args.path, 'read', context);
  if ('outcome' in found) return found;
  if (found.state === null) return missing(found, context);
  const encoded = encodingOf(found.state.bytes);
  if (encoded === 'binary') return { outcome: 'ok', text: describeBinary(found.name, found.state.bytes) };
  return show(found, found.state, encoded, args);
}

function show(found: Found, state: FileState, encoded: EncodedText, args: ReadArguments): CallOutcome {
  const { lines, ends } = linesOf(decode(state.bytes, encoded));
  const { offset = 1, limit = linesShown } = args;
  if (lines.length === 0) {
    const text = `${found.name} is empty: it has ${count(state.bytes.length, 'byte')} and no line.`;
    return outcome(text, { path: found.real, hash: state.hash, from: 0, to: 0, of: 0, cut: false });
  }
  if (offset > lines.length) {
    return failed(`${found.name} has only ${count(lines.length, 'line')}; there is no line ${offset}.`);
  }
  const window = takeWindow(lines, offset, limit);
  const to = offset + window.shown.length - 1;
  const notes = [...whereText(offset, to, lines.length), ...encodingNotes(encoded), ...lineEndNotes(ends)];
  const fact = { path: found.real, hash: state.hash, from: offset, to, of: lines.length, cut: window.cut };
  return outcome([...window.shown, ...notes].join('\n'), fact);
}

function outcome(text: string, read: ReadFact): CallOutcome {
  return { outcome: 'ok', text, facts: { read } };
}

function takeWindow(lines: string[], offset: number, limit: number): { shown: string[]; cut: boolean } {
  const shown: string[] = [];
  let cut = false;
  let room = charactersShown - roomForNotes;
  for (let index = offset - 1; index < lines.length && shown.length < limit; index++) {
    const line = lines[index] ?? '';
    const numbered = `${index + 1}\t${cutLine(visible(line), lineLength)}`;
    room -= numbered.length + 1;
    if (room < 0 && shown.length > 0) break;
    cut ||= line.length > lineLength;
    shown.push(numbered);
  }
  return { shown, cut };
}

function whereText(from: number, to: number, of: number): string[] {
  if (from === 1 && to === of) return [];
  const window = `[Lines ${from}-${to} of ${of}.`;
  return [to === of ? `${window} This is the end.]` : `${window} Go on with offset ${to + 1}.]`];
}

function encodingNotes({ encoding, mark }: EncodedText): string[] {
  if (encoding !== 'utf-8') return [`[Encoding: ${encodingName(encoding)}.]`];
  return mark === 0 ? [] : ['[UTF-8 with a byte order mark, which is kept by edit.]'];
}

function lineEndNotes(ends: LineEnds): string[] {
  if (ends === 'CRLF') return ['[Line ends: CRLF, kept by edit.]'];
  return ends === 'mixed' ? ['[Line ends: CRLF and LF mixed, each kept by edit.]'] : [];
}

function describeBinary(name: string, bytes: Buffer): string {
  const start = bytes
    .subarray(0, 16)
    .toString('hex')
    .replaceAll(/(..)(?=.)/g, '$1 ');
  return `${name} is binary: ${count(bytes.length, 'byte')}, beginning with ${start}. It isn’t shown and can’t be edited as text.`;
}
