/** `reins sessions`: what there is to look into or to go on with. */
import { realpathSync } from 'node:fs';
import type { SessionSummary } from '../../../harness/index.ts';
import { valueIn } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { clip, oneLine, pad, widthOf } from '../printable.ts';
import { clockTime, styleOf, type Style } from '../render/index.ts';

export const command: Command = {
  name: 'sessions',
  summary: 'List the sessions of a workspace, the latest first.',
  usage: ['sessions [-C DIR | --all]'],
  examples: ['sessions', 'sessions --all'],
  positionals: 0,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The workspace; the current folder by default.' },
    { name: 'all', about: 'The sessions of every workspace.' },
    { name: 'json', about: 'One JSON object a line.' },
  ],
  async run(parsed, { output: { out, err } }) {
    const { listSessions } = await import('../../../harness/index.ts');
    const isAll = parsed.options.has('all');
    const workspace = realPath(valueIn(parsed, 'directory') ?? process.cwd());
    const sessions = (await listSessions())
      .filter((session) => isAll || realPath(session.workspace) === workspace)
      .toSorted((a, b) => b.lastAt - a.lastAt);
    if (parsed.options.has('json')) {
      for (const session of sessions) out.write(jsonLine(session));
      return 0;
    }
    if (sessions.length === 0)
      err.write(
        isAll ? 'There are no sessions.\n' : 'There are no sessions of this workspace; --all lists the others.\n',
      );
    for (const line of sessionLines(sessions, isAll, styleOf(out))) out.write(`${line}\n`);
    return 0;
  },
};

/** Workspaces are recorded by their real path; one that is gone is only its name. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

export function sessionLines(sessions: readonly SessionSummary[], withWorkspace: boolean, style: Style): string[] {
  const stateWidth = Math.max(0, ...sessions.map(({ state }) => widthOf(oneLine(state))));
  return sessions.map((session) => {
    const damaged = session.damaged ? style.bad('damaged ') : '';
    const workspace = withWorkspace ? `${oneLine(session.workspace)}: ` : '';
    const before = `${oneLine(session.id)}  ${clockTime(session.lastAt)}  ${pad(oneLine(session.state), stateWidth)}  ${damaged}`;
    return `${before}${clip(`${workspace}${oneLine(session.title)}`, Math.max(20, style.width - widthOf(before)))}`;
  });
}
