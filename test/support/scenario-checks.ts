/** What must hold after every run and every case, besides what the case says. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openReader } from '../../src/harness/index.ts';
import { assertRebuilt } from './rebuilt.ts';
import { readTree, treeProblems } from './scenario-files.ts';
import { mismatch, missingInOrder, shown } from './scenario-match.ts';
import { endingProblems, outputProblems } from './scenario-output.ts';
import type { RunExpectation, Variant } from './scenario-schema.ts';
import type { LoadedCase, Place, Ran } from './scenario-types.ts';

/** What is wrong with a run, in words. */
export function runProblems(ran: Ran, { through, output }: LoadedCase): string[] {
  const { expect } = ran.spec;
  const program = through === 'program';
  return [
    ...(program ? outputProblems(ran, expect, output) : endingProblems(ran.exit, expect.outcome, expect.code)),
    ...(program && output === 'text' ? spokenProblems(ran, expect) : outcomeProblems(ran, expect)),
    ...eventProblems(ran, expect),
    ...requestProblems(ran, expect),
    ...ran.undone.map((moment) => `this moment never came: ${moment}`),
    ...ran.alive.map((process) => `a process lives on: ${process}`),
    ...(expect.within !== undefined && ran.elapsed > expect.within ? [`it took ${Math.round(ran.elapsed)} ms`] : []),
  ];
}

/** Without JSON the exit code and the words for people are all there is. */
function spokenProblems(
  { exit, err, items }: Ran,
  { exit: wanted, killed, code, stderr = [] }: RunExpectation,
): string[] {
  const stop = items.findLast((item) => 'kind' in item && item.kind === 'stop');
  const recorded = stop !== undefined && 'data' in stop ? (stop.data as { code?: string }).code : code;
  return [
    ...(exit === (killed === true ? null : wanted) ? [] : [`the exit code is ${exit}, not ${wanted}: ${shown(err)}`]),
    ...(recorded === code ? [] : [`the record says ${recorded}, not ${code}`]),
    ...stderr.filter((text) => !err.includes(text)).map((text) => `standard error lacks ${shown(text)}: ${shown(err)}`),
  ];
}

function outcomeProblems(ran: Ran, expected: RunExpectation): string[] {
  const { exit, outcome, code, detail, answer, changed, denials, killed, stderr = [] } = expected;
  if (killed === true) return ran.exit === null ? [] : [`it ended by itself, with ${ran.exit}`];
  const pattern = {
    ...(outcome !== 'usage' && { outcome }),
    exit,
    code: code ?? { $absent: true },
    ...(detail !== undefined && { detail: { $contains: detail } }),
    ...(answer !== undefined && { answer: answer ?? { $absent: true } }),
    ...(changed !== undefined && { changed: changed.map((path) => ({ $ends: path })) }),
    ...(denials !== undefined && { denials: { $size: denials } }),
  };
  const wrong = mismatch(pattern, ran.outcome, 'outcome');
  return [
    ...(wrong === undefined ? [] : [`${wrong} in ${shown(ran.outcome)}`]),
    ...(ran.exit === exit ? [] : [`the exit code is ${ran.exit}, not ${exit}: ${shown(ran.err)}`]),
    ...stderr
      .filter((text) => !ran.err.includes(text))
      .map((text) => `standard error lacks ${shown(text)}: ${shown(ran.err)}`),
  ];
}

function eventProblems({ items }: Ran, expected: RunExpectation): string[] {
  const { events = [], never = [], counts = [], notices } = expected;
  const missing = missingInOrder(events, items);
  const fitting = (pattern: unknown) => items.filter((item) => mismatch(pattern, item) === undefined);
  const codes = items.flatMap((item) => ('kind' in item && item.kind === 'notice' ? [item.data.code] : []));
  return [
    ...(missing === undefined ? [] : [missing]),
    ...never.flatMap((pattern) => fitting(pattern).map((item) => `this should not have come: ${shown(item)}`)),
    ...counts.flatMap(({ of, is }) => {
      const found = fitting(of).length;
      return found === is ? [] : [`${found} events and not ${is} fit ${shown(of)}`];
    }),
    ...(notices === undefined
      ? []
      : notices
          .filter((code) => !codes.includes(code))
          .map((code) => `there is no notice ${code}, but ${codes.join(', ')}`)),
  ];
}

function requestProblems({ requests }: Ran, { requests: wanted, pauses = [] }: RunExpectation): string[] {
  const taken = pauses.map((_, index) => (requests[index + 1]?.at ?? 0) - (requests[index]?.at ?? 0));
  return [
    ...(wanted === undefined || requests.length === wanted ? [] : [`${requests.length} requests came, not ${wanted}`]),
    ...pauses.flatMap((least, index) => {
      return (taken[index] ?? 0) >= least ? [] : [`pause ${index + 1} was ${taken[index]} ms, not ${least}`];
    }),
  ];
}

/** What is wrong with the record and with what is left behind, once all runs are over. */
export async function placeProblems(loaded: LoadedCase, place: Place, runs: readonly Ran[]): Promise<string[]> {
  const { expect = {} } = loaded.filled(place.values);
  return [
    ...refusalProblems(place, expect),
    ...(await recordProblems(place, runs, expect)),
    ...fileProblems(loaded, place, expect, runs),
  ];
}

type CaseExpectation = NonNullable<Variant['expect']>;

function refusalProblems({ server }: Place, { refused = [] }: CaseExpectation): string[] {
  const { refusals } = server;
  const fits =
    refusals.length === refused.length && refusals.every(({ message }, at) => message.includes(refused[at] ?? ''));
  return fits ? [] : [`the provider refused ${shown(refusals)}, not ${shown(refused)}`];
}

/** The chain holds, and every request that the provider received is put together again from the log, byte for byte. */
async function recordProblems(
  place: Place,
  runs: readonly Ran[],
  { findings = [] }: CaseExpectation,
): Promise<string[]> {
  const id = runs.findLast(({ session }) => session !== undefined)?.session;
  if (id === undefined) return place.server.requests.length === 0 ? [] : ['requests came, and there is no session'];
  const reader = await openReader(place.environment, id);
  const head = runs.at(-1)?.outcome?.head;
  const { problems, given } = await reader.verify(head);
  const fits =
    problems.length === findings.length && problems.every(({ what }, at) => what.includes(findings[at] ?? ''));
  await assertRebuilt(place.server, reader, { damaged: findings.length > 0 });
  return [
    ...(fits ? [] : [`the log has the findings ${shown(problems)}, not ${shown(findings)}`]),
    ...(head === undefined || given?.after === 0 ? [] : [`the head that was told is not the log’s: ${shown(given)}`]),
  ];
}

/** Nothing was changed but what the case says: not in the workspace, not in the home, not beside them. */
function fileProblems(
  { folder }: LoadedCase,
  place: Place,
  { files = {}, home = {} }: CaseExpectation,
  runs: readonly Ran[],
): string[] {
  const after = place.look();
  const wanted = join(folder, 'expected');
  const before = existsSync(wanted) ? readTree(wanted) : place.before.workspace;
  // Who is killed leaves its temporary files behind.
  const killed = runs.some(({ spec }) => spec.expect.killed === true);
  const outside = killed ? [] : treeProblems(place.before.outside, after.outside, {});
  return [
    ...treeProblems(before, after.workspace, files).map((problem) => `workspace: ${problem}`),
    ...treeProblems(place.before.home, after.home, home).map((problem) => `home: ${problem}`),
    ...outside.map((problem) => `outside: ${problem}`),
  ];
}
