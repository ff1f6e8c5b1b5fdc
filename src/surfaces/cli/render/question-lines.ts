/** A question about a call as people read it: the call, what it would do, what made it a question, and the diff. */
import type { EventData } from '../../../harness/index.ts';
import { oneLine, printable } from '../printable.ts';
import type { Style } from './style.ts';

type Question = EventData['ask'];

/** The lines below the first one that names the call; empty for a question that has nothing more to say. */
export function detailLines({ effects, by, part, because, diff, plan }: Question, style: Style): string[] {
  return [
    ...(plan === undefined ? [] : ['', ...printable(plan.text).split('\n'), '']),
    ...(effects === undefined || effects.length === 0 ? [] : [`would: ${effects.map(oneLine).join(', ')}`]),
    ...(part === undefined ? [] : [`part: ${oneLine(part)}`]),
    ...(because === undefined
      ? []
      : [`asked because ${oneLine(because)}${by === undefined ? '' : ` (${oneLine(by)})`}`]),
    ...(diff === undefined ? [] : diffLines(diff, style)),
  ];
}

/** The question itself. Of a file tool the diff says better what its call would do than the call's own words. */
export function questionText({ tool, question, diff }: Question): string {
  const text = question.startsWith(tool) ? question : `${tool}: ${question}`;
  return printable(diff === undefined ? text : (text.split('\n')[0] ?? text)).trim();
}

function diffLines(diff: string, style: Style): string[] {
  return printable(diff)
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => painted(line, style));
}

function painted(line: string, style: Style): string {
  if (/^(diff --git |--- |\+\+\+ )/.test(line)) return style.bold(line);
  if (line.startsWith('@@')) return style.dim(line);
  if (line.startsWith('+')) return style.good(line);
  return line.startsWith('-') ? style.bad(line) : line;
}
