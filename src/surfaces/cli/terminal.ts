/** The terminal as a place to put questions. */
import type { Display } from './display.ts';
import type { Writer } from './output.ts';
import { printable } from './printable.ts';
import type { TerminalInput } from './terminal-input.ts';

export interface Terminal {
  input: TerminalInput;
  err: Writer;
  display: Pick<Display, 'pause' | 'resume'>;
}

/** All lines of what is asked, harmless, behind the sign of a question. */
export function asQuestion(text: string): string {
  const [first = '', ...more] = printable(text).trim().split('\n');
  return [`? ${first}`, ...more.map((line) => `  ${line}`)].join('\n');
}
