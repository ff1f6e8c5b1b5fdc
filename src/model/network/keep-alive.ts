/** Signs of life in a stream of events that say nothing more than that. */

/** What is longer is no mere sign of life. */
const longest = 512;
const words = '(?:ping|keep-?alive|heartbeat)';
const field = new RegExp(
  `^(?:event: ?${words}|data: ?(?:\\{ ?\\}|\\{ ?"type" ?: ?"${words}"(?: ?,[^{}]*)?\\}|${words})?)?$`,
  'i',
);

/**
 * Whether a piece of a stream holds nothing but comments and events that are called a ping. They come by themselves, seconds apart,
 * so that a piece is mostly one of them; half of one counts as something said, which only makes the limit later.
 */
export function isKeepAlive(chunk: Buffer): boolean {
  if (chunk.length > longest) return false;
  const lines = chunk.toString('latin1').split(/[\r\n]+/);
  return lines.every((line) => line.startsWith(':') || field.test(line));
}
