/** A home, a workspace and settings of their own for a test, and a run in them. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { createSession, type EventData, type RunOutcome, type SessionOptions } from '../../src/harness/index.ts';
import { temporaryWorkspace } from '../../src/testing/index.ts';

export interface Ground {
  workspace: string;
  env: { [name: string]: string | undefined };
  /** Folder of the user's settings. */
  config: string;
}

export interface GroundOptions {
  user?: object;
  project?: object;
  /** The user's key file, and its mode (default 0600). */
  keys?: object | string;
  mode?: number;
  env?: { [name: string]: string };
}

export async function ground(t: TestContext, options: GroundOptions = {}): Promise<Ground> {
  const workspace = await temporaryWorkspace({ files: { 'a.txt': 'a\n' } });
  const home = await temporaryWorkspace({ files: {} });
  t.after(async () => {
    await workspace.dispose();
    await home.dispose();
  });
  const config = join(home.path, '.config', 'reins');
  const write = (file: string, content: object | string): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  };
  if (options.user !== undefined) write(join(config, 'settings.json'), options.user);
  if (options.project !== undefined) write(join(workspace.path, '.reins', 'settings.json'), options.project);
  if (options.keys !== undefined) {
    write(join(config, 'keys.json'), options.keys);
    chmodSync(join(config, 'keys.json'), options.mode ?? 0o600);
  }
  const env = { PATH: process.env['PATH'], HOME: home.path, ...options.env };
  return { workspace: workspace.path, env, config };
}

export interface Ran {
  outcome: RunOutcome;
  setup: EventData['setup'];
  requests: EventData['request'][];
  notices: EventData['notice'][];
}

/** Says something and runs to the end. */
export async function go(
  { workspace, env }: Ground,
  options: Omit<SessionOptions, 'workspace' | 'env'> = {},
): Promise<Ran> {
  const requests: EventData['request'][] = [];
  const session = await createSession({
    workspace,
    env,
    ...options,
    settings: { mode: 'plan', ...options.settings },
    onEvent: (event) => {
      if (event.kind === 'request') requests.push(event.data);
      options.onEvent?.(event);
    },
  });
  try {
    await session.say('go');
    const outcome = await session.run();
    const { setup } = session.view;
    if (setup === undefined) throw new Error('There is no setup.');
    return { outcome, setup, requests, notices: session.notices };
  } finally {
    await session.close();
  }
}

/** Servers on loopback that nobody runs: what is looked for on the usual ports isn't this machine's. */
export const nobodyThere = Object.fromEntries(
  ['ollama', 'lm-studio', 'llama-cpp', 'vllm', 'sglang'].map((name) => [name, { baseUrl: 'http://127.0.0.1:1/v1' }]),
);
