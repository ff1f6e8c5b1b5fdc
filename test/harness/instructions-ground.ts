/** A workspace with instruction files, a model that makes given calls, and what it was sent. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { createSession, type Event, type RunSettings } from '../../src/harness/index.ts';
import { temporaryWorkspace, type TemporaryWorkspaceOptions } from '../../src/testing/index.ts';
import { serve } from '../model/loopback.ts';
import { bodyOf } from './replies.ts';

export interface Call {
  name: string;
  arguments: object;
}

export const read = (path: string): Call => ({ name: 'read', arguments: { path } });

export interface Run {
  /** Calls, one a turn; what is done before each reply. */
  calls?: (Call | (() => void))[];
  /** The folder that is worked in, below the workspace. */
  folder?: string;
  settings?: RunSettings;
  /** What is known to be said first. */
  task?: string;
  resume?: string;
  trust?: boolean;
  /** Have older turns give way before anything is said. */
  compact?: boolean;
}

export interface Ran {
  id: string;
  /** What each request of the run held, as text. */
  sent: string[];
  events: Event[];
}

/** `user`: files of the user's own folder of Reins. */
export async function instructionsGround(
  t: TestContext,
  files: NonNullable<TemporaryWorkspaceOptions['files']>,
  {
    user = {},
    git = true,
    settings = {},
  }: { user?: { [name: string]: string }; git?: boolean; settings?: object } = {},
) {
  const workspace = await temporaryWorkspace({ files: { 'a.txt': 'a\n', ...files }, git });
  const home = await temporaryWorkspace();
  t.after(() => Promise.all([workspace.dispose(), home.dispose()]));
  let calls: Run['calls'] = [];
  const server = await serve(t, ({ body }, response) => {
    // What is asked beside the conversation is none of it.
    let next = body.includes('# Work') ? calls?.shift() : undefined;
    for (; typeof next === 'function'; next = calls?.shift()) next();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(bodyOf('openai-chat', { text: `said ${randomUUID()}`, ...(next !== undefined && { call: next }) }));
  });
  const config = join(home.path, '.config', 'reins');
  const own = { providers: { p: { baseUrl: server.url } }, model: 'p/m', ...settings };
  for (const [name, text] of Object.entries({ ...user, 'settings.json': JSON.stringify(own) })) {
    mkdirSync(dirname(join(config, name)), { recursive: true });
    writeFileSync(join(config, name), text);
  }
  const env = { PATH: process.env['PATH'], HOME: home.path };

  const run = async ({
    calls: given = [],
    folder = '.',
    settings: asked,
    task,
    resume,
    trust,
    compact = false,
  }: Run = {}): Promise<Ran> => {
    calls = [...given];
    const from = server.received.length;
    const events: Event[] = [];
    const session = await createSession({
      workspace: join(workspace.path, folder),
      env,
      settings: { mode: 'edit', checks: 'waived', ...asked },
      onEvent: (event) => events.push(event),
      ...(task !== undefined && { task }),
      ...(resume !== undefined && { resume }),
      ...(trust !== undefined && { trust }),
    });
    try {
      if (compact) await session.compact();
      await session.say('go');
      await session.run();
      return { id: session.id, events, sent: server.received.slice(from).map(({ body }) => textOf(body)) };
    } finally {
      await session.close();
    }
  };
  return { workspace, home, config, env, run };
}

/** All that is said in a request, in its order. */
function textOf(body: string): string {
  const { messages } = JSON.parse(body) as { messages: { content: unknown }[] };
  const texts = messages.map(({ content }) => (typeof content === 'string' ? content : partsOf(content)));
  return texts.join('\n');
}

function partsOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('\n');
}

export const count = (text: string, word: string): number => text.split(word).length - 1;
