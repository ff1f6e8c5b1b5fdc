/** What came of a rehearsal, as a table for people. */
import { plural, type Rehearsal } from '../../../harness/index.ts';
import { clip, oneLine } from '../printable.ts';
import { callTarget } from './call-target.ts';
import type { Style } from './style.ts';
import { nothing, tableLines } from './table.ts';

type Call = Rehearsal['calls'][number];

export function rehearsalLines(rehearsal: Rehearsal, style: Style, program: string): string[] {
  const { notes, calls, checks, kept } = rehearsal;
  return [
    headline(rehearsal),
    ...notes.map((note) => style.warn(`! ${oneLine(note)}`)),
    ...(calls.length === 0 ? [] : ['', ...callLines(calls, style)]),
    ...(checks.length === 0 ? [] : ['', ...checkLines(checks, style)]),
    '',
    ...changeLines(rehearsal),
    ...setupLines(rehearsal),
    ...stopLines(rehearsal, style),
    '',
    ...verdictLines(rehearsal, style),
    ...(kept === undefined ? [] : ['', ...keptLines(kept, program)]),
  ];
}

function headline({ session, workspace, model, commit }: Rehearsal): string {
  const from = commit === null ? '' : ` at commit ${commit.slice(0, 12)}`;
  return oneLine(`rehearsal of session ${session} (${model}), in a copy of ${workspace}${from}`);
}

function callLines(calls: readonly Call[], style: Style): string[] {
  const rows = calls.map((call) => [
    `  ${call.turn}.${call.call} ${oneLine(call.tool)} ${callTarget(call.arguments)}`,
    pairText(call.verdict),
    pairText(call.outcome),
    resultText(call),
  ]);
  const [head = '', ...lines] = tableLines([['call', 'verdict', 'outcome', 'result'], ...rows], style.width);
  const marked = lines.flatMap((line, at) => {
    const differs = calls[at]?.differs ?? [];
    const why = differs.map((what) => style.bad(clip(`      ${oneLine(what)}`, style.width)));
    return [differs.length === 0 ? line : style.bad(line), ...why];
  });
  return [style.dim(head), ...marked];
}

/** One word where both sides say the same. */
function pairText({ recorded, now }: { recorded?: string; now?: string }): string {
  if (recorded === now) return recorded === undefined ? nothing : oneLine(recorded);
  return oneLine(`${recorded ?? nothing} → ${now ?? nothing}`);
}

function resultText({ line, outcome }: Call): string {
  if (line !== undefined) return `line ${line.number} differs`;
  return outcome.recorded === undefined || outcome.now === undefined ? nothing : 'same';
}

function checkLines(checks: Rehearsal['checks'], style: Style): string[] {
  return checks.map((check) => {
    const text = clip(`check ${oneLine(check.command)}: ${pairText(check)}`, style.width);
    return check.recorded === check.now ? text : style.bad(text);
  });
}

function changeLines({ changed: { same, onlyRecorded, onlyNow, otherContent } }: Rehearsal): string[] {
  const groups: [string, string[]][] = [
    ['changed alike', same],
    ['changed only then', onlyRecorded],
    ['changed only now', onlyNow],
    ['changed to other content', otherContent],
  ];
  const lines = groups
    .filter(([, paths]) => paths.length > 0)
    .map(([what, paths]) => oneLine(`${what}: ${paths.join(', ')}`));
  return lines.length === 0 ? ['no file changed'] : lines;
}

/** No difference in what was done, but mostly where one comes from. */
function setupLines({ setup: { prompt, tools } }: Rehearsal): string[] {
  const names = (what: string, list: string[]): string[] => (list.length === 0 ? [] : [`${what} ${list.join(', ')}`]);
  const changes = [
    ...(prompt === 'same' ? [] : ['the prompt']),
    ...names('new tools', tools.added),
    ...names('no longer', tools.removed),
    ...names('changed tools', tools.changed),
  ];
  return changes.length === 0 ? [] : [oneLine(`other than then: ${changes.join('; ')}`)];
}

function stopLines({ stops }: Rehearsal, style: Style): string[] {
  return stops.map((stop) => {
    const text = `end: ${pairText(stop)}`;
    return stop.recorded === stop.now ? text : style.bad(`${text}: ${oneLine(stop.detail)}`);
  });
}

function verdictLines({ same, differences }: Rehearsal, style: Style): string[] {
  if (same) return [style.good('Nothing differs.')];
  return [
    style.bad(`${plural(differences.length, 'difference')}:`),
    ...differences.map((each) => `  ${oneLine(each)}`),
  ];
}

function keptLines({ folder, scenario, session }: NonNullable<Rehearsal['kept']>, program: string): string[] {
  const log = session === undefined ? [] : [`  XDG_STATE_HOME=${folder}/state ${program} log ${session}`];
  return [`kept in ${folder}:`, ...log, `  ${program} run --model script:${scenario} ...`].map(oneLineButIndented);
}

function oneLineButIndented(text: string): string {
  return `${/^ */.exec(text)?.[0] ?? ''}${oneLine(text)}`;
}
