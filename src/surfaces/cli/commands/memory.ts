/** `reins memory`: the notes that outlive sessions, their history, and what the model proposed. */
import { UsageError, valueIn } from '../arguments.ts';
import type { Command } from '../command.ts';
import { givenText } from '../given-file.ts';
import { jsonLine } from '../json-lines.ts';
import type { Writer } from '../output.ts';
import { oneLine, printable } from '../printable.ts';
import type { MemoryOutcome, MemoryReport } from '../../../harness/index.ts';

const deeds = ['show', 'set', 'history', 'revert', 'inbox', 'accept', 'reject'];

export const command: Command = {
  name: 'memory',
  summary: 'Show, change and take back notes that outlive sessions, and decide on those that a model proposed.',
  usage: [
    'memory [show|history|inbox] [--user] [-C DIR]',
    'memory set FILE [--user] [-C DIR]',
    'memory revert N [--user] [-C DIR]',
    'memory accept ID|--all [--user] [-C DIR]',
    'memory reject ID [--user] [-C DIR]',
  ],
  examples: ['memory', 'memory inbox', 'memory accept --all', 'memory revert 2'],
  positionals: 2,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The workspace; the current folder by default.' },
    { name: 'user', about: 'Notes for every workspace, in place of those of this one.' },
    { name: 'all', about: 'Accept all that wait.' },
    { name: 'json', about: 'JSON: one object; of history and inbox one a line.' },
  ],
  notes: ['Notes reach the model where the setting memory.enabled is on, from the next session on (docs/memory.md).'],
  async run(parsed, { output: { out, err } }) {
    const [deed = 'show', what] = parsed.positionals;
    if (!deeds.includes(deed)) throw new UsageError(`memory can do this: ${deeds.join(', ')}.`);
    const { memoryDesk } = await import('../../../harness/index.ts');
    const desk = await memoryDesk();
    const scope = parsed.options.has('user') ? 'user' : 'project';
    const place = { scope, workspace: valueIn(parsed, 'directory') ?? process.cwd() } as const;
    const isJson = parsed.options.has('json');
    const report = await desk.memoryReport(place);
    if (report.problem !== undefined) err.write(`! ${oneLine(report.problem)}\n`);
    if (deed === 'show' || deed === 'history' || deed === 'inbox') {
      show[deed](report, out, isJson);
      return 0;
    }
    const tell = (made: MemoryOutcome | undefined): void => {
      if (isJson) out.write(jsonLine(made ?? { rejected: what ?? '' }));
      else out.write(made === undefined ? 'Rejected.\n' : `Version ${made.number}:\n${printable(made.diff)}`);
    };
    if (deed === 'set') tell(await desk.setMemory(place, await textIn(needed(what, 'FILE'))));
    else if (deed === 'revert') tell(await desk.revertMemory(place, versionIn(needed(what, 'N'))));
    else
      for (const id of idsOf(deed, what, parsed.options.has('all'), report))
        tell(await desk.decideMemory(place, id, deed === 'accept' ? 'accept' : 'reject'));
    return 0;
  },
};

type Show = (report: MemoryReport, out: Writer, isJson: boolean) => void;

const show: { [deed in 'show' | 'history' | 'inbox']: Show } = {
  show({ text, history, proposals }, out, isJson) {
    if (isJson) return out.write(jsonLine({ text, version: history.at(-1)?.number ?? 0, waiting: proposals.length }));
    out.write(text === '' ? 'Nothing is noted.\n' : `${printable(text)}\n`);
    if (proposals.length > 0) out.write(`(${proposals.length} waiting: reins memory inbox)\n`);
  },
  history({ history }, out, isJson) {
    for (const row of history) {
      const head = `Version ${row.number}  ${oneLine(row.at)}  ${oneLine(row.by)}`;
      out.write(isJson ? jsonLine({ ...row }) : `${head}\n${printable(row.diff)}\n`);
    }
  },
  inbox({ proposals }, out, isJson) {
    for (const { id, at, change } of proposals) {
      if (isJson) out.write(jsonLine({ id, at, change }));
      else out.write(`${oneLine(id)}  ${oneLine(at)}\n${changeLines(change)}\n`);
    }
    if (proposals.length === 0 && !isJson) out.write('Nothing waits.\n');
  },
};

function changeLines(change: MemoryReport['proposals'][number]['change']): string {
  if ('set' in change) return `  = ${oneLine(change.set)}`;
  const { old, note } = change;
  return [
    ...(old === undefined ? [] : [`  - ${oneLine(old)}`]),
    ...(note === undefined ? [] : [`  + ${oneLine(note)}`]),
  ].join('\n');
}

function needed(what: string | undefined, name: string): string {
  if (what === undefined) throw new UsageError(`${name} is missing: see reins help memory.`);
  return what;
}

const textIn = (file: string): Promise<string> => givenText(oneLine(file), file);

function versionIn(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('A version is a whole number; reins memory history lists them.');
  return Number(text);
}

function idsOf(deed: string, what: string | undefined, all: boolean, { proposals }: MemoryReport): string[] {
  if (!all) return [needed(what, 'ID')];
  if (what !== undefined || deed !== 'accept') throw new UsageError('--all goes with accept, in place of an ID.');
  return proposals.map(({ id }) => id);
}
