/** Lets a person choose one of the sessions of a workspace, where somebody sits there. */
import { realpathSync } from 'node:fs';
import type { SessionSummary } from '../../harness/index.ts';
import type { Output } from './output.ts';
import { clip, oneLine } from './printable.ts';
import { clockTime, styleOf } from './render/index.ts';
import type { Terminal } from './terminal.ts';

const mostShown = 15;

/** Id of the session, or words that are to name one; undefined where nobody chooses, or there is nothing to choose from. */
export async function pickSession(folder: string, { err }: Output): Promise<string | undefined> {
  const { isatty } = await import('node:tty');
  if (!err.isTerminal || !isatty(0)) return undefined;
  const { listSessions } = await import('../../harness/index.ts');
  const workspace = realpathSync(folder);
  const own = (await listSessions()).filter((session) => session.workspace === workspace);
  const { openTerminalInput } = await import('./terminal-input.ts');
  return pickFrom(own, { input: openTerminalInput(process.stdin), err });
}

/** The latest first; Enter takes it. Undefined at the end of the input (Ctrl-D). */
export async function pickFrom(
  sessions: readonly SessionSummary[],
  { input, err }: Pick<Terminal, 'input' | 'err'>,
): Promise<string | undefined> {
  const shown = sessions.toSorted((a, b) => b.lastAt - a.lastAt).slice(0, mostShown);
  if (shown.length === 0) return undefined;
  // What was typed before the list was there is no choice from it.
  await input.discardTyped();
  const { width } = styleOf(err);
  const lines = shown.map((session, index) => clip(`  ${index + 1}: ${lineOf(session)}`, width));
  err.write(`? Which session?\n${lines.join('\n')}\n`);
  for (;;) {
    err.write('  a number, a part of an ID or a title, or Enter for the first > ');
    const typed = await input.line(new AbortController().signal);
    if (typeof typed !== 'string') {
      err.write('\n');
      return undefined;
    }
    const words = typed.trim();
    const byNumber = /^\d{1,3}$/.test(words) ? shown[Number(words) - 1] : shown[words === '' ? 0 : -1];
    if (byNumber !== undefined) return byNumber.id;
    if (!/^\d{1,3}$/.test(words)) return words;
    err.write(`  There is no session ${words}.\n`);
  }
}

function lineOf({ id, lastAt, state, title }: SessionSummary): string {
  return oneLine(`${clockTime(lastAt)}  ${id}  ${state}  ${title || '(nothing was asked)'}`);
}
