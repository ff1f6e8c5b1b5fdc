/** Writes progress to standard error; on a terminal a last line shows what is going on, and goes when the next step is there. */
import { clip, widthOf } from './printable.ts';
import type { Writer } from './output.ts';
import { duration, type Activity, type Style } from './render/index.ts';

const refreshEvery = 1000;

export interface Display {
  lines(lines: string[]): void;
  /** Shows nothing of its own until `resume`: somebody else writes. */
  pause(): void;
  resume(): void;
  close(): void;
}

export function openDisplay(err: Writer, style: Style, activity: () => Activity | undefined): Display {
  let shown = '';
  let isPaused = false;
  let what: string | undefined;
  let since = 0;

  const erase = (): void => {
    if (shown !== '') err.write(`\r${' '.repeat(widthOf(shown))}\r`);
    shown = '';
  };
  const draw = (): void => {
    if (!err.isTerminal || isPaused) return;
    const now = Date.now();
    const current = activity();
    if (current?.what !== what) since = now;
    what = current?.what;
    erase();
    if (current === undefined) return;
    const time = current.until === undefined ? duration(now - since) : `${duration(current.until - now)} left`;
    // One column stays free: a full line would wrap and could not be erased.
    shown = `${clip(`· ${current.what}`, err.width() - time.length - 5)} (${time})`;
    err.write(style.dim(shown));
  };

  const timer = err.isTerminal ? setInterval(draw, refreshEvery) : undefined;
  timer?.unref();
  return {
    lines: (lines) => {
      erase();
      if (lines.length > 0) err.write(`${lines.join('\n')}\n`);
      draw();
    },
    pause: () => {
      erase();
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
      draw();
    },
    close: () => {
      clearInterval(timer);
      erase();
      isPaused = true;
    },
  };
}
