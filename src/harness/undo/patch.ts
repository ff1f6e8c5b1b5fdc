/** A change of files as a patch that `git apply` takes, and people read: in bytes, as files are. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { baseLines } from './base85.ts';

export interface FileState {
  /** Of a link: its target. */
  content: Buffer;
  /** Permission bits of a file. */
  mode: number | 'link';
}

export interface FileChange {
  /** As the store of checkpoints writes it. */
  path: string;
  /** Null: there is no such file. */
  before: FileState | null;
  after: FileState | null;
}

/** Milliseconds that the comparison of one file may take; then it is told as a whole. */
const longestComparison = 2_000;

export async function patchOf(changes: readonly FileChange[]): Promise<Buffer> {
  const parts: string[] = [];
  for (const change of changes.flatMap(inSteps)) parts.push(await partOf(change));
  // One character a byte, so that no encoding is harmed.
  return Buffer.from(parts.join(''), 'latin1');
}

/** What becomes something else goes first, and comes then. */
function inSteps(change: FileChange): FileChange[] {
  const { before, after } = change;
  const isOther = before !== null && after !== null && (before.mode === 'link') !== (after.mode === 'link');
  return isOther
    ? [
        { ...change, after: null },
        { ...change, before: null },
      ]
    : [change];
}

async function partOf({ path, before, after }: FileChange): Promise<string> {
  const [from, to] = [quoted('a/', path), quoted('b/', path)];
  const head = [`diff --git ${from} ${to}`, ...modeLines(before, after)];
  const [old, made] = [before?.content ?? Buffer.alloc(0), after?.content ?? Buffer.alloc(0)];
  if (old.equals(made)) return linesOf(head);
  if (isBinary(old) || isBinary(made)) {
    const index = `index ${objectId(before)}..${objectId(after)}`;
    return linesOf([...head, index, 'GIT binary patch', ...literal(made), ...literal(old)]);
  }
  const names = [
    `--- ${before === null ? '/dev/null' : ended(from)}`,
    `+++ ${after === null ? '/dev/null' : ended(to)}`,
  ];
  return linesOf([...head, ...names, ...(await hunksOf(old.toString('latin1'), made.toString('latin1')))]);
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function modeLines(before: FileState | null, after: FileState | null): string[] {
  const [old, made] = [gitMode(before), gitMode(after)];
  if (before === null) return [`new file mode ${made}`];
  if (after === null) return [`deleted file mode ${old}`];
  return old === made ? [] : [`old mode ${old}`, `new mode ${made}`];
}

/** Git knows of a file's mode only whether its owner may run it. */
function gitMode(state: FileState | null): string {
  if (state?.mode === 'link') return '120000';
  return ((state?.mode ?? 0) & 0o100) === 0 ? '100644' : '100755';
}

function isBinary(content: Buffer): boolean {
  return content.subarray(0, 8_000).includes(0);
}

/** As Git names a content. */
function objectId(state: FileState | null): string {
  if (state === null) return '0'.repeat(40);
  const { content } = state;
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

function literal(content: Buffer): string[] {
  return [`literal ${content.length}`, ...baseLines(deflateSync(content)), ''];
}

async function hunksOf(before: string, after: string): Promise<string[]> {
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('a', 'b', before, after, '', '', { context: 3, timeout: longestComparison });
  const hunks = patch?.hunks ?? wholeOf(before, after);
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`,
    ...lines,
  ]);
}

/** A range without a line is named by the line before it. */
function rangeOf(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}

/** Too different to be compared line by line: all of the old goes, all of the new comes. */
function wholeOf(before: string, after: string) {
  const [old, made] = [splitLines(before), splitLines(after)];
  const lines = [...marked('-', old, before), ...marked('+', made, after)];
  return [{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: made.length, lines }];
}

function splitLines(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function marked(sign: string, lines: readonly string[], text: string): string[] {
  const shown = lines.map((line) => `${sign}${line}`);
  return text === '' || text.endsWith('\n') ? shown : [...shown, String.raw`\ No newline at end of file`];
}

/** As Git writes names; one that is in quotes already keeps what stands in them. */
function quoted(side: string, path: string): string {
  if (path.startsWith('"')) return `"${side}${path.slice(1)}`;
  const bytes = Buffer.from(path, 'utf8').toString('latin1');
  if (!/["\\\u0000-\u001f\u007f]/.test(bytes)) return `${side}${bytes}`;
  const escaped = bytes.replaceAll(/["\\]/g, String.raw`\$&`);
  return `"${side}${escaped.replaceAll(/[\u0000-\u001f\u007f]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;
}

/** A tab ends a name that has a space: what follows a space could be a time. */
function ended(name: string): string {
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name;
}
