/** How much of each file there is room for: the nearest is served first, and what is cut is said. */

export interface Fitted<T> {
  file: T;
  text: string;
  /** Bytes that are shown, where that isn't all. */
  shown?: number;
}

/** Less than this of a file says nothing. */
const least = 256;

/** The files in their order, as far as there is room (bytes), and those for which there is none. */
export function fit<T extends { path: string; text: string }>(
  files: readonly T[],
  room: number,
): { fitted: Fitted<T>[]; none: T[] } {
  let left = room;
  const none: T[] = [];
  const fitted: Fitted<T>[] = [];
  for (const file of files.toReversed()) {
    const size = Buffer.byteLength(file.text);
    if (size <= left) fitted.push({ file, text: file.text });
    else if (left < least) none.push(file);
    else fitted.push({ file, ...cut(file.text, left, size) });
    left = Math.max(0, left - size);
  }
  return { fitted: fitted.toReversed(), none: none.toReversed() };
}

/** The head of a text, whole lines of it where there are any. */
function cut(text: string, room: number, size: number): { text: string; shown: number } {
  const bytes = Buffer.from(text).subarray(0, room);
  const line = bytes.lastIndexOf(0x0a);
  const head = bytes
    .subarray(0, line > room / 2 ? line : room)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  const shown = Buffer.byteLength(head);
  return {
    text: `${head}\n[Cut here: ${size - shown} of ${size} bytes are left out. Read the file for the rest.]`,
    shown,
  };
}
