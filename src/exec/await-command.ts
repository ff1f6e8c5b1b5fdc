/** Waiting for a command: what ends the wait, and its output meanwhile. */
import type { Capture } from './output/index.ts';
import type { Launch } from './process/index.ts';

/** Milliseconds to wait for the end of the output after everything that could write it is gone. */
const drainLimit = 2000;
/** The longest time that a timer of Node can take. */
const longestTimer = 2 ** 31 - 1;

export type Stop = 'exit' | 'time' | 'cancel';

/** What comes first: the end of the command, of its time, or a cancel. */
export async function firstOf(launch: Launch, timeout: number, signal: AbortSignal): Promise<Stop> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const stopped = new Promise<Stop>((resolve) => {
    timer = setTimeout(resolve, Math.min(timeout, longestTimer), 'time');
    onAbort = () => resolve('cancel');
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([stopped, launch.over.then((): Stop => 'exit')]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener('abort', onAbort);
  }
}

/** Reads the output as fast as it can be kept, and no faster. */
export function read(launch: Launch, capture: Capture): void {
  launch.output.on('data', (chunk: Buffer) => {
    const own = launch.pass(chunk);
    if (own.length === 0) return;
    const written = capture.write(own);
    if (written === undefined) return;
    launch.output.pause();
    void written.then(() => launch.output.resume());
  });
}

/** Waits for the end of the output; nobody is left who could write, so this is a matter of what is still in the pipe. */
export async function drained(launch: Launch): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainLimit);
  });
  await Promise.race([launch.closed, late]);
  clearTimeout(timer);
}
