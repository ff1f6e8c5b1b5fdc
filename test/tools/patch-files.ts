/** What tests of patches and of edits by line share: random files and edits of their lines, and what these must give, worked out on the bytes alone. */
import * as fc from 'fast-check';
import type { ToolSession } from './session.ts';

export interface Sample {
  /** The encoding it was written in. */
  name: string;
  bytes: Buffer;
}

/** Lines (from 0; `to` not included) and what takes their place, in ASCII, which every encoding here has. */
export interface LineChange {
  from: number;
  to: number;
  lines: string[];
}

/** No line ends; the numbers keep lines apart where `unique` asks for it. */
const writings: { [name: string]: { letters: string[]; write: (text: string) => Buffer } } = {
  'UTF-8': {
    letters: ['a', ' ', '\t', '}', 'é', '中', '🎉', '\\', '"', '’', '\r-', '\u00a0'],
    write: (text) => Buffer.from(text),
  },
  'UTF-8 with a mark': { letters: ['a', ' ', 'ß', '–'], write: (text) => Buffer.from(`\ufeff${text}`) },
  'UTF-16 little endian': {
    letters: ['a', ' ', 'é', '中', '🎉'],
    write: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  },
  'UTF-16 big endian': { letters: ['a', '}', '中'], write: (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16() },
  'Latin-1': { letters: ['a', ' ', 'é ', 'ñ.'], write: (text) => Buffer.from(text, 'latin1') },
  'any bytes': {
    // Without those that begin a mark.
    letters: ['a', ' ', ...Array.from({ length: 110 }, (_, index) => String.fromCharCode(128 + index))],
    write: (text) => Buffer.from(text, 'latin1'),
  },
};

const names = Object.keys(writings);

/** A file; `unique`: no line of it stands there twice. */
export function sample(unique: boolean): fc.Arbitrary<Sample> {
  return fc.constantFrom(...names).chain((name) => {
    const { letters = [], write = (text: string) => Buffer.from(text) } = writings[name] ?? {};
    const line = fc.string({ unit: fc.constantFrom(...letters), maxLength: 5 });
    const end = fc.constantFrom<fc.Arbitrary<string>>(
      fc.constant('\n'),
      fc.constant('\r\n'),
      fc.constantFrom('\n', '\r\n'),
    );
    return end
      .chain((ends) => fc.record({ lines: fc.array(fc.tuple(line, ends), { maxLength: 12 }), open: fc.boolean() }))
      .map(({ lines, open }) => {
        const text = lines.map(([content, lineEnd], index) => {
          const isOpen = open && index === lines.length - 1;
          return `${content}${unique ? `#${index}` : ''}${isOpen ? '' : lineEnd}`;
        });
        return { name, bytes: write(text.join('')) };
      });
  });
}

const made = fc.array(fc.string({ unit: fc.constantFrom('x', ' ', '-', '+', '@', '*', '\t', '.'), maxLength: 4 }), {
  maxLength: 3,
});

/** Changes of a file of so many lines, in order, with at least one line between them. */
export function changesOf(lines: number): fc.Arbitrary<LineChange[]> {
  const cut = fc.array(fc.nat(lines), { minLength: 2, maxLength: 6 });
  return fc.tuple(cut, fc.array(made, { minLength: 3, maxLength: 3 })).map(([cuts, texts]) => {
    const places = [...new Set(cuts)].toSorted((a, b) => a - b);
    const changes: LineChange[] = [];
    for (let index = 0; index < places.length; index += 2) {
      const from = places[index] ?? 0;
      const to = places[index + 1] ?? from;
      const text = texts[index / 2] ?? [];
      if (text.length > 0 || to > from) changes.push({ from, to, lines: text });
    }
    // Places are apart from each other by at least the line between an end and the next start.
    return changes.filter((change, index) => index === 0 || change.from > (changes[index - 1]?.to ?? -1));
  });
}

/** The mark, the lines with their ends, and how ends are written; UTF-16 goes by pairs of bytes. */
interface ByteLines {
  mark: Buffer;
  lines: Buffer[];
  encode: (text: string) => Buffer;
}

function byteLines(bytes: Buffer): ByteLines {
  const head = bytes.subarray(0, 3).toString('hex');
  const isLittle = head.startsWith('fffe');
  const isBig = head.startsWith('feff');
  const mark = bytes.subarray(0, isLittle || isBig ? 2 : head === 'efbbbf' ? 3 : 0);
  const size = isLittle || isBig ? 2 : 1;
  const encode = (text: string): Buffer => {
    if (size === 1) return Buffer.from(text, 'latin1');
    return isBig ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le');
  };
  const feed = encode('\n');
  const lines: Buffer[] = [];
  let start = mark.length;
  for (let at = start; at + size <= bytes.length; at += size) {
    if (!bytes.subarray(at, at + size).equals(feed)) continue;
    lines.push(bytes.subarray(start, at + size));
    start = at + size;
  }
  if (start < bytes.length) lines.push(bytes.subarray(start));
  return { mark, lines, encode };
}

/**
 * What is wrong with the bytes after changes of lines; undefined if nothing is. Every byte outside the changed lines must be what it was; the
 * new lines must have the line end of the file, or one of them where it has both; and the end of the file must be as open as before.
 */
export function faultOf(before: Buffer, changes: readonly LineChange[], after: Buffer): string | undefined {
  const old = byteLines(before);
  const { encode } = old;
  const crlf = encode('\r\n');
  const lf = encode('\n');
  const endOf = (line: Buffer): Buffer => {
    if (line.subarray(-crlf.length).equals(crlf)) return crlf;
    return line.subarray(-lf.length).equals(lf) ? lf : Buffer.alloc(0);
  };
  const ends = new Set(old.lines.map((line) => endOf(line).toString('hex')).filter((end) => end !== ''));
  const anyEnd = ends.size === 0 ? [lf] : [crlf, lf].filter((end) => ends.has(end.toString('hex')));
  const isOpen = old.lines.length > 0 && endOf(old.lines.at(-1) ?? lf).length === 0;
  // Each line as the ways in which it may be written.
  const wanted: Buffer[][] = [];
  let kept = 0;
  for (const { from, to, lines } of changes) {
    wanted.push(...old.lines.slice(kept, from).map((line) => [line]));
    wanted.push(...lines.map((line) => anyEnd.map((end) => Buffer.concat([encode(line), end]))));
    kept = to;
  }
  wanted.push(...old.lines.slice(kept).map((line) => [line]));
  const touchesEnd = isOpen && (changes.at(-1)?.to ?? 0) === old.lines.length;
  const last = changes.at(-1)?.lines.at(-1);
  if (touchesEnd && last !== undefined) {
    wanted.splice(-1, 1, [encode(last)]);
    // A line that had no end before gets one when others come after it.
    const index = wanted.findIndex((ways) => ways[0] === old.lines.at(-1));
    if (index !== -1) wanted[index] = anyEnd.map((end) => Buffer.concat([old.lines.at(-1) ?? lf, end]));
  }
  if (!after.subarray(0, old.mark.length).equals(old.mark)) return 'the mark is another';
  let at = old.mark.length;
  for (const [index, ways] of wanted.entries()) {
    const way = ways.find((one) => after.subarray(at, at + one.length).equals(one));
    if (way === undefined) return `line ${index + 1} is ${after.subarray(at).toString('latin1').slice(0, 40)}`;
    at += way.length;
  }
  return at === after.length ? undefined : `bytes after the end: ${after.subarray(at).toString('hex')}`;
}

/** The changes as a patch: one hunk of all lines, or one for each change with so many lines around it. */
export function patchOf(
  path: string,
  texts: readonly string[],
  changes: readonly LineChange[],
  around: number | 'all',
): string {
  const hunks = around === 'all' ? undefined : smallHunks(texts, changes, around);
  const body = hunks ?? wholeHunk(texts, changes);
  return ['*** Begin Patch', `*** Update File: ${path}`, ...body, '*** End Patch', ''].join('\n');
}

function wholeHunk(texts: readonly string[], changes: readonly LineChange[]): string[] {
  const lines = ['@@'];
  let kept = 0;
  for (const change of changes) {
    lines.push(...texts.slice(kept, change.from).map((text) => ` ${text}`), ...changed(texts, change));
    kept = change.to;
  }
  return [...lines, ...texts.slice(kept).map((text) => ` ${text}`)];
}

function changed(texts: readonly string[], { from, to, lines }: LineChange): string[] {
  return [...texts.slice(from, to).map((text) => `-${text}`), ...lines.map((text) => `+${text}`)];
}

/** Undefined where a change would stand alone, without any line that says where it goes. */
function smallHunks(texts: readonly string[], changes: readonly LineChange[], around: number): string[] | undefined {
  const hunks: string[] = [];
  let taken = 0;
  for (const [index, change] of changes.entries()) {
    const next = changes[index + 1]?.from ?? texts.length;
    const room = index + 1 < changes.length ? next - change.to - 1 : next - change.to;
    const before = texts.slice(Math.max(taken, change.from - around), change.from);
    const after = texts.slice(change.to, change.to + Math.min(around, room));
    taken = change.to + after.length;
    if (before.length + after.length + change.to - change.from === 0) return undefined;
    const mark = [
      '@@',
      ...before.map((text) => ` ${text}`),
      ...changed(texts, change),
      ...after.map((text) => ` ${text}`),
    ];
    hunks.push(...mark, ...(taken === texts.length && around > 1 ? ['*** End of File'] : []));
  }
  return hunks;
}

/** Lines between the marks of a patch. */
export function wrapped(...lines: string[]): string {
  return `*** Begin Patch\n${lines.join('\n')}\n*** End Patch\n`;
}

/** Reads files, then applies a patch of these lines. */
export async function patchRead(open: ToolSession, read: string[], ...lines: string[]) {
  for (const path of read) await open.call('read', { path });
  return open.call('apply_patch', { patch: wrapped(...lines) });
}
