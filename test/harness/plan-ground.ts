/** A place for runs in mode plan: a model that says these things, and what it was sent. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createSession, type Event, type SessionOptions } from '../../src/harness/index.ts';
import { serve } from '../model/loopback.ts';
import { ground } from './ground.ts';
import { bodyOf } from './replies.ts';

export interface Turn {
  text?: string;
  call?: { name: string; arguments: object };
}

export const write = (content: string, path = '.reins/plan.md'): Turn => ({
  call: { name: 'write', arguments: { path, content } },
});
export const shell = (command: string): Turn => ({ call: { name: 'shell', arguments: { command } } });
export const done: Turn = { text: 'Done.' };

type Drive = Omit<SessionOptions, 'workspace' | 'env' | 'onEvent'> & {
  turns?: Turn[];
  say?: string | undefined;
  onEvent?: (event: Event, id: string) => void;
};

export async function planGround(t: TestContext, user: object = {}) {
  let turns: Turn[] = [];
  const server = await serve(t, (_, response) => {
    const { text = `said ${server.received.length}`, call } = turns.shift() ?? done;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(bodyOf('openai-chat', { text, ...(call !== undefined && { call }) }));
  });
  const settings = { providers: { p: { baseUrl: server.url } }, model: 'p/m', ...user };
  const place = await ground(t, { user: settings });

  /** A run from its words to its outcome. */
  async function drive({ turns: said = [], say, resume, settings: asked, onEvent, ...more }: Drive = {}) {
    turns = [...said];
    const from = server.received.length;
    const events: Event[] = [];
    let id = '';
    const session = await createSession({
      workspace: place.workspace,
      env: place.env,
      ...more,
      settings: { checks: 'waived', ...(resume === undefined && { mode: 'plan' as const }), ...asked },
      ...(resume !== undefined && { resume }),
      onEvent: (event) => {
        events.push(event);
        onEvent?.(event, id);
      },
    });
    ({ id } = session);
    try {
      const words = resume === undefined ? (say ?? 'plan it') : say;
      if (words !== undefined) await session.say(words);
      const outcome = await session.run();
      const sent = server.received.slice(from).map(({ body }) => JSON.parse(body) as Sent);
      return { id, outcome, events, sent, setup: session.view.setup, view: session.view };
    } finally {
      await session.close();
    }
  }
  const planFile = (id: string): string =>
    join(place.env['HOME'] ?? '', '.local', 'state', 'reins', 'sessions', id, 'plan.md');
  return { ...place, drive, planFile, plan: (id: string): string => readFileSync(planFile(id), 'utf8') };
}

interface Sent {
  model: string;
  messages: Message[];
}

interface Message {
  role: string;
  content: unknown;
}

/** What was said last, as text. */
export const lastSaid = ({ messages }: Sent): string => JSON.stringify(messages.at(-1)?.content);

export const results = (events: readonly Event[]): string[] =>
  events.flatMap((event) =>
    event.kind === 'result' ? [`${event.data.outcome}: ${event.data.text.split('\n')[0]}`] : [],
  );
