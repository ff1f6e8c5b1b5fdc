/** What a person reads at the end of a run: what changed, how it is proven, what it took, and how to look into it. */
import { isAbsolute, relative } from 'node:path';
import {
  plural,
  type ChangedFile,
  type OpenQuestion,
  type RunReport,
  type SpendingRow,
} from '../../../harness/index.ts';
import { clip, oneLine, pad, printable, widthOf } from '../printable.ts';
import { dollars, duration, tokens } from './amounts.ts';
import { questionText } from './question-lines.ts';
import type { Style } from './style.ts';

const labelWidth = 9;
const mostFiles = 20;
const mostDenials = 10;
const mostUnproven = 10;
const mostQuestions = 5;
const longestBar = 20;

/** An option as it was written, without its dashes; the value is empty where it takes none. */
export type GivenOption = readonly [name: string, value: string];

export interface Place {
  /** How Reins is called from here. */
  program: string;
  /** The options that the run was given: a session that goes on takes none of them over. */
  again: readonly GivenOption[];
  /** Where the report is. */
  file?: string;
}

/** The lines of the summary. */
export function summaryLines(report: RunReport, place: Place, style: Style): string[] {
  const { program, file } = place;
  const id = oneLine(report.session);
  return [
    headline(report, style),
    ...(report.wayOut === undefined ? [] : labelled('way out', [printable(report.wayOut)])),
    ...labelled('changed', changedLines(report, style)),
    ...labelled('checks', checkLines(report, style)),
    ...labelled('unproven', unprovenLines(report, style)),
    ...labelled('denied', callLines(report, 'denials')),
    ...labelled('skipped', callLines(report, 'skipped')),
    ...labelled('asked', questionLines(report, place, id)),
    ...labelled('used', usedLines(report)),
    ...labelled('session', [id, oneLine(report.log), `head ${report.head}`]),
    ...labelled('report', file === undefined ? [] : [oneLine(file)]),
    ...labelled('look', [`${program} log ${id}`]),
    ...labelled(
      'undo',
      report.undo === undefined ? [] : [oneLine(report.undo.command).replace(/^reins/, () => program)],
    ),
    ...(report.outcome !== 'completed' && report.resumable ? labelled('go on', [resumption(report, place, id)]) : []),
  ];
}

export function headline(outcome: RunReport, style: Style): string {
  const code = outcome.code === undefined ? '' : ` (${outcome.code})`;
  const paint = outcome.outcome === 'completed' ? style.good : style.bad;
  return `${paint(style.bold(`${outcome.outcome}${code}`))}: ${printable(outcome.detail)}`;
}

export function labelled(label: string, lines: string[]): string[] {
  return lines.map((line, index) => `  ${pad(index === 0 ? label : '', labelWidth)}${line}`);
}

/** All together; with a line for each model and purpose where there are several. */
export function usedLines(report: RunReport): string[] {
  const { turns, calls, spending } = report;
  const rows =
    spending.length < 2 ? [] : spending.map((row) => `${oneLine(row.model)}${purposeText(row)}: ${amounts(row)}`);
  return [`${plural(turns, 'turn')}, ${plural(calls, 'call')}, ${amounts(report)}`, ...rows];
}

function purposeText({ purpose }: SpendingRow): string {
  return purpose === 'conversation' ? '' : ` (${purpose})`;
}

function amounts({ usage, cost, estimated }: Pick<RunReport, 'usage' | 'cost' | 'estimated'>): string {
  const guessed = estimated === undefined ? '' : ` (of that ~${dollars(estimated)} estimated)`;
  return `${tokens(usage)}, ${cost === undefined ? 'cost unknown' : `${dollars(cost)}${guessed}`}`;
}

/** A file with its changed lines, where they can be told. */
function changedLines({ changed, more, workspace }: RunReport, style: Style): string[] {
  const shown = changed.slice(0, mostFiles).map((file) => {
    return { name: clip(oneLine(shortened(file.path, workspace)), Math.max(20, style.width - 45)), file };
  });
  const nameWidth = Math.max(0, ...shown.map(({ name }) => widthOf(name)));
  const lines = shown.map(({ name, file }) => {
    const said = [...bar(file, style), ...(file.change === 'modified' ? [] : [changeWords[file.change]])];
    return said.length === 0 ? name : `${pad(name, nameWidth)} | ${said.join(' ')}`;
  });
  return andMore(lines, changed.length - shown.length + (more['changed'] ?? 0));
}

const changeWords = { created: 'new', deleted: 'deleted', none: 'as it was' };

function andMore(lines: string[], more: number): string[] {
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** Relative to the workspace where it is inside. */
function shortened(path: string, workspace: string): string {
  const inside = isAbsolute(path) && workspace !== '' ? relative(workspace, path) : '..';
  return inside === '..' || inside.startsWith('../') ? path : inside;
}

function bar({ added, removed }: ChangedFile, style: Style): string[] {
  if (added === undefined || removed === undefined) return [];
  const scale = Math.min(1, longestBar / Math.max(1, added + removed));
  const marks = (count: number, mark: string) => mark.repeat(count === 0 ? 0 : Math.max(1, Math.floor(count * scale)));
  return [`+${added} -${removed} ${style.good(marks(added, '+'))}${style.bad(marks(removed, '-'))}`.trimEnd()];
}

export function checkLines(report: RunReport, style: Style): string[] {
  const lines = report.evidence.map(({ command, passed, fresh, advisory, outcome: how, elapsed }) => {
    const mark = passed ? style.good('✓') : advisory === true ? style.warn('!') : style.bad('✗');
    const said = [
      passed ? 'passed' : how,
      ...(advisory === true ? ['advisory'] : []),
      ...(fresh ? [] : ['before a later change']),
    ];
    return `${mark} ${clip(oneLine(command), Math.max(20, style.width - 50))} ${said.join(', ')} (${duration(elapsed)})`;
  });
  if (report.checksWaived) return [report.changed.length === 0 ? 'waived' : 'waived: what changed is not proven'];
  return [...lines, ...ownCheckLines(report, style), ...redefinedLines(report, style)];
}

/** What the model's own commands prove, where they had to. */
function ownCheckLines({ ownChecks }: RunReport, style: Style): string[] {
  if (ownChecks === undefined) return [];
  if (!ownChecks.proves) return [`${style.bad('✗')} nothing the model ran proves it: ${oneLine(ownChecks.why)}`];
  const room = Math.max(20, style.width - 50);
  return ownChecks.commands.map(
    ({ command }) => `${style.good('✓')} ${clip(oneLine(command), room)} passed, run by the model`,
  );
}

/** What defines a check and isn't what it was. */
function redefinedLines({ evidence, ownChecks }: RunReport, style: Style): string[] {
  const all = [...evidence.flatMap(({ redefined = [] }) => redefined), ...(ownChecks?.redefined ?? [])];
  const texts = all.map(({ path, how }) => oneLine(how === undefined ? path : `${path} (${how})`));
  const lines = [...new Set(texts)].map((text) => `${style.warn('!')} changed in this run: ${text}`);
  return andMore(lines.slice(0, mostUnproven), lines.length - mostUnproven);
}

/** What changed and no check has looked at. */
export function unprovenLines({ changed, unchecked = [], unrun, more, workspace }: RunReport, style: Style): string[] {
  if (changed.length === 0) return [];
  const room = Math.max(20, style.width - 30);
  const paths = unchecked.slice(0, mostUnproven).map((path) => clip(oneLine(shortened(path, workspace)), room));
  const left = unchecked.length - paths.length + (more['unchecked'] ?? 0);
  const checks = unrun.slice(0, mostUnproven).map((command) => `${clip(oneLine(command), room)} has not run`);
  return andMore([...andMore(paths, left), ...checks], unrun.length - checks.length + (more['unrun'] ?? 0));
}

/** Refused calls with the rule, others with what came of them. */
export function callLines(report: RunReport, list: 'denials' | 'skipped'): string[] {
  const all = report[list];
  const lines = all.slice(0, mostDenials).map((call) => {
    const which = call.tool === '' ? 'a call' : call.tool;
    const about = call.what === '' ? '' : ` ${clip(oneLine(call.what), 60)}`;
    return oneLine(
      'by' in call ? `${which}${about}: ${call.reason} (${call.by})` : `${which}${about}: ${call.outcome}`,
    );
  });
  return andMore(lines, all.length - lines.length + (report.more[list] ?? 0));
}

/** Each question that waits, and how it is answered. */
function questionLines({ questions = [] }: RunReport, { program }: Place, id: string): string[] {
  const lines = questions.slice(0, mostQuestions).flatMap((question) => {
    const why = question.because === undefined ? '' : ` (${oneLine(question.because)})`;
    const which = questions.length === 1 ? '' : ` --ask ${question.id}`;
    const yes = question.command === undefined ? ' yes (or no)' : ' yes (no, edit)';
    const answer = question.options === undefined ? yes : ' --choice TEXT';
    if (question.plan !== undefined) return planLines(question.plan, `${program} answer ${id}${which}`);
    const first = questionText(question).split('\n')[0] ?? '';
    return [`${first}${why}`, `${program} answer ${id}${which}${answer}`];
  });
  return andMore(lines, questions.length - mostQuestions);
}

/** The plan itself is the answer of the run. */
function planLines({ file, modes: [careful, ...others] }: NonNullable<OpenQuestion['plan']>, answer: string): string[] {
  return [
    `the plan, in ${oneLine(file)}`,
    `${answer} yes --mode ${careful} (or ${others.join(', ')})`,
    `${answer} no --reason "what to change" (or no alone: rejected)`,
  ];
}

function resumption(outcome: RunReport, { program, again }: Place, id: string): string {
  const raised: { [code: string]: string } = {
    'limit-turns': 'max-turns N',
    'limit-calls': 'max-calls N',
    'limit-minutes': 'max-minutes N',
    'limit-cost': 'max-cost DOLLARS',
    'cut-replies': 'max-output-tokens N',
    'checks-missing': 'check "command"',
  };
  const other = raised[outcome.code ?? ''];
  // A plan that is accepted goes on in the mode of the answer.
  const isPlan = outcome.questions?.some(({ plan }) => plan !== undefined) === true;
  const kept = again.filter(([name]) => other?.startsWith(`${name} `) !== true && !(isPlan && name === 'mode'));
  const run = `${program} resume ${id}${kept.map(optionText).join('')}`;
  if (outcome.outcome === 'waiting') return `${program} answer ${id} yes (or no), then ${run}`;
  return other === undefined ? run : `${run} --${other}`;
}

/** As it is written behind others, with the blank before it. */
export function optionText([name, value]: GivenOption): string {
  return value === '' ? ` --${name}` : ` --${name} ${quoted(value)}`;
}

/** A word for the shell, as it was meant. */
function quoted(word: string): string {
  const shown = oneLine(word);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}
