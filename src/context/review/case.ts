/** The case that a reviewing model decides: one JSON object, out of which nothing in it can break. */
import type { EventData, JsonObject, Segment, View } from '../../core/index.ts';

/** Characters of each thing that is told, and how many of the last replies. */
const inputShown = 3_000;
const textShown = 1_200;
const argumentsShown = 600;
const diffShown = 12_000;
const repliesShown = 3;

type Question = EventData['ask'];

export function caseText(view: View, question: Question): string {
  const { segments } = view.transcript;
  return JSON.stringify({
    user: wordsOf(segments),
    steps: segments.slice(-repliesShown).flatMap(stepsOf),
    workspace: view.session?.workspace,
    mode: view.setup?.mode,
    call: callOf(question),
  });
}

function callOf({ tool, question, command, effects, by, part, because, diff }: Question): object {
  const shownDiff = diff === undefined ? undefined : shortened(diff, diffShown);
  return { tool, call: question, command, effects, part, rule: by, because, diff: shownDiff };
}

/** What the user asked for at first, and what was said last. */
function wordsOf(segments: readonly Segment[]): string[] {
  const said = segments.flatMap(({ texts }) => texts.flatMap(({ from, text }) => (from === 'outside' ? [text] : [])));
  const chosen = said.length <= 3 ? said : [...said.slice(0, 1), ...said.slice(-2)];
  return chosen.map((text) => shortened(text, inputShown));
}

function stepsOf({ reply, calls }: Segment): object[] {
  const parts = reply?.parts ?? [];
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const said = text.trim() === '' ? [] : [{ agent: shortened(text, textShown) }];
  return [
    ...said,
    ...calls.map(({ name, arguments: args, result }) => ({
      called: name,
      arguments: shortened(JSON.stringify(args satisfies JsonObject), argumentsShown),
      ...(result !== undefined && { outcome: result.outcome, result: shortened(result.text, textShown) }),
    })),
  ];
}

/** Head and tail; what is left out is said. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)} [${text.length - 2 * half} characters left out] ${text.slice(-half)}`.toWellFormed();
}
