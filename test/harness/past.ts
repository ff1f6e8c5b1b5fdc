/** Past sessions for the tests of recordings and rehearsals: a repository, a model server for any wire, a run. */
import type { TestContext } from 'node:test';
import { createSession, type Event, type RunOutcome, type SessionOptions } from '../../src/harness/index.ts';
import {
  startModelServer,
  temporaryWorkspace,
  type ModelServer,
  type Scenario,
  type TemporaryWorkspace,
  type TemporaryWorkspaceOptions,
} from '../../src/testing/index.ts';

export const wires = ['anthropic', 'openai-responses', 'openai-chat', 'gemini'] as const;
export type WireName = (typeof wires)[number];

export interface Place {
  workspace: TemporaryWorkspace;
  home: TemporaryWorkspace;
  env: { [name: string]: string | undefined };
}

export const files = { 'a.ts': 'const a = 1;\n', 'b.ts': 'const b = 1;\n', '.gitignore': 'node_modules\n' };

export async function place(t: TestContext, options: TemporaryWorkspaceOptions = { files, git: true }): Promise<Place> {
  const workspace = await temporaryWorkspace(options);
  const home = await temporaryWorkspace();
  t.after(() => Promise.all([workspace.dispose(), home.dispose()]));
  return { workspace, home, env: { PATH: process.env['PATH'], HOME: home.path, MODEL_KEY: 'key-0123456789abcdef' } };
}

/** The user's settings: one provider, at this server, over this wire. */
export async function provideModel(
  { home }: Place,
  wire: WireName,
  server: ModelServer,
  more: object = {},
): Promise<void> {
  const version = wire === 'gemini' ? '/v1beta' : '/v1';
  const models = {
    small: {
      abilities: { images: true },
      rates: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1, dated: '2026-01-01' },
    },
  };
  const provider = { wire, baseUrl: server.url + version, keyVariable: 'MODEL_KEY', models };
  const settings = { providers: { corp: provider }, model: 'corp/small', ...more };
  await home.write('.config/reins/settings.json', JSON.stringify(settings));
}

export async function serve(t: TestContext, scenario: Scenario, { workspace }: Place): Promise<ModelServer> {
  const server = await startModelServer(scenario, {
    values: { workspace: workspace.path },
    key: 'key-0123456789abcdef',
  });
  t.after(() => server.close());
  return server;
}

export interface Done {
  outcome: RunOutcome;
  events: Event[];
}

/** One run: each text is said, and run to its end. */
export async function work(
  { workspace, env }: Place,
  tasks: string[],
  options: Partial<SessionOptions> = {},
): Promise<Done> {
  const events: Event[] = [];
  const session = await createSession({
    workspace: workspace.path,
    env,
    ...options,
    settings: { mode: 'edit', checks: 'waived', ...options.settings },
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  try {
    let outcome = session.outcome();
    for (const task of tasks) {
      await session.say(task);
      outcome = await session.run();
    }
    return { outcome, events };
  } finally {
    await session.close();
  }
}
