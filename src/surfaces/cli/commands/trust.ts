/** `reins trust`: trust what a workspace's own settings name, see what they are, take it back. */
import { resolve } from 'node:path';
import type { TrustState } from '../../../harness/index.ts';
import { UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import type { Writer } from '../output.ts';
import { oneLine, printable } from '../printable.ts';

export const command: Command = {
  name: 'trust',
  summary: 'Trust what a workspace’s own settings name, or take that back.',
  usage: [
    'trust [-C DIR] [--profile NAME]',
    'trust --show [-C DIR] [--profile NAME]',
    'trust --list',
    'trust --revoke [-C DIR]',
  ],
  examples: ['trust --show', 'trust'],
  positionals: 0,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The workspace; the current folder by default.' },
    { name: 'profile', value: 'NAME', about: 'A profile of the workspace, in place of its settings.' },
    {
      name: 'show',
      about: 'Only show the settings, or what changed in them since they were trusted (exit code 1 until trusted).',
    },
    { name: 'list', about: 'List the workspaces that are trusted.' },
    { name: 'revoke', about: 'Take all trust in this workspace back, also in one that is gone.' },
    { name: 'json', about: 'JSON: one object, with --list one a line.' },
  ],
  notes: [
    'Trust holds for this folder and exactly this content. docs/trust.md says what counts before it, and what never does.',
  ],
  async run(parsed, { output: { out, err } }) {
    const wanted = wantedOf(parsed);
    const isJson = parsed.options.has('json');
    const workspace = resolve(valueIn(parsed, 'directory') ?? '.');
    const harness = await import('../../../harness/index.ts');
    if (wanted === 'list') {
      const { trusted, problems } = harness.trustedWorkspaces(undefined);
      for (const each of trusted) {
        const which = each.profile === undefined ? '' : `  profile ${oneLine(each.profile)}`;
        const line = `${oneLine(each.workspace)}${which}  since ${oneLine(each.at ?? 'unknown')}  ${each.hash}\n`;
        out.write(isJson ? jsonLine(each) : line);
      }
      if (trusted.length === 0 && !isJson) out.write('No workspace is trusted.\n');
      for (const problem of problems) err.write(`! ${oneLine(problem)}\n`);
      return problems.length === 0 ? 0 : 1;
    }
    if (wanted === 'revoke') {
      const revoked = harness.distrustWorkspace(undefined, workspace);
      const text = revoked
        ? 'Nothing in this workspace is trusted any more.'
        : 'Nothing was trusted in this workspace.';
      out.write(isJson ? jsonLine({ workspace, revoked }) : `${text}\n`);
      return 0;
    }
    const tell = wanted === 'show' ? harness.trustState : harness.trustWorkspace;
    const profile = valueIn(parsed, 'profile');
    const state = await tell(undefined, workspace, profile);
    if (isJson) out.write(jsonLine(state ?? { trusted: false }));
    else if (state === undefined)
      out.write(`This workspace has no ${profile === undefined ? 'settings' : 'such profile'} of its own.\n`);
    else if (wanted === 'show') show(state, out);
    else out.write(`${trustedText(state)}\n`);
    return state === undefined || state.trusted ? 0 : 1;
  },
};

function wantedOf(parsed: Arguments): string {
  const wanted = ['show', 'list', 'revoke'].filter((name) => parsed.options.has(name));
  if (parsed.options.has('profile') && (wanted[0] === 'list' || wanted[0] === 'revoke')) {
    throw new UsageError(
      '--profile goes with trusting and with --show; --revoke takes back all trust in the workspace.',
    );
  }
  if (wanted.length > 1) throw new UsageError(`--${wanted.join(' and --')} can’t be given together.`);
  return wanted[0] ?? 'trust';
}

function show({ file, trusted, content, changed, leftOut }: TrustState, out: Writer): void {
  const since = changed?.since === undefined ? '' : ` on ${oneLine(changed.since)}`;
  const difference = changed?.difference ?? '';
  out.write(`${oneLine(file)}: ${trusted ? 'trusted' : 'not trusted'}\n`);
  if (changed !== undefined && !trusted) {
    out.write(
      `It was trusted${since} and has changed since${difference === '' ? '; what it was is not kept any more' : ''}:\n`,
    );
  }
  out.write(`${printable(difference === '' ? content : difference).trimEnd()}\n`);
  if (!trusted && leftOut.length > 0) out.write(`Left out until it is trusted: ${leftOut.map(oneLine).join(', ')}\n`);
}

function trustedText({ file, trusted, leftOut }: TrustState): string {
  if (!trusted) return `${oneLine(file)} was changed just now: look at it with reins trust --show, and trust it again.`;
  const names =
    leftOut.length === 0
      ? 'It names nothing that needs trust.'
      : `From now on it counts: ${leftOut.map(oneLine).join(', ')}`;
  return `${oneLine(file)} is trusted as it is now. ${names}`;
}
