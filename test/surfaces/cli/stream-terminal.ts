/** A terminal that is a pair of streams: what is shown can be waited for, what is typed is written. */
import { PassThrough } from 'node:stream';
import { createTerminalApprover } from '../../../src/surfaces/cli/question.ts';
import { openTerminalInput } from '../../../src/surfaces/cli/terminal-input.ts';

export const never = new AbortController().signal;

/** An approver on a terminal that is a stream; `typeWhen` types as soon as the terminal shows what it waits for. */
export function openTerminal() {
  const keyboard = new PassThrough();
  let shown = '';
  let watch: () => void = () => undefined;
  const err = {
    isTerminal: true,
    hasColors: false,
    gone: never,
    width: () => 80,
    write: (text: string | Uint8Array) => {
      shown += String(text);
      watch();
    },
    ready: () => Promise.resolve(),
    flush: () => Promise.resolve(),
  };
  const display = { pause: () => undefined, resume: () => undefined };
  const approver = createTerminalApprover({ input: openTerminalInput(keyboard as never), err, display });
  const until = (pattern: RegExp): Promise<void> =>
    new Promise((resolve) => {
      watch = () => {
        if (pattern.test(shown)) resolve();
      };
      watch();
    });
  const typeWhen = async (pattern: RegExp, text: string): Promise<void> => {
    await until(pattern);
    keyboard.write(text);
  };
  return { keyboard, approver, until, typeWhen, shown: () => shown };
}
