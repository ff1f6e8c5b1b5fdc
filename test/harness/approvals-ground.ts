/** A run whose model makes calls that are asked about, and a second model that may be asked. */
import type { TestContext } from 'node:test';
import {
  createSession,
  openReader,
  type Approver,
  type Event,
  type EventData,
  type Kind,
  type RunSettings,
  type SessionOptions,
} from '../../src/harness/index.ts';
import { startModelServer } from '../../src/testing/index.ts';
import { ground, type Ground } from './ground.ts';

export interface Call {
  name: string;
  arguments: { [key: string]: unknown };
}

export const write = (path: string, content = 'b\n'): Call => ({ name: 'write', arguments: { path, content } });

/** A place whose model makes these calls, one list a turn, and then says that it is done. */
export async function asking(
  t: TestContext,
  turns: Call[][],
  user: object = {},
  position: 'count' | 'history' = 'history',
) {
  const server = await startModelServer({
    position,
    strict: false,
    turns: [
      ...turns.map((calls) => (calls.length === 0 ? { text: 'Done.' } : { calls })),
      { text: 'Done.', repeat: 'forever' },
    ],
  } as never);
  t.after(() => server.close());
  const cheap = { input: 0.001, output: 0.001, cacheRead: 0.001, cacheWrite: 0.001 };
  const main = { wire: 'anthropic', baseUrl: server.url, models: { x: { rates: cheap } } };
  const own = user as { providers?: object };
  const place = await ground(t, {
    user: { model: 'main/x', ...user, providers: { main, ...own.providers } },
  });
  return { place, server };
}

export interface Drive {
  approver?: Approver;
  resume?: string;
  settings?: RunSettings;
  say?: string;
  hooks?: SessionOptions['hooks'];
  onEvent?: (event: Event, id: string) => void;
}

export async function drive({ workspace, env }: Ground, options: Drive = {}) {
  const { approver, resume, settings, say, hooks, onEvent } = options;
  let id = '';
  const session = await createSession({
    workspace,
    env,
    ...(approver !== undefined && { approver }),
    ...(resume !== undefined && { resume }),
    ...(hooks !== undefined && { hooks }),
    settings: { mode: 'ask', checks: 'waived', ...settings },
    onEvent: (event) => onEvent?.(event, id),
  });
  ({ id } = session);
  try {
    if (resume === undefined || say !== undefined) await session.say(say ?? 'work');
    const outcome = await session.run();
    return { outcome, id, view: session.view };
  } finally {
    await session.close();
  }
}

/** The events of a kind, as they stand in the log. */
export async function events<K extends Kind>({ env }: Ground, id: string, kind: K): Promise<EventData[K][]> {
  const found: EventData[K][] = [];
  for (const item of (await openReader(env, id)).items()) {
    if (!('damage' in item) && item.kind === kind) found.push(item.data as EventData[K]);
  }
  return found;
}

/** Says no to everything, and remembers what it was asked. */
export function person(
  say: (question: EventData['ask']) => Partial<EventData['answer']> = () => ({}),
): Approver & { asked: EventData['ask'][] } {
  const asked: EventData['ask'][] = [];
  return {
    asked,
    ask: async (question) => {
      asked.push(question);
      return { by: 'person', decision: 'no', scope: 'once', ...say(question) };
    },
  };
}
