/** A question of the model on the terminal: one of its options by number, an answer in own words, or the default. */
import type { Approver } from '../../harness/index.ts';
import { oneLine } from './printable.ts';
import { asQuestion, type Terminal } from './terminal.ts';

type Choose = NonNullable<Approver['choose']>;
type Question = Parameters<Choose>[0];
type Answer = Awaited<ReturnType<Choose>>;

/** Undefined where nobody answers: the input has ended (Ctrl-D), or the question isn't wanted any more. */
export async function choose(
  { input, err, display }: Terminal,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  if (signal.aborted || !input.isOpen) return undefined;
  display.pause();
  try {
    // What was typed before the question was there is no answer to it.
    await input.discardTyped();
    err.write(`${asQuestion(question.question)}\n${optionLines(question).join('\n')}\n`);
    for (;;) {
      err.write('  a number, your own words, or Enter for the default > ');
      const typed = await input.line(signal);
      if (typeof typed !== 'string') {
        err.write(typed.end === 'aborted' ? '\n  (no answer needed here any more)\n' : '\n  (the default counts)\n');
        return undefined;
      }
      const choice = chosen(typed.trim(), question);
      if (choice !== undefined) return { by: 'terminal', choice };
      err.write(`  There is no option ${typed.trim()}.\n`);
    }
  } finally {
    display.resume();
  }
}

function optionLines({ options, fallback }: Question): string[] {
  const lines = options.map((option, index) => {
    return `  ${index + 1}: ${oneLine(option)}${option === fallback ? ' (default)' : ''}`;
  });
  return options.includes(fallback) ? lines : [...lines, `  default: ${oneLine(fallback)}`];
}

/** Undefined for the number of an option that isn't there: more likely a slip than an answer. */
function chosen(typed: string, { options, fallback }: Question): string | undefined {
  if (typed === '') return fallback;
  if (!/^\d+$/.test(typed)) return typed;
  return options[Number(typed) - 1] ?? options.find((option) => option === typed);
}
