/** The case that a judge rules on: one JSON object, out of which nothing in it can break, without a word of the agent's own. */
import type { EventData, View } from '../../core/index.ts';

/** Characters of each thing that is told, and how many commands. */
const saidShown = 3_000;
const outputShown = 1_500;
const commandShown = 600;
const diffShown = 40_000;
const commandsShown = 12;

export function judgeCase(view: View, goal: string, diff: string): string {
  const { ledger } = view;
  return JSON.stringify({
    goal,
    user: ledger.task.said.map((text) => shortened(text, saidShown)),
    checks: [...ledger.evidence.values()].map(({ data }) => checkOf(data)),
    commands: commandsOf(view),
    changed: [...ledger.changedPaths].toSorted(),
    diff: shortened(diff, diffShown),
  });
}

function checkOf({ command, outcome, exit, output, advisory, redefined }: EventData['evidence']): object {
  return { command, outcome, exit, advisory, redefined, output: shortened(output.text, outputShown) };
}

function commandsOf({ ledger, transcript }: View): object[] {
  return ledger.task.commands.slice(-commandsShown).flatMap(({ call, exit }) => {
    const { verdict, arguments: written, result } = transcript.calls.get(call) ?? {};
    const command = (verdict?.arguments ?? written)?.['command'];
    if (typeof command !== 'string') return [];
    return [
      {
        command: shortened(command, commandShown),
        exit,
        output: (result?.text ?? '').slice(-outputShown).toWellFormed(),
      },
    ];
  });
}

/** Head and tail; what is left out is said. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)} [${text.length - 2 * half} characters left out] ${text.slice(-half)}`.toWellFormed();
}
