/** A change of files as a patch that `git apply` takes, and people read. */

export interface FileChange {
  path: string;
  /** Null: there is no such file. */
  before: Buffer | null;
  after: Buffer | null;
  /** Permission bits of a file. */
  modeBefore?: number;
  modeAfter?: number;
}

/** Milliseconds that the comparison of one file may take; then it is told as a whole. */
const longestComparison = 2_000;

export async function patchOf(changes: readonly FileChange[]): Promise<string> {
  const parts: string[] = [];
  for (const change of changes) parts.push(await partOf(change));
  return parts.join('');
}

async function partOf(change: FileChange): Promise<string> {
  const { before, after } = change;
  const [from, to] = [quoted(`a/${change.path}`), quoted(`b/${change.path}`)];
  const head = [`diff --git ${from} ${to}`, ...modeLines(change)];
  const isSame = before !== null && after !== null && before.equals(after);
  if (isSame) return `${head.join('\n')}\n`;
  if (isBinary(before) || isBinary(after)) return `${[...head, `Binary files ${from} and ${to} differ`].join('\n')}\n`;
  const hunks = await hunksOf(textOf(before), textOf(after));
  if (hunks === '') return `${head.join('\n')}\n`;
  const names = [`--- ${before === null ? '/dev/null' : from}`, `+++ ${after === null ? '/dev/null' : to}`];
  return `${[...head, ...names].join('\n')}\n${hunks}`;
}

function modeLines({ before, after, modeBefore = 0o644, modeAfter = 0o644 }: FileChange): string[] {
  if (before === null) return [`new file mode ${gitMode(modeAfter)}`];
  if (after === null) return [`deleted file mode ${gitMode(modeBefore)}`];
  if (gitMode(modeBefore) === gitMode(modeAfter)) return [];
  return [`old mode ${gitMode(modeBefore)}`, `new mode ${gitMode(modeAfter)}`];
}

/** Git knows of a file's mode only whether its owner may run it. */
function gitMode(mode: number): string {
  return (mode & 0o100) === 0 ? '100644' : '100755';
}

function isBinary(content: Buffer | null): boolean {
  return content?.subarray(0, 8_000).includes(0) ?? false;
}

/** One character a byte, so that no encoding is harmed. */
function textOf(content: Buffer | null): string {
  return content?.toString('latin1') ?? '';
}

async function hunksOf(before: string, after: string): Promise<string> {
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('a', 'b', before, after, '', '', { context: 3, timeout: longestComparison });
  const hunks = patch?.hunks ?? wholeOf(before, after);
  return hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) => {
      const place = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
      return `${[place, ...lines.map((line) => Buffer.from(line, 'latin1').toString('utf8'))].join('\n')}\n`;
    })
    .join('');
}

/** Too different to be compared line by line: all of the old goes, all of the new comes. */
function wholeOf(before: string, after: string) {
  const [old, made] = [linesOf(before), linesOf(after)];
  const lines = [...marked('-', old, before), ...marked('+', made, after)];
  return [
    {
      oldStart: old.length === 0 ? 0 : 1,
      oldLines: old.length,
      newStart: made.length === 0 ? 0 : 1,
      newLines: made.length,
      lines,
    },
  ];
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function marked(sign: string, lines: readonly string[], text: string): string[] {
  const shown = lines.map((line) => `${sign}${line}`);
  return text === '' || text.endsWith('\n') ? shown : [...shown, String.raw`\ No newline at end of file`];
}

/** As Git writes names that would break a line. */
function quoted(path: string): string {
  if (!/["\\\u0000-\u001f\u007f]/.test(path)) return path;
  const escaped = path.replaceAll(/["\\]/g, String.raw`\$&`);
  return `"${escaped.replaceAll(/[\u0000-\u001f\u007f]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;
}
