/** `--append-prompt`: a text, or `@FILE` for what a file holds. */
import { UsageError } from './arguments.ts';
import { oneLine } from './printable.ts';

/** The text that is meant; `@@` begins a text with an at sign. */
export async function appendedPrompt(given: string): Promise<string> {
  if (given.startsWith('@@') || !given.startsWith('@')) return checked(given.replace(/^@@/, '@'));
  const file = given.slice(1);
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(file, 'utf8').catch(async (error: unknown) => {
    const { systemReason } = await import('../../harness/index.ts');
    const why = oneLine(systemReason(error));
    throw new UsageError(`The file ${JSON.stringify(oneLine(file))} of --append-prompt can’t be read: ${why}.`);
  });
  return checked(text);
}

function checked(text: string): string {
  if (text.trim() === '') throw new UsageError('--append-prompt needs a text, or @FILE with one in it.');
  return text;
}
