/** Types into a command that has an input. */
import type { Launch } from '../process/index.ts';
import type { Refusal } from './keeper.ts';

/** Bytes that may wait for a command that doesn't read. */
const mostWaiting = 1024 * 1024;
/** Milliseconds in which a write shows whether anybody can still read it. */
const patience = 100;
/** What a terminal takes for the end of the input. */
const endOfInput = '\u0004';

export async function typeInto({ input, isTerminal }: Launch, id: string, text: string): Promise<null | Refusal> {
  if (input === undefined) return { refused: `${id} has no input: it was begun as a command that gets none.` };
  const closed = { refused: `${id} takes no input any more.` };
  if (input.destroyed || input.writableEnded) return closed;
  if (input.writableLength > mostWaiting) return { refused: `${id} doesn’t read what is typed; nothing more was.` };
  const isLast = !isTerminal && text.endsWith(endOfInput);
  const typed = isLast ? text.slice(0, -endOfInput.length) : text;
  const failed = typed !== '' && (await fails((done) => void input.write(typed, done)));
  if (isLast && !failed) input.end();
  return failed ? closed : null;
}

/** Whether a write was refused at once; one that only has to wait was not. */
function fails(write: (done: (error?: Error | null) => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), patience);
    write((error) => {
      clearTimeout(timer);
      resolve(error !== undefined && error !== null);
    });
  });
}
