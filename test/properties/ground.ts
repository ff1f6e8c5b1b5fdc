/** Where scripted sessions are played: a workspace, tools whose effects are counted, and states that are thrown away. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Event } from '../../src/core/index.ts';
import type { SessionOptions } from '../../src/harness/index.ts';
import { pathOf, readLog, scan } from '../../src/session/index.ts';
import type { ModelServer } from '../../src/testing/index.ts';
import { defineTool, type Tool } from '../../src/tools/index.ts';

export interface Ground {
  workspace: string;
  /** The keys of the calls that were really executed, in their order; over all drives since it was emptied. */
  executed: string[];
  tools: Tool[];
  /** Makes an empty state folder, and gives the environment that leads to it. */
  state(): State;
}

export interface State {
  env: { [name: string]: string };
  /** The folder of a session. */
  folder(id: string): string;
  remove(): void;
}

/** Pauses so short that a retry costs no time, a call that asks, and one that is refused. */
const userSettings = {
  retries: { firstPause: 1, attempts: 4, brokenStream: 3 },
  ask: ['asked'],
  deny: ['denied'],
};

const input = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
} as const;

/** Everything is removed when the test is over. */
export function openGround(context: TestContext): Ground {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'reins-property-')));
  context.after(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, 'workspace');
  mkdirSync(workspace);
  mkdirSync(join(root, 'config', 'reins'), { recursive: true });
  writeFileSync(join(root, 'config', 'reins', 'settings.json'), JSON.stringify(userSettings));
  const executed: string[] = [];
  let states = 0;
  return {
    workspace,
    executed,
    tools: countedTools(workspace, executed),
    state: () => {
      const state = join(root, `state-${(states += 1)}`);
      const env = {
        // No Git: without it the workspace is described file by file, which for one file is quicker.
        PATH: join(root, 'no programs'),
        HOME: root,
        XDG_CONFIG_HOME: join(root, 'config'),
        XDG_STATE_HOME: state,
      };
      return {
        env,
        folder: (id) => join(state, 'reins', 'sessions', id),
        remove: () => rmSync(state, { recursive: true, force: true }),
      };
    },
  };
}

/** Tools that note the key of their call before anything else: to be noted twice is to be run twice. */
function countedTools(workspace: string, executed: string[]): Tool[] {
  const read = { effects: ['read' as const], resources: [] };
  const counted = (
    name: string,
    effects: typeof read | undefined,
    run: (n: number) => string | Promise<string>,
  ): Tool =>
    defineTool({
      name,
      description: `Does what ${name} says.`,
      input,
      ...(effects !== undefined && { effects }),
      resultLimit: 200_000,
      execute: ({ n }, { call }) => {
        executed.push(call);
        return run(n);
      },
    });
  return [
    counted('mark', read, (n) => `marked ${n}`),
    counted('lazy', read, async (n) => {
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return `at last ${n}`;
    }),
    counted('change', undefined, (n) => {
      writeFileSync(join(workspace, 'value'), String(n));
      return `the value is ${n}`;
    }),
    counted('asked', read, (n) => `was allowed ${n}`),
    counted('denied', read, () => 'must not happen'),
    counted('throws', undefined, (n) => {
      throw new Error(`no ${n}`);
    }),
    counted('big', read, (n) => `${n}`.repeat(100_000)),
  ];
}

/** What a session needs to be driven here. */
export function optionsFor(ground: Ground, state: State, server: ModelServer): SessionOptions {
  return {
    workspace: ground.workspace,
    env: state.env,
    tools: ground.tools,
    builtinTools: false,
    settings: {
      model: 'anthropic/claude-sonnet-4-5',
      mode: 'unsafe',
      checks: 'waived',
      endpoint: { baseUrl: server.url, apiKey: 'no secret' },
    },
  };
}

/** Puts a log (and the blobs that it names) where a session of this id is looked for. */
export function plant(state: State, id: string, log: Buffer, blobsOf: string): string {
  const folder = state.folder(id);
  mkdirSync(folder, { recursive: true });
  cpSync(join(blobsOf, 'blobs'), join(folder, 'blobs'), { recursive: true });
  writeFileSync(join(folder, 'log.jsonl'), log);
  return folder;
}

/** Gives the workspace the value that it had when the log ended. */
export function restoreValue({ workspace }: Ground, events: readonly Event[]): void {
  let last = '0';
  for (const event of events) {
    if (event.kind !== 'result' || event.data.tool !== 'change') continue;
    last = /\d+$/.exec(event.data.text)?.[0] ?? last;
  }
  writeFileSync(join(workspace, 'value'), last);
}

export const logOf = (folder: string): Buffer => readFileSync(join(folder, 'log.jsonl'));

export const eventsIn = (folder: string): Event[] =>
  [...readLog(folder)].filter((item): item is Event => !('damage' in item));

/** The events from the root to the head. */
export function pathIn(folder: string): Event[] {
  const path = pathOf(scan(folder));
  return eventsIn(folder).filter(({ id }) => path.has(id));
}
