/** `--append-prompt`: a text, or `@FILE` for what a file holds. */
import { UsageError } from './arguments.ts';
import { givenText } from './given-file.ts';
import { oneLine } from './printable.ts';

/** The text that is meant; `@@` begins a text with an at sign. */
export async function appendedPrompt(given: string): Promise<string> {
  if (given.startsWith('@@') || !given.startsWith('@')) return checked(given.replace(/^@@/, '@'));
  const file = given.slice(1);
  return checked(await givenText(`The file ${JSON.stringify(oneLine(file))} of --append-prompt`, file));
}

function checked(text: string): string {
  if (text.trim() === '') throw new UsageError('--append-prompt needs a text, or @FILE with one in it.');
  return text;
}
