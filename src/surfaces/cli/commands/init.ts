/** `reins init`: proposes checks and instructions for a repository, and writes what is wanted of them. */
import { resolve } from 'node:path';
import type { InitFile, InitProposal } from '../../../harness/index.ts';
import { UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import type { Output } from '../output.ts';
import { oneLine, printable } from '../printable.ts';

export const command: Command = {
  name: 'init',
  summary: 'Propose checks and instructions for a repository, and write them.',
  usage: ['init [-C DIR] [--yes | --dry-run]'],
  examples: ['init --dry-run'],
  positionals: 0,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The repository; the current folder by default.' },
    { name: 'yes', about: 'Write everything that is proposed and isn’t there, without a question.' },
    { name: 'dry-run', about: 'Only show what would be written.' },
    { name: 'json', about: 'JSON: one object; nothing is asked.' },
  ],
  notes: [
    'Nothing that is there is ever overwritten, and nothing of the repository is run.',
    'Settings that you have it write are trusted as they are (docs/trust.md).',
  ],
  async run(parsed, { output }) {
    const { yes, dryRun, isJson } = wantedOf(parsed);
    const { proposeInit, writeInit } = await import('../../../harness/index.ts');
    const proposal = await proposeInit(resolve(valueIn(parsed, 'directory') ?? '.'));
    const ask = yes ? () => Promise.resolve(true) : dryRun || isJson ? undefined : await asker(output);
    const written: string[] = [];
    if (!isJson) output.out.write(checksText(proposal));
    for (const file of proposal.files) {
      if (!isJson) output.out.write(fileText(file));
      if (file.exists || ask === undefined || !(await ask(file))) continue;
      await writeInit(undefined, proposal, file);
      written.push(file.file);
      if (!isJson) output.out.write(`Written: ${oneLine(file.file)}\n`);
    }
    if (isJson) output.out.write(jsonLine({ ...proposal, written }));
    else if (ask === undefined) output.out.write('\nNothing was written: --yes writes what is not there yet.\n');
    return 0;
  },
};

function wantedOf(parsed: Arguments): { yes: boolean; dryRun: boolean; isJson: boolean } {
  const [yes, dryRun, isJson] = ['yes', 'dry-run', 'json'].map((name) => parsed.options.has(name));
  if (yes === true && dryRun === true) throw new UsageError('--yes and --dry-run exclude each other.');
  return { yes: yes === true, dryRun: dryRun === true, isJson: isJson === true };
}

/** Undefined where nobody sits there. */
async function asker({ err }: Output): Promise<((file: InitFile) => Promise<boolean>) | undefined> {
  const { isatty } = await import('node:tty');
  if (!err.isTerminal || !isatty(0)) return undefined;
  const { openTerminalInput } = await import('../terminal-input.ts');
  const input = openTerminalInput(process.stdin);
  return async ({ file }) => {
    await input.discardTyped();
    err.write(`? Write ${oneLine(file)}?  y: yes  anything else: no > `);
    const typed = await input.line(new AbortController().signal);
    return typeof typed === 'string' && /^y(?:es)?$/i.test(typed.trim());
  };
}

function checksText({ checks }: InitProposal): string {
  if (checks.length === 0) return 'Nothing was found here that could check work: name a command with --check.\n';
  const lines = checks.map(({ command: line, kind, because, paths, when, advisory }) => {
    const notes = [
      kind,
      ...(paths === undefined ? [] : [`for ${paths.join(' ')}`]),
      ...(when === undefined ? [] : [`at the ${when}`]),
      ...(advisory === true ? ['advisory'] : []),
    ];
    return `  ${oneLine(line)}  (${oneLine(notes.join(', '))}; ${oneLine(because)})`;
  });
  return `Checks:\n${lines.join('\n')}\n`;
}

function fileText({ file, content, exists }: InitFile): string {
  if (exists) return `\n${oneLine(file)}: there is one already; it stays as it is.\n`;
  const lines = printable(content).trimEnd().split('\n');
  return `\n${oneLine(file)}:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
