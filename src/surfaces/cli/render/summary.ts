/** What a person reads at the end of a run: what changed, how it is proven, what it took, and how to look into it. */
import { isAbsolute, relative } from 'node:path';
import type { OpenQuestion, RunOutcome, RunSettings } from '../../../harness/index.ts';
import { clip, oneLine, pad, printable, widthOf } from '../printable.ts';
import { dollars, plural, tokens } from './amounts.ts';
import { diffstat, type FileChange } from './diffstat.ts';
import { questionText } from './question-lines.ts';
import type { Style } from './style.ts';

const labelWidth = 9;
const mostFiles = 20;
const mostDenials = 10;
const mostQuestions = 5;
const longestBar = 20;

export interface Place {
  workspace: string;
  /** Unified diff of the workspace; empty where there is no Git. */
  diff: string;
  /** How Reins is called from here. */
  program: string;
  /** What the run was given: a session that goes on takes none of it over. */
  settings: RunSettings;
}

/** The lines of the summary. */
export function summaryLines(outcome: RunOutcome, place: Place, style: Style): string[] {
  const id = oneLine(outcome.session);
  return [
    headline(outcome, style),
    ...(outcome.wayOut === undefined ? [] : labelled('way out', [printable(outcome.wayOut)])),
    ...labelled('changed', changedLines(outcome.changed, place, style)),
    ...labelled('checks', checkLines(outcome, style)),
    ...labelled('denied', denialLines(outcome.denials)),
    ...labelled('asked', questionLines(outcome, place, id)),
    ...labelled('used', [`${plural(outcome.turns, 'turn')}, ${plural(outcome.calls, 'call')}, ${spending(outcome)}`]),
    ...labelled('session', [id, oneLine(outcome.log), `head ${outcome.head}`]),
    ...labelled('look', [`${place.program} log ${id}`]),
    ...(outcome.outcome !== 'completed' && outcome.resumable
      ? labelled('go on', [resumption(outcome, place, id)])
      : []),
  ];
}

function headline(outcome: RunOutcome, style: Style): string {
  const code = outcome.code === undefined ? '' : ` (${outcome.code})`;
  const paint = outcome.outcome === 'completed' ? style.good : style.bad;
  return `${paint(style.bold(`${outcome.outcome}${code}`))}: ${printable(outcome.detail)}`;
}

function labelled(label: string, lines: string[]): string[] {
  return lines.map((line, index) => `  ${pad(index === 0 ? label : '', labelWidth)}${line}`);
}

function spending(outcome: RunOutcome): string {
  const estimated = outcome.estimated === undefined ? '' : ` (of that ~${dollars(outcome.estimated)} estimated)`;
  const cost = outcome.cost === undefined ? 'cost unknown' : `${dollars(outcome.cost)}${estimated}`;
  return `${tokens(outcome.usage)}, ${cost}`;
}

/** A file with its changed lines, where the diff tells them: it says what differs from the commit, whoever changed it. */
function changedLines(changed: string[], { workspace, diff }: Place, style: Style): string[] {
  const stats = new Map(diffstat(diff).map((change) => [change.path, change]));
  const paths = [...new Set(changed.map((path) => shortened(path, workspace)))].toSorted();
  const shown = paths.slice(0, mostFiles).map((short) => {
    return { name: clip(oneLine(short), Math.max(20, style.width - 45)), change: stats.get(short) };
  });
  const nameWidth = Math.max(0, ...shown.map(({ name }) => widthOf(name)));
  const lines = shown.map(({ name, change }) =>
    change === undefined ? name : `${pad(name, nameWidth)} ${bar(change, style)}`,
  );
  return paths.length > mostFiles ? [...lines, `and ${paths.length - mostFiles} more`] : lines;
}

/** Relative to the workspace where it is inside. */
function shortened(path: string, workspace: string): string {
  const inside = isAbsolute(path) ? relative(workspace, path) : '..';
  return inside === '..' || inside.startsWith('../') ? path : inside;
}

function bar({ added, removed, isBinary }: FileChange, style: Style): string {
  if (isBinary) return '| binary';
  const scale = Math.min(1, longestBar / Math.max(1, added + removed));
  const marks = (count: number, mark: string) => mark.repeat(count === 0 ? 0 : Math.max(1, Math.floor(count * scale)));
  return `| +${added} -${removed} ${style.good(marks(added, '+'))}${style.bad(marks(removed, '-'))}`.trimEnd();
}

function checkLines(outcome: RunOutcome, style: Style): string[] {
  const lines = outcome.evidence.map(({ command, passed, fresh, advisory, outcome: how }) => {
    const mark = passed ? style.good('✓') : advisory === true ? style.warn('!') : style.bad('✗');
    const said = [
      passed ? 'passed' : how,
      ...(advisory === true ? ['advisory'] : []),
      ...(fresh ? [] : ['before a later change']),
    ];
    return `${mark} ${clip(oneLine(command), Math.max(20, style.width - 50))} ${said.join(', ')}`;
  });
  if (outcome.checksWaived) return [outcome.changed.length === 0 ? 'waived' : 'waived: what changed is not proven'];
  return lines;
}

function denialLines(denials: RunOutcome['denials']): string[] {
  const lines = denials
    .slice(0, mostDenials)
    .map(({ tool, by, reason }) => oneLine(`${tool === '' ? 'a call' : tool}: ${reason} (${by})`));
  return denials.length > mostDenials ? [...lines, `and ${denials.length - mostDenials} more`] : lines;
}

/** Each question that waits, and how it is answered. */
function questionLines({ questions = [] }: RunOutcome, { program }: Place, id: string): string[] {
  const lines = questions.slice(0, mostQuestions).flatMap((question) => {
    const why = question.because === undefined ? '' : ` (${oneLine(question.because)})`;
    const which = questions.length === 1 ? '' : ` --ask ${question.id}`;
    const yes = question.command === undefined ? ' yes (or no)' : ' yes (no, edit)';
    const answer = question.options === undefined ? yes : ' --choice TEXT';
    if (question.plan !== undefined) return planLines(question.plan, `${program} answer ${id}${which}`);
    const first = questionText(question).split('\n')[0] ?? '';
    return [`${first}${why}`, `${program} answer ${id}${which}${answer}`];
  });
  return questions.length > mostQuestions ? [...lines, `and ${questions.length - mostQuestions} more`] : lines;
}

/** The plan itself is the answer of the run. */
function planLines({ file, modes: [careful, ...others] }: NonNullable<OpenQuestion['plan']>, answer: string): string[] {
  return [
    `the plan, in ${oneLine(file)}`,
    `${answer} yes --mode ${careful} (or ${others.join(', ')})`,
    `${answer} no --reason "what to change" (or no alone: rejected)`,
  ];
}

function resumption(outcome: RunOutcome, { program, settings }: Place, id: string): string {
  const raised: { [code: string]: string } = {
    'limit-turns': ' --max-turns N',
    'limit-calls': ' --max-calls N',
    'limit-minutes': ' --max-minutes N',
    'limit-cost': ' --max-cost DOLLARS',
    'cut-replies': ' --max-output-tokens N',
    'checks-missing': ' --check "command"',
  };
  const run = `${program} resume ${id}${givenAgain(settings)}`;
  if (outcome.outcome === 'waiting') return `${program} answer ${id} yes (or no), then ${run}`;
  return `${run}${raised[outcome.code ?? ''] ?? ''}`;
}

/** The options of the run that shape the next one just as well. */
function givenAgain(settings: RunSettings): string {
  const { checks, tools, settingsFrom, allow = [], deny = [] } = settings;
  const single = (['profile', 'model', 'effort', 'thinking', 'temperature', 'mode'] as const).flatMap(
    (name): [string, string][] => {
      const value = settings[name];
      return value === undefined ? [] : [[`--${name}`, String(value)]];
    },
  );
  const options: [string, string][] = [
    ...single,
    ...(tools === undefined ? [] : [['--tools', tools.join(',')] as [string, string]]),
    ...(settingsFrom === undefined ? [] : [['--settings-from', settingsFrom] as [string, string]]),
    ...(checks === 'waived' ? ['none'] : (checks ?? [])).map((check): [string, string] => ['--check', check]),
    ...(settings.allowTestChanges === true ? ['--allow-test-changes'] : []).map((flag): [string, string] => [flag, '']),
    ...allow.map((shape): [string, string] => ['--allow', shape]),
    ...deny.map((shape): [string, string] => ['--deny', shape]),
    ...(settings.onAsk === undefined ? [] : [['--on-ask', settings.onAsk] as [string, string]]),
  ];
  return options.map(([name, value]) => (value === '' ? ` ${name}` : ` ${name} ${quoted(value)}`)).join('');
}

/** A word for the shell, as it was meant. */
function quoted(word: string): string {
  const shown = oneLine(word);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}
