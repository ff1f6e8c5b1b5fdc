/** What must hold of every run of the command line, whatever its case: exit code, standard output, JSON lines (docs/cli.md). */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { errorCatalogue } from '../../src/core/index.ts';
import type { Damage, Event } from '../../src/harness/index.ts';
import { shown } from './scenario-match.ts';
import type { Output, RunExpectation } from './scenario-schema.ts';
import type { Ran } from './scenario-types.ts';

type Line = { [name: string]: unknown; type?: unknown; kind?: unknown };

/** Exit codes by outcome, as the page for users has them. */
const documented = readDocumented();

function readDocumented(): Map<string, number[]> {
  const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| ([\d, ]+) \| `(\w+)` \|/gm)];
  return new Map(rows.map(([, codes = '', name = '']) => [name, codes.split(',').map(Number)]));
}

/** Which outcome, exit code and error code belong together. */
export function endingProblems(exit: number | null, outcome: string | undefined, code: string | undefined): string[] {
  const codes = documented.get(outcome ?? '');
  return [
    ...(codes === undefined ? [`the outcome ${outcome} is in no documentation`] : []),
    ...(codes !== undefined && !codes.includes(exit ?? -1) ? [`the outcome ${outcome} has the exit code ${exit}`] : []),
    ...(code !== undefined && !(code in errorCatalogue) ? [`the code ${code} is in no catalogue`] : []),
  ];
}

export function outputProblems(ran: Ran, expected: RunExpectation, output: Output): string[] {
  if (expected.killed === true) return [];
  const escapes = [ran.out, ran.err].some((text) => text.includes('\u001b'));
  const common = [
    ...(ran.signal === null ? [] : [`it was ended by ${ran.signal}`]),
    ...(escapes ? ['it wrote control sequences, and no terminal is there'] : []),
    ...(ran.exit !== 0 && ran.err.trim() === '' ? ['it failed and says nothing on standard error'] : []),
    ...endingProblems(ran.exit, expected.outcome, expected.code),
  ];
  return [...common, ...(output === 'text' ? textProblems(ran, expected) : jsonProblems(ran, expected, output))];
}

/** Standard output is the answer and nothing else. */
function textProblems({ out }: Ran, { answer }: RunExpectation): string[] {
  const wanted = answer == null ? '' : `${answer}\n`;
  return out === wanted ? [] : [`standard output is ${shown(out)}, not ${shown(wanted)}`];
}

function jsonProblems(ran: Ran, { outcome, code, answer }: RunExpectation, output: Output): string[] {
  const lines = parsed(ran.out);
  if (typeof lines === 'string') return [lines];
  const last = lines.at(-1);
  const said = { type: last?.type, outcome: last?.['outcome'], exit: last?.['exit'], code: last?.['code'] };
  const wanted = { type: 'outcome', outcome, exit: ran.exit, code };
  const allowed = output === 'deltas' ? ['event', 'delta'] : ['event'];
  const foreign = lines.slice(0, -1).filter(({ type }) => !allowed.includes(String(type)));
  const failed = ran.exit !== 0;
  return [
    ...(isDeepStrictEqual(said, wanted) ? [] : [`the last line says ${shown(said)}, not ${shown(wanted)}`]),
    ...((last?.['answer'] ?? null) === (answer ?? null)
      ? []
      : [`the answer is ${shown(last?.['answer'])}, not ${shown(answer)}`]),
    ...(failed && !hasWords(last?.['detail']) ? ['it failed, and the last line gives no cause'] : []),
    ...(lines[0]?.['version'] === 1 && last?.['version'] === 1 ? [] : ['the first or the last line has no version']),
    ...foreign.map((line) => `there is a line of another type: ${shown(line)}`),
    ...eventProblems(lines, ran.items),
    ...(output === 'deltas' ? deltaProblems(lines) : []),
  ];
}

const hasWords = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** Every line is JSON by itself, the last one ends too, and nothing stands between them. */
function parsed(out: string): Line[] | string {
  if (!out.endsWith('\n')) return `standard output ends in the middle of a line: ${shown(out.slice(-200))}`;
  const lines: Line[] = [];
  for (const line of out.slice(0, -1).split('\n')) {
    try {
      lines.push(JSON.parse(line) as Line);
    } catch {
      return `standard output has a line that isn’t JSON: ${shown(line)}`;
    }
  }
  return lines;
}

/** The events are those of the log, in its order. */
function eventProblems(lines: Line[], items: Ran['items']): string[] {
  const written = lines.filter(({ type }) => type === 'event').map(({ type: _, version: __, ...event }) => event);
  const recorded = items.filter((item): item is Event => !isDamage(item)).map(plain);
  if (isDeepStrictEqual(written, recorded)) return [];
  const at = recorded.findIndex((event, index) => !isDeepStrictEqual(event, written[index]));
  const what = `${written.length} events were written and ${recorded.length} recorded`;
  return [`${what}; the first that differs is ${shown(written[Math.max(0, at)])}, recorded ${shown(recorded[at])}`];
}

function plain({ id, parent, at, kind, data }: Event): object {
  return { id, parent, at, kind, data };
}

const isDamage = (item: Event | Damage): item is Damage => 'damage' in item;

/** The text of an attempt that failed is taken back by name, and what was told of a reply is the reply. */
function deltaProblems(lines: Line[]): string[] {
  const told = new Map<unknown, string>();
  const failed: unknown[] = [];
  const problems: string[] = [];
  for (const line of lines) {
    const { type, kind, request } = line;
    const data = (line['data'] ?? {}) as { request?: unknown; parts?: { type: string; text?: string }[] };
    if (type === 'delta' && kind === 'text') told.set(request, (told.get(request) ?? '') + String(line['text']));
    if (type === 'delta' && kind === 'void') told.delete(request);
    if (type !== 'event') continue;
    if (kind === 'failure') failed.push(data.request);
    if (kind !== 'reply') continue;
    const text = (data.parts ?? []).map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
    if ((told.get(data.request) ?? '') !== text) problems.push(`the deltas of ${shown(data.request)} aren’t its text`);
  }
  return [
    ...problems,
    ...failed
      .filter((request) => told.has(request))
      .map((request) => `text of a failed attempt stands: ${shown(request)}`),
  ];
}
