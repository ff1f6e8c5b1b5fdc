/** Long sessions with small windows, whatever happens to them: forks, rewinds, switches of the model, compactions, crashes and steering. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { createSession, forkSession, rewindSession, type Event, type Session } from '../../src/harness/index.ts';
import { readLog, rebuildRequest, sessionFolder, verify } from '../../src/session/index.ts';
import { startModelServer, type ModelServer, type Scenario } from '../../src/testing/index.ts';
import { defineTool } from '../../src/tools/index.ts';
import { ground } from '../harness/ground.ts';
import { asked, parts, words } from '../harness/long-talk.ts';
import { holds, patience, share } from '../support/property.ts';

/** Windows of the two models, in tokens. */
const windows = { a: 9_000, b: 6_000 };
const models = { a: 'a/x', b: 'b/y' } as const;
type ModelName = keyof typeof models;

type Turn = Scenario['turns'][number];

interface Step {
  do: 'say' | 'compact' | 'fork' | 'rewind' | 'crash' | 'switch';
  /** Where in the log, as a share of it. */
  at: number;
  /** Bytes of what is said, and of the replies and results in the turns that follow. */
  said: number;
  turns: { text: number; results: number[] }[];
  steers: boolean;
}

const bytes = (max: number) => fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max }));
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 4, arbitrary: fc.constant('say' as const) },
    { weight: 6, arbitrary: fc.constantFrom('compact' as const, 'fork', 'rewind', 'crash', 'switch') },
  ),
  at: share,
  said: bytes(1_500),
  turns: fc.array(fc.record({ text: bytes(2_000), results: fc.array(bytes(2_500), { minLength: 1, maxLength: 2 }) }), {
    maxLength: 6,
  }),
  steers: fc.boolean(),
});

/** What the summariser says: mostly a summary, sometimes none. */
const summaries = fc.array(fc.constantFrom(parts, parts, 'No.'), { minLength: 1, maxLength: 5 });

/** Folders with instructions of their own, and what those say. */
const folders = ['d0', 'd1'];
const rules = ['RULE-ROOT', ...folders.map((name) => `RULE-${name}`)];

/** Gives so many bytes, and touches one of the folders now and then. */
const giveIn = (workspace: string) =>
  defineTool({
    name: 'give',
    description: 'Gives so many bytes.',
    input: {
      type: 'object',
      properties: { bytes: { type: 'integer' }, n: { type: 'integer' } },
      required: ['bytes', 'n'],
      additionalProperties: false,
    } as const,
    effects: { effects: ['read'], resources: [] },
    execute: ({ bytes: size, n }) => {
      const folder = folders[n % 7];
      const facts = folder === undefined ? {} : { facts: { folder: join(workspace, folder) } };
      return { outcome: 'ok' as const, text: words(size, n * 1_000), ...facts };
    },
  });

/** Two strict servers that say what the present step wants of them, then that they are done. */
class Models {
  readonly servers = new Map<ModelName, ModelServer>();
  left: Turn[] = [];
  summaries: string[] = [];
  #count = 0;

  async start(t: TestContext): Promise<void> {
    for (const name of ['a', 'b'] as const) {
      const server = await startModelServer(({ question }) => this.#next(question.system), { window: windows[name] });
      t.after(() => server.close());
      this.servers.set(name, server);
    }
  }

  plan(turns: Step['turns']): void {
    this.left = turns.map(({ text, results }) => ({
      text: words(text, (this.#count += 1) * 1_000),
      calls: results.map((size) => ({ name: 'give', arguments: { bytes: size, n: (this.#count += 1) } })),
    }));
  }

  #next(system: string): Turn {
    if (!system.includes(asked.system)) return this.left.shift() ?? { text: `Done ${(this.#count += 1)}.` };
    const said = this.summaries.shift() ?? parts;
    this.summaries.push(said);
    return { text: said };
  }
}

class Journey {
  readonly #place: Awaited<ReturnType<typeof ground>>;
  readonly #models: Models;
  #id = '';
  #model: ModelName = 'a';
  #said = 0;

  constructor(place: Awaited<ReturnType<typeof ground>>, models: Models) {
    this.#place = place;
    this.#models = models;
  }

  async take(step: Step): Promise<void> {
    const { env } = this.#place;
    const events = this.#id === '' ? [] : eventsIn(this.folder);
    const at = events[1 + Math.floor(step.at * (events.length - 1))];
    if (at !== undefined && step.do === 'fork') this.#id = await forkSession(env, this.#id, { event: at.id });
    if (at !== undefined && step.do === 'rewind') await rewindSession(env, this.#id, at.id);
    if (at !== undefined && step.do === 'crash') this.#cut(at.id);
    if (step.do === 'switch') this.#model = this.#model === 'a' ? 'b' : 'a';
    this.#models.plan(step.turns);
    await this.#run(step);
  }

  get folder(): string {
    return sessionFolder(join(this.#place.env['HOME']!, '.local', 'state', 'reins'), this.#id);
  }

  /** Everything behind an event was never written. */
  #cut(after: string): void {
    const file = join(this.folder, 'log.jsonl');
    const log = readFileSync(file, 'utf8');
    const end = log.indexOf('\n', log.indexOf(`{"id":"${after}"`)) + 1;
    writeFileSync(file, log.slice(0, end));
  }

  async #run({ do: what, said, steers }: Step): Promise<void> {
    let count = 0;
    const driven: { session?: Session } = {};
    const steering: Promise<void>[] = [];
    const onEvent = (): void => {
      count += 1;
      if (steers && count === 12) steering.push(driven.session?.say(this.#words(300), 'steer') ?? Promise.resolve());
    };
    const session = await createSession({
      ...this.#place,
      tools: [giveIn(this.#place.workspace)],
      builtinTools: false,
      onEvent,
      ...(this.#id !== '' && { resume: this.#id }),
      settings: {
        model: models[this.#model],
        mode: 'unsafe',
        checks: 'waived',
        limits: { turns: null, calls: null, minutes: null },
      },
    });
    Object.assign(driven, { session });
    this.#id = session.id;
    try {
      if (what === 'compact') await session.compact();
      await session.say(this.#words(said));
      const outcome = await session.run();
      await Promise.all(steering);
      assert.equal(outcome.outcome, 'completed', outcome.detail);
    } finally {
      await session.close();
    }
  }

  #words(size: number): string {
    this.#said += 1;
    return `Said ${this.#said}: ${words(size, this.#said * 10_000)}`;
  }
}

const eventsIn = (folder: string): Event[] => [...readLog(folder)].filter((item): item is Event => !('damage' in item));
const hashOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

/** What people said on the path to an event, in order. */
function saidBefore(events: ReadonlyMap<string, Event>, { parent }: Event): string[] {
  const said: string[] = [];
  for (let id = parent; id !== null;) {
    const event = events.get(id);
    if (event?.kind === 'input' && event.data.from !== 'harness') said.unshift(event.data.text);
    id = event?.parent ?? null;
  }
  return said;
}

async function assertSession(folder: string, received: ReadonlySet<string>): Promise<void> {
  const events = eventsIn(folder);
  const byId = new Map(events.map((event) => [event.id, event]));
  const answered = new Set(events.flatMap((event) => (event.kind === 'reply' ? [event.data.request] : [])));
  for (const event of events) {
    if (event.kind !== 'request') continue;
    const { body } = await rebuildRequest(folder, event.id);
    if (answered.has(event.id)) assert.ok(received.has(hashOf(body)), `request ${event.id} is not what was sent`);
    const [root, ...others] = rules.map((rule) => body.toString().split(rule).length - 1);
    assert.ok(root === 1 && others.every((times) => times <= 1), `instructions ${root} and ${others.join()} times`);
    const said = saidBefore(byId, event);
    for (const text of [said[0], said.at(-1)]) {
      assert.ok(text !== undefined && body.includes(text), `request ${event.id} lacks ${text?.slice(0, 40)}`);
    }
  }
  assert.deepEqual((await verify(folder)).findings, []);
}

test('a long session stays whole, whatever happens to it', { timeout: patience }, async (t) => {
  await holds(t, fc.tuple(fc.array(step, { minLength: 8, maxLength: 14 }), summaries), 3, async ([steps, said]) => {
    const models = new Models();
    await models.start(t);
    models.summaries = [...said];
    const provider = (name: ModelName, wire: string, model: string) => ({
      wire,
      baseUrl: models.servers.get(name)!.url,
      models: {
        [model]: {
          window: windows[name],
          maxOutput: 800,
          rates: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
        },
      },
    });
    const user = { providers: { a: provider('a', 'anthropic', 'x'), b: provider('b', 'openai-chat', 'y') } };
    const place = await ground(t, { user });
    for (const [index, folder] of ['.', ...folders].entries()) {
      mkdirSync(join(place.workspace, folder), { recursive: true });
      writeFileSync(join(place.workspace, folder, 'AGENTS.md'), `Keep to ${rules[index]}.\n`);
    }
    place.env['PATH'] = join(place.workspace, 'no programs');
    const journey = new Journey(place, models);
    const logs = new Set<string>();
    for (const [index, each] of steps.entries()) {
      await journey.take(each).catch((error: unknown) => {
        throw new Error(`step ${index}: ${each.do}`, { cause: error });
      });
      logs.add(journey.folder);
      for (const server of models.servers.values())
        assert.deepEqual(server.refusals, [], `after step ${index}: ${each.do}`);
    }
    const received = new Set(
      [...models.servers.values()].flatMap(({ requests }) => requests.map(({ bytes: body }) => hashOf(body))),
    );
    for (const folder of logs) await assertSession(folder, received);
  });
});
