/** Private keys in their text form (RFC 7468, OpenSSH, PGP): the lines between the marks. */
import type { Span } from './known.ts';

export const keyBlockBegins = '-----BEGIN ';
const opening = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
/** The beginning of an opening mark that isn't whole yet. */
const unfinishedOpening = /-----B(?:E|$)(?:G|$)(?:I|$)(?:N|$)(?: |$)[A-Z0-9 ]{0,70}-{0,5}$/y;
/** Line ends, also as they are escaped in strings, what joins strings of a source, and the sign of a line that a diff takes away. */
const between = /(?:[\s"'`,|>]|\+(?=[\s"'`])|(?<=\n)-|\\{1,4}[nr]){0,120}/y;
/** Characters by which a line may differ from a full one: the sign of a line that a diff adds may belong to the key. */
const sign = 1;
const header = /[A-Za-z][A-Za-z-]{1,40}: [^\r\n\\]{0,200}/y;
const body = /[A-Za-z0-9+/=]{1,20000}/y;
/** Characters of a block that are looked at. */
const longestBlock = 32_768;
/** Characters that the first line of a key has at least. */
const leastLine = 32;

export interface KeyBlock {
  /** Each line of the key by itself, so that lines stay lines. */
  spans: Span[];
  /** The text ended before the block did. */
  open: boolean;
}

/** The block that begins at a place, undefined where none does. */
export function keyBlockAt(text: string, at: number): KeyBlock | undefined {
  const opened = match(opening, text, at);
  if (opened === undefined)
    return match(unfinishedOpening, text, at) === undefined ? undefined : { spans: [], open: true };
  const limit = Math.min(text.length, at + longestBlock);
  const spans: Span[] = [];
  let place = at + opened.length;
  let line: number | undefined;
  while (place < limit) {
    place += match(between, text, place)?.length ?? 0;
    const named = line === undefined ? match(header, text, place) : undefined;
    if (named !== undefined) {
      place += named.length;
      continue;
    }
    const run = match(body, text, place);
    if (run === undefined) return { spans, open: place >= text.length && text.length < at + longestBlock };
    const isLast = place + run.length >= text.length;
    if (line === undefined ? run.length < leastLine : run.length > line + sign) return { spans, open: isLast };
    spans.push(spanOf(place, run));
    if (isLast) return { spans, open: true };
    place += run.length;
    if (line !== undefined && run.length < line - sign) return { spans, open: false };
    line = run.length;
  }
  return { spans, open: text.length < at + longestBlock };
}

function spanOf(start: number, run: string): Span {
  return { start, end: start + run.length, kind: 'private-key' };
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** The lines of the private keys of a file. */
export function linesOfKeys(text: string): string[] {
  const lines: string[] = [];
  for (let at = text.indexOf(keyBlockBegins); at >= 0; at = text.indexOf(keyBlockBegins, at + 1)) {
    for (const { start, end } of keyBlockAt(text, at)?.spans ?? []) lines.push(text.slice(start, end));
  }
  return lines;
}
