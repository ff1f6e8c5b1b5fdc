/** `reins ledger`: the repository's record of agent failures and of what was done against them. */
import { plural, type LedgerPlace } from '../../../harness/index.ts';
import { oneOf, UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import type { Output } from '../output.ts';
import { oneLine } from '../printable.ts';
import { failureLines, ledgerReportLines, proposalLines } from '../render/index.ts';

const actions = ['list', 'add', 'fix', 'report'] as const;
type Action = (typeof actions)[number];

/** The options that an action takes besides those of all. */
const taken: { [action in Action]: readonly string[] } = {
  list: [],
  add: ['from', 'pick', 'dry-run', 'session', 'recurs'],
  fix: ['rung', 'file', 'text'],
  report: [],
};

export const command: Command = {
  name: 'ledger',
  summary: 'Keep the record of what agents did wrong here, and of what was done against it.',
  usage: [
    'ledger',
    'ledger add "symptom" [--session ID] [--recurs ID]',
    'ledger add --from SESSION [--pick 1,2] [--dry-run]',
    'ledger fix ID --rung RUNG [--file FILE] [--text TEXT]',
    'ledger report',
  ],
  examples: [
    'ledger add "removed a test to make it pass"',
    'ledger add --from 7a4tjp --dry-run',
    'ledger fix 3 --rung lint --file .oxlintrc.json',
  ],
  positionals: 2,
  tooMany: 'A symptom is one argument: put it in quotation marks.',
  options: [
    {
      name: 'directory',
      short: 'C',
      value: 'DIR',
      about: 'A folder of the repository; the current folder by default.',
    },
    { name: 'from', value: 'SESSION', about: 'Add what the log of this session proposes.' },
    { name: 'pick', value: 'NUMBERS', about: 'With --from: only these proposals, as 1,3.' },
    { name: 'dry-run', about: 'With --from: only show the proposals.' },
    { name: 'session', value: 'ID', about: 'The session in which it was seen.' },
    { name: 'recurs', value: 'ID', about: 'The failure that it is, although it reads otherwise.' },
    {
      name: 'rung',
      value: 'RUNG',
      about: 'Where the fix was made: chat, instructions, skill, hook, lint, test, structure.',
    },
    { name: 'file', value: 'FILE', about: 'The file that the fix changed, relative to the repository.' },
    { name: 'text', value: 'TEXT', about: 'A short piece of the fix, by which it is found in the file.' },
    { name: 'json', about: 'JSON objects instead of text.' },
  ],
  notes: ['The record is .reins/ledger.jsonl in the repository. docs/ledger.md says what it is for.'],
  async run(parsed, { output }) {
    const [first = 'list', second] = parsed.positionals;
    const action = oneOf('The first word', first, actions);
    checkUse(parsed, action, second);
    const place = { folder: valueIn(parsed, 'directory') ?? process.cwd() };
    if (action === 'add') await add(parsed, place, second, output);
    if (action === 'fix') await fix(parsed, place, second ?? '', output);
    if (action === 'list') await list(parsed, place, output);
    if (action === 'report') await report(parsed, place, output);
    return 0;
  },
};

function checkUse(parsed: Arguments, action: Action, argument: string | undefined): void {
  const all = Object.values(taken).flat();
  const strange = all.find((name) => parsed.options.has(name) && !taken[action].includes(name));
  if (strange !== undefined) throw new UsageError(`--${strange} doesn’t go with ledger ${action}.`);
  const isFrom = parsed.options.has('from');
  if (!isFrom && (parsed.options.has('pick') || parsed.options.has('dry-run')))
    throw new UsageError('--pick and --dry-run go with --from.');
  if (isFrom && (argument !== undefined || parsed.options.has('session') || parsed.options.has('recurs')))
    throw new UsageError('--from takes symptoms and session from the log: give nothing else of them.');
  if (action === 'add' && !isFrom && argument === undefined)
    throw new UsageError('What went wrong: reins ledger add "symptom", or --from SESSION.');
  if (action === 'fix' && (argument === undefined || !parsed.options.has('rung')))
    throw new UsageError('Which failure, and where was it fixed: reins ledger fix ID --rung RUNG.');
  if ((action === 'list' || action === 'report') && argument !== undefined)
    throw new UsageError(`ledger ${action} takes nothing besides.`);
}

const ledger = async () => (await import('../../../harness/index.ts')).loadLedger();

async function list(parsed: Arguments, place: LedgerPlace, { out, err }: Output): Promise<void> {
  const { failures, damaged, file } = await (await ledger()).readLedger(place);
  tellDamage(damaged, file, err);
  if (failures.length === 0) err.write('No failure is noted here.\n');
  const lines = parsed.options.has('json') ? failures.map(jsonLine) : failureLines(failures).map((line) => `${line}\n`);
  for (const line of lines) out.write(line);
}

async function add(
  parsed: Arguments,
  place: LedgerPlace,
  symptom: string | undefined,
  { out, err }: Output,
): Promise<void> {
  const { addFailure, addFromSession, proposeFailures } = await ledger();
  const from = valueIn(parsed, 'from');
  const isJson = parsed.options.has('json');
  if (from === undefined) {
    const [session, recurs] = [valueIn(parsed, 'session'), valueIn(parsed, 'recurs')];
    const given = { ...(session !== undefined && { session }), ...(recurs !== undefined && { recurs }) };
    const failure = await addFailure(place, { symptom: symptom ?? '', ...given });
    out.write(isJson ? jsonLine(failure) : `${failureLines([failure]).join('')}\n`);
    return;
  }
  if (parsed.options.has('dry-run')) {
    const { proposals } = await proposeFailures(place, from);
    if (proposals.length === 0) err.write('The log of this session proposes nothing.\n');
    out.write(
      isJson
        ? proposals.map(jsonLine).join('')
        : proposalLines(proposals)
            .map((line) => `${line}\n`)
            .join(''),
    );
    return;
  }
  const added = await addFromSession(place, from, numbersIn(valueIn(parsed, 'pick')));
  if (added.length === 0) err.write('The log of this session proposes nothing that isn’t there already.\n');
  for (const sighting of added)
    out.write(isJson ? jsonLine(sighting) : `${sighting.id}  ${oneLine(sighting.symptom)}\n`);
}

function numbersIn(text: string | undefined): number[] | undefined {
  const numbers = text?.split(',').map(Number);
  if (numbers?.every((number) => Number.isSafeInteger(number) && number > 0) === false)
    throw new UsageError('--pick takes numbers of proposals, as 1,3.');
  return numbers;
}

async function fix(parsed: Arguments, place: LedgerPlace, id: string, { out }: Output): Promise<void> {
  const { addFix, rungs } = await ledger();
  const rung = oneOf('--rung', valueIn(parsed, 'rung') ?? '', rungs);
  const [file, text] = [valueIn(parsed, 'file'), valueIn(parsed, 'text')];
  const given = { rung, ...(file !== undefined && { file }), ...(text !== undefined && { text }) };
  const failure = await addFix(place, id, given);
  out.write(parsed.options.has('json') ? jsonLine(failure) : `${failureLines([failure]).join('')}\n`);
}

async function report(parsed: Arguments, place: LedgerPlace, { out, err }: Output): Promise<void> {
  const found = await (await ledger()).ledgerReport(place);
  tellDamage(found.damaged, found.file, err);
  if (parsed.options.has('json')) {
    out.write(jsonLine(found));
    return;
  }
  const lines = ledgerReportLines(found);
  if (lines.length === 0) err.write('No failure is noted here, and no instruction file has a list.\n');
  for (const line of lines) out.write(`${line}\n`);
}

function tellDamage(damaged: number, file: string, err: Output['err']): void {
  if (damaged > 0) err.write(`! ${plural(damaged, 'line')} of ${oneLine(file)} can’t be understood.\n`);
}
