/** Sessions whose effects are taken back: a workspace and a home, runs in this process, and ways to look at both. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  createSession,
  openReader,
  redoSession,
  sessionDiff,
  undoSession,
  type Event,
  type RedoOptions,
  type RunOutcome,
  type SessionOptions,
  type UndoOptions,
  type UndoReport,
} from '../../src/harness/index.ts';
import { startModelServer, temporaryWorkspace, type ModelServer, type Turn } from '../../src/testing/index.ts';
import { filesBelow } from '../support/files-below.ts';
import { gitIn } from '../support/git-in.ts';

type Options = Partial<Pick<SessionOptions, 'workspace' | 'env' | 'resume' | 'tools' | 'onEvent'>> & {
  settings?: SessionOptions['settings'];
};

export interface Ran extends RunOutcome {
  server: ModelServer;
}

export interface UndoGround {
  workspace: string;
  home: string;
  env: { [name: string]: string | undefined };
  put: (path: string, content: string | Buffer) => void;
  text: (path: string) => string;
  /** Everything in the workspace, Git's own data aside. */
  files(): Map<string, string>;
  git: (...words: string[]) => string;
  /** A run of these turns, with a closing one behind them. */
  work(turns: Turn[], options?: Options): Promise<Ran>;
  resume(turns: Turn[], options?: Options): Promise<Ran>;
  undo(options?: UndoOptions): Promise<UndoReport>;
  redo(options?: RedoOptions): Promise<UndoReport>;
  diff(): ReturnType<typeof sessionDiff>;
  events(): Promise<Event[]>;
}

export async function undoGround(context: TestContext, user: object = {}): Promise<UndoGround> {
  const place = await temporaryWorkspace({ files: {} });
  const own = await temporaryWorkspace({ files: {} });
  const home = own.path;
  const servers: ModelServer[] = [];
  context.after(async () => {
    for (const server of servers) await server.close();
    await place.dispose();
    await own.dispose();
  });
  const workspace = place.path;
  const env = { PATH: process.env['PATH'], HOME: home };
  mkdirSync(join(home, '.config', 'reins'), { recursive: true });
  writeFileSync(join(home, '.config', 'reins', 'settings.json'), JSON.stringify(user));
  const work = async (turns: Turn[], options: Options = {}): Promise<Ran> => {
    const server = await startModelServer({ position: 'count', turns: [...turns, { text: 'Done.' }] });
    servers.push(server);
    const endpoint = { baseUrl: server.url, apiKey: 'k' };
    const settings = { model: 'x', mode: 'unsafe' as const, checks: 'waived' as const, endpoint, ...options.settings };
    const session = await createSession({ workspace, env, ...options, settings });
    try {
      await session.say('work');
      const outcome = await session.run();
      assert.equal(outcome.outcome, 'completed', outcome.detail);
      return { ...outcome, server };
    } finally {
      await session.close();
    }
  };
  const latest = { latest: workspace };
  return {
    workspace,
    home,
    env,
    put: (path, content) => {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), content);
    },
    text: (path) => readFileSync(join(workspace, path), 'latin1'),
    files: () => filesBelow(workspace),
    git: (...words) => gitIn(workspace, home, words),
    work,
    resume: (turns, options) => work(turns, { resume: { latest: true }, ...options }),
    undo: (options) => undoSession(env, latest, options),
    redo: (options) => redoSession(env, latest, options),
    diff: () => sessionDiff(env, latest),
    events: async () => {
      const items = [...(await openReader(env, latest)).items()];
      return items.flatMap((item) => ('damage' in item ? [] : [item]));
    },
  };
}
