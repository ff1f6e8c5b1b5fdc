/** Long conversations for tests of compaction: a strict server with a small window, and a tool that gives as much text as it is asked for. */
import type { TestContext } from 'node:test';
import { createSession, openReader, type Event, type Session, type SessionOptions } from '../../src/harness/index.ts';
import { startModelServer, type ModelServer, type Scenario } from '../../src/testing/index.ts';
import { defineTool } from '../../src/tools/index.ts';
import { ground, type Ground } from './ground.ts';

type Turn = Scenario['turns'][number];

/** Words that don't repeat themselves, so many bytes of them. */
export const words = (bytes: number, from = 0): string => {
  const all: string[] = [];
  for (let at = from, size = 0; size < bytes; at += 1) {
    all.push(`w${at}`);
    size += `w${at} `.length;
  }
  return all.join(' ').slice(0, bytes);
};

const give = defineTool({
  name: 'give',
  description: 'Gives so many bytes.',
  input: {
    type: 'object',
    properties: { n: { type: 'integer' }, bytes: { type: 'integer' } },
    required: ['n', 'bytes'],
    additionalProperties: false,
  } as const,
  effects: { effects: ['read'], resources: [] },
  execute: ({ n, bytes }) => `result ${n}: ${words(bytes, n * 1_000)}`,
});

/** A turn of which nothing can be elided. */
export const telling = (n: number, bytes: number): Turn => ({
  text: `Step ${n}: ${words(bytes, n * 1_000)}`,
  calls: [{ name: 'give', arguments: { n, bytes: 20 } }],
});

export const parts = `# Goal
Do it.
# Constraints and decisions
none
# State of work
Some of it is done.
# Open items
none
# Files read and changed
none
# Next step
Go on.`;

/** How the questions of a summariser are told from those of the run. */
export const asked = { system: 'You write the summary' };

export interface Talk extends Ground {
  server: ModelServer;
  open: (options?: Partial<SessionOptions>) => Promise<Session>;
  /** Everything in the log of a session. */
  events: (session: Pick<Session, 'id'>) => Promise<Event[]>;
}

/** `window` is what the server has; the settings say the same, unless `believed` differs. */
export async function talk(
  t: TestContext,
  { window, believed = window, ...scenario }: Scenario & { window: number; believed?: number },
  user: object = {},
): Promise<Talk> {
  const server = await startModelServer({ position: 'count', window, ...scenario });
  t.after(() => server.close());
  const models = { 'anthropic/claude-sonnet-4-5': { window: believed, maxOutput: 1_000 } };
  const place = await ground(t, { user: { models, ...user } });
  const open = (options: Partial<SessionOptions> = {}): Promise<Session> =>
    createSession({
      ...place,
      tools: [give],
      builtinTools: false,
      ...options,
      settings: {
        model: 'anthropic/claude-sonnet-4-5',
        mode: 'unsafe',
        checks: 'waived',
        limits: { turns: null, calls: null },
        endpoint: { baseUrl: server.url, apiKey: 'no secret' },
        ...options.settings,
      },
    });
  const events = async ({ id }: Pick<Session, 'id'>): Promise<Event[]> =>
    [...(await openReader(place.env, id)).items()].filter((item): item is Event => !('damage' in item));
  return { ...place, server, open, events };
}
