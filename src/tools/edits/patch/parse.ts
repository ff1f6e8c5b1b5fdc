/**
 * Reads a patch in the `*** Begin Patch` format. A line that begins with `***` is a marker in any place, since lines of files have
 * a sign in front. Nothing is guessed: what isn't of the format is a problem that names its line.
 */
import { problemAt, unwrap, beginMarker, endMarker } from './unwrap.ts';
import { isProblem, type Anchor, type Hunk, type HunkLine, type Operation, type Problem } from './operations.ts';

const fileMarkers = '“*** Add File: path”, “*** Update File: path” or “*** Delete File: path”';
const atEndMarker = '*** End of File';

/** The operations of a patch in their order, at least one. */
export function parsePatch(text: string): { operations: Operation[] } | Problem {
  if (!text.isWellFormed()) return { problem: 'The patch holds half of a surrogate pair, which is no character.' };
  const body = unwrap(text);
  if (isProblem(body)) return body;
  const reader = new Reader(body.lines, body.first);
  const operations: Operation[] = [];
  for (;;) {
    reader.skipEmpty();
    if (reader.done()) break;
    const operation = readOperation(reader);
    if (isProblem(operation)) return operation;
    operations.push(operation);
  }
  if (operations.length > 0) return { operations };
  return { problem: `The patch names no file. Between its markers stand sections that begin with ${fileMarkers}.` };
}

/** The lines of a patch, one after the other. */
class Reader {
  readonly #lines: string[];
  readonly #first: number;
  #at = 0;

  constructor(lines: string[], first: number) {
    this.#lines = lines;
    this.#first = first;
  }

  /** The number of the present line in the whole text. */
  get number(): number {
    return this.#first + this.#at;
  }

  get line(): string {
    return this.#lines[this.#at] ?? '';
  }

  done(): boolean {
    return this.#at >= this.#lines.length;
  }

  next(): void {
    this.#at += 1;
  }

  skipEmpty(): void {
    while (!this.done() && isEmpty(this.line)) this.next();
  }

  problem(why: string): Problem {
    return problemAt(this.number, why, this.line);
  }
}

function isEmpty(line: string): boolean {
  return line === '' || line === '\r';
}

function isMarker(line: string): boolean {
  return line.startsWith('***');
}

function readOperation(reader: Reader): Operation | Problem {
  const { line, number } = reader;
  const [, name, rest] = /^\*\*\* (Add|Delete|Update) File: (.*)$/s.exec(line) ?? [];
  if (name === undefined || rest === undefined) return reader.problem(whyNoOperation(line));
  const path = pathOf(rest, reader);
  if (isProblem(path)) return path;
  reader.next();
  if (name === 'Add') return readAdd(reader, path, number);
  if (name === 'Delete') return readDelete(reader, path, number);
  return readUpdate(reader, path, number);
}

function whyNoOperation(line: string): string {
  const marker = line.trimEnd();
  if (marker === endMarker) return `only the last line is “${endMarker}”; put all files into one patch`;
  if (marker === beginMarker) return `only the first line is “${beginMarker}”; put all files into one patch`;
  if (line.startsWith('*** Move to: ')) return '“*** Move to: path” stands right after “*** Update File: path”';
  if (marker === atEndMarker) return `“${atEndMarker}” ends a hunk, and here is none`;
  if (isMarker(line)) return `that is no operation. There are ${fileMarkers}, letter for letter`;
  return `here begins a file, with ${fileMarkers}`;
}

function pathOf(rest: string, reader: Reader): string | Problem {
  const path = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
  if (path.trim() === '') return reader.problem('the path is missing');
  // Such a name may exist, but nearly always it is a slip that would make a file nobody finds.
  if (path !== path.trim()) return reader.problem('the path begins or ends with a blank. Leave it out');
  if (path.includes('\0')) return reader.problem('a path can’t hold a NUL character');
  if (path.startsWith('/')) return reader.problem('the path is absolute. Give it relative to the workspace');
  return path;
}

function readAdd(reader: Reader, path: string, line: number): Operation | Problem {
  const content: string[] = [];
  while (!reader.done() && reader.line.startsWith('+')) {
    content.push(reader.line.slice(1));
    reader.next();
  }
  reader.skipEmpty();
  if (reader.done() || isMarker(reader.line)) return { kind: 'add', path, line, content };
  return reader.problem('each line of an added file begins with “+”, an empty one is “+” alone');
}

function readDelete(reader: Reader, path: string, line: number): Operation | Problem {
  reader.skipEmpty();
  if (reader.done() || isMarker(reader.line)) return { kind: 'delete', path, line };
  return reader.problem('nothing follows “*** Delete File: path” but the next file');
}

function readUpdate(reader: Reader, path: string, line: number): Operation | Problem {
  const target = readTarget(reader);
  if (isProblem(target)) return target;
  const hunks: Hunk[] = [];
  for (;;) {
    reader.skipEmpty();
    if (reader.done() || (isMarker(reader.line) && reader.line.trimEnd() !== atEndMarker)) break;
    const hunk = readHunk(reader, hunks.length === 0);
    if (isProblem(hunk)) return hunk;
    hunks.push(hunk);
  }
  if (hunks.length > 0 || target !== undefined) {
    return { kind: 'update', path, line, ...(target !== undefined && { target }), hunks };
  }
  return problemAt(line, 'nothing is to be changed there: a hunk must follow, or “*** Move to: path”', path);
}

function readTarget(reader: Reader): { path: string; line: number } | Problem | undefined {
  const [, rest] = /^\*\*\* Move to: (.*)$/s.exec(reader.line) ?? [];
  if (reader.done() || rest === undefined) return undefined;
  const path = pathOf(rest, reader);
  if (isProblem(path)) return path;
  const { number } = reader;
  reader.next();
  return { path, line: number };
}

/** Of the first hunk `@@` may be left out. */
function readHunk(reader: Reader, first: boolean): Hunk | Problem {
  const line = reader.number;
  const anchors = readAnchors(reader);
  if (anchors === undefined && !first) {
    return reader.problem('a hunk begins with “@@”, and each of its lines with “ ”, “-” or “+”');
  }
  const lines: HunkLine[] = [];
  for (; !reader.done(); reader.next()) {
    const made = hunkLine(reader.line, reader.number);
    if (made === undefined) break;
    lines.push(made);
  }
  const atEnd = !reader.done() && reader.line.trimEnd() === atEndMarker;
  const unreadable = !reader.done() && !isMarker(reader.line) && !/^@@(\s|$)/.test(reader.line);
  if (unreadable) return reader.problem(whyNoHunkLine(reader.line));
  if (lines.length === 0) return reader.problem(`the hunk that begins in line ${line} has no lines`);
  const hunk = { line, anchors: anchors ?? [], lines, atEnd };
  if (atEnd) reader.next();
  if (lines.some(({ sign }) => sign !== ' ')) return hunk;
  return problemAt(
    line,
    'this hunk changes nothing: lines to go begin with “-”, lines to come with “+”',
    lines[0]?.text ?? '',
  );
}

/** The lines that begin with `@@`; undefined where there is none. */
function readAnchors(reader: Reader): Anchor[] | undefined {
  const anchors: Anchor[] = [];
  for (; !reader.done(); reader.next()) {
    const { line, number } = reader;
    if (/^@@\s*$/.test(line)) {
      // After another one it begins a hunk of its own.
      if (anchors.length > 0) break;
      reader.next();
      return anchors;
    }
    if (!line.startsWith('@@ ')) break;
    anchors.push({ text: line.slice(3), line: number });
  }
  return anchors.length > 0 ? anchors : undefined;
}

/** A line without any sign is an empty line of the file: the blank before it is often lost. */
function hunkLine(line: string, number: number): HunkLine | undefined {
  if (isEmpty(line)) return { sign: ' ', text: line, line: number, bare: true };
  const sign = line.charAt(0);
  if (sign !== ' ' && sign !== '-' && sign !== '+') return undefined;
  return { sign, text: line.slice(1), line: number, bare: false };
}

function whyNoHunkLine(line: string): string {
  if (line.startsWith('@@')) return 'after “@@” comes nothing, or a blank and a line of the file';
  if (line.startsWith('\\')) return 'the format has no such line; whether a file ends with a line end is kept as it is';
  return 'each line of a hunk begins with “ ” (stays), “-” (goes) or “+” (comes), before its own blanks';
}
