/** The lines of a stream, as they come; bounded, since whoever writes them may never end one. */
import { UsageError } from './arguments.ts';

/** Characters of a line that are taken. */
const longest = 4 * 1024 * 1024;

export async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let held = '';
  for await (const chunk of stream) {
    held += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = held.split('\n');
    held = lines.pop() ?? '';
    if (held.length > longest) throw new UsageError(`A line is longer than ${longest} characters.`);
    yield* lines;
  }
  held += decoder.decode();
  if (held !== '') yield held;
}
