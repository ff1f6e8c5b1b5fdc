/** Cuts the output of a failing check to what matters: what failed, where, what is said of it, and how the output ends. */
import type { CheckFinding } from '../../core/index.ts';
import { failuresIn, linesOf, type Failure } from './find.ts';

const mostFindings = 20;
/** Characters of what is shown, of the list in it and of the end of the output. */
const mostShown = 5000;
const mostListed = 3000;
const mostOfEnd = 1000;
/** Lines of one failure, and of the end. */
const mostLines = 20;
const endLines = 6;

export interface CutOutput {
  findings: CheckFinding[];
  text: string;
}

/** Undefined where the output is of no kind that is known: then its head and tail must do. */
export function cutToFailures(output: string): CutOutput | undefined {
  const lines = linesOf(output);
  const failures = failuresIn(lines);
  if (failures.length === 0) return undefined;
  const shown = failures.slice(0, mostFindings);
  const findings = shown.map(({ finding }) => finding);
  const end = lines
    .slice(-endLines - 1)
    .join('\n')
    .slice(-mostOfEnd)
    .trim();
  const list = listOf(findings, failures.length);
  return { findings, text: [list, ...blocks(shown, lines, mostShown - list.length - end.length), end].join('\n\n') };
}

/** Each by its place, as far as there is room; all are counted. */
function listOf(findings: readonly CheckFinding[], all: number): string {
  const lines: string[] = [];
  let size = 0;
  for (const finding of findings) {
    const line = `- ${placeOf(finding)}${finding.text}`;
    size += line.length;
    if (size > mostListed) break;
    lines.push(line);
  }
  return [...lines, ...(all > lines.length ? [`- and ${all - lines.length} more`] : [])].join('\n');
}

function placeOf({ file, line, column }: CheckFinding): string {
  if (file === undefined) return '';
  return `${[file, line, column].filter((part) => part !== undefined).join(':')}: `;
}

/** What is said of each failure, as long as there is room for all of it. */
function blocks(failures: readonly Failure[], lines: readonly string[], room: number): string[] {
  const taken: string[] = [];
  let left = room;
  for (const { from, to, isBlock } of failures) {
    if (!isBlock) continue;
    const block = lines
      .slice(from, Math.min(to, from + mostLines))
      .join('\n')
      .trimEnd();
    left -= block.length;
    if (left < 0) break;
    taken.push(block);
  }
  return taken;
}
