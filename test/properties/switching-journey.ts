/** A session over a log on disk that goes from model to model, each behind a strict server of its own. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  defaultRules,
  fold,
  Recorder,
  run,
  targetName,
  View,
  type Event,
  type EventData,
  type ImagePart,
  type Loop,
  type SetupData,
  type Target,
} from '../../src/core/index.ts';
import { createModel, createTransport, loadWire } from '../../src/model/index.ts';
import {
  createSession,
  openLogHandle,
  openSession,
  previousBody,
  readLog,
  type Session,
} from '../../src/session/index.ts';
import {
  manualClock,
  scriptedCalls,
  scriptedSummariser,
  scriptedVerifier,
  startModelServer,
  type Answer,
  type ModelServer,
  type RecordedRequest,
  type ToolFunction,
} from '../../src/testing/index.ts';
import { assertRebuilt } from '../support/rebuilt.ts';
import { secretsIn, wordingOf, type Reply } from './switching-makers.ts';

/** One answer, and whose it is; what depends on the request is made from it. */
export interface Turn {
  by: Target;
  answer: Answer | ((request: RecordedRequest) => Answer);
}

type Tools = { [name: string]: ToolFunction };

export interface JourneyParts {
  makers: readonly Target[];
  /** All answers in the order in which they are asked for, whoever is asked. */
  turns: readonly Turn[];
  tools?: SetupData['tools'];
  run?: Tools;
}

interface Arrival {
  target: Target;
  request: RecordedRequest;
}

const standing = {
  reins: '0.0.0',
  system: ['You are a test.', 'Today is a day.'],
  mode: 'auto' as const,
  limits: { turns: 100, calls: 500, minutes: 60, cost: null, outputTokens: 4_000 },
  retries: { attempts: 4, minutes: 15, brokenStream: 4, firstPause: 1 },
  checks: [],
};

/** A PNG of one dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export class Journey {
  /** Every request in the order of arrival, whoever got it. */
  readonly arrivals: Arrival[] = [];
  readonly servers = new Map<string, ModelServer>();
  readonly parts: JourneyParts;
  private readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'reins-journey-')));
  private readonly clock = manualClock(1_700_000_000_000, { auto: true });
  private readonly transport = createTransport();
  private session: Session | undefined;
  private loop: Loop | undefined;
  private served = 0;

  /** Starts the servers; all is put away when the test is over. */
  static async start(t: TestContext, parts: JourneyParts): Promise<Journey> {
    const journey = new Journey(parts);
    t.after(() => journey.end());
    for (const target of parts.makers) {
      const server = await startModelServer((request) => journey.answer(target, request));
      journey.servers.set(targetName(target), server);
    }
    return journey;
  }

  private constructor(parts: JourneyParts) {
    this.parts = parts;
  }

  get view(): View {
    return this.opened().loop.recorder.view;
  }

  get folder(): string {
    return this.opened().session.folder;
  }

  get log(): Buffer {
    return readFileSync(this.opened().session.file);
  }

  get events(): Event[] {
    return [...readLog(this.folder)].filter((item): item is Event => !('damage' in item));
  }

  of<K extends Event['kind']>(kind: K): EventData[K][] {
    return this.events.flatMap((event) => (event.kind === kind ? [event.data as EventData[K]] : []));
  }

  get replies(): Reply[] {
    return this.of('reply');
  }

  server(target: Target): ModelServer {
    const server = this.servers.get(targetName(target));
    assert.ok(server !== undefined);
    return server;
  }

  /** Opens the session for a model: a new one, or the same again as another process would. */
  async open(target: Target, more: Partial<SetupData> = {}): Promise<void> {
    const before = this.session;
    await before?.close();
    const view = new View();
    const at = this.clock.now();
    this.session =
      before === undefined
        ? await createSession(this.root, { workspace: this.root, reins: '0.0.0', at })
        : await openSession(this.root, before.id, openLogHandle);
    for (const item of readLog(this.session.folder)) if (!('damage' in item)) fold(view, item);
    this.loop = await this.loopOver(this.session, new Recorder(view, this.session, this.clock));
    await this.setUp(target, more);
  }

  /** What is standing from here on; `switched` where that happens in the middle of a run. */
  async setUp(target: Target, more: Partial<SetupData> = {}): Promise<void> {
    const { tools = [] } = this.parts;
    await this.opened().loop.recorder.record({ kind: 'setup', data: { ...standing, tools, ...target, ...more } });
  }

  async switchTo(target: Target, more: Partial<SetupData> = {}): Promise<void> {
    await this.setUp(target, { ...more, switched: { from: targetName(this.view.setup ?? target), by: 'test' } });
  }

  async say(text: string, images: ImagePart[] = []): Promise<void> {
    const data = { from: 'user' as const, text, ...(images.length > 0 && { images }) };
    await this.opened().loop.recorder.record({ kind: 'input', data });
  }

  async cancel(): Promise<void> {
    await this.opened().loop.recorder.record({ kind: 'cancel', data: { by: 'test' } });
  }

  /** Runs to the stop, and gives its reason. */
  async run(): Promise<string> {
    const end = await run(this.opened().loop);
    assert.ok('stop' in end, JSON.stringify(end));
    assert.ok(end.stop.reason !== 'error' && end.stop.reason !== 'provider', JSON.stringify(end.stop));
    return end.stop.reason;
  }

  /** An image, kept with the session. */
  async image(): Promise<ImagePart> {
    const bytes = Buffer.from(dot, 'base64');
    const blob = await this.opened().session.blobs.put(bytes);
    return { type: 'image', mediaType: 'image/png', blob, bytes: bytes.length };
  }

  /** The bodies that a model was sent, in their order. */
  sentTo(target: Target): string[] {
    return this.arrivals.filter((arrival) => arrival.target === target).map(({ request }) => request.bytes.toString());
  }

  /** Nothing was refused, all that was answered was wanted, and every request stands in the log, byte for byte. */
  async assertSound(): Promise<void> {
    for (const [name, { refusals }] of this.servers) assert.deepEqual(refusals, [], name);
    assert.equal(this.served, this.parts.turns.length, 'answers were left over');
    await assertRebuilt({ requests: this.arrivals.map(({ request }) => request) }, { folder: this.folder });
    this.assertSecrets();
  }

  /** What only a maker may know went to no other, and went back to it as it came, as often as it was asked again. */
  private assertSecrets(): void {
    for (const reply of this.replies) {
      const name = targetName(reply.source);
      for (const { target, request } of this.arrivals) {
        const body = request.bytes.toString();
        if (targetName(target) === name) continue;
        for (const secret of secretsIn(reply)) {
          assert.ok(
            !body.includes(JSON.stringify(secret).slice(1, -1)),
            `${targetName(target)} was sent ${secret} of ${name}`,
          );
        }
      }
    }
  }

  /** Every one of these replies is in the body as its maker gave it. */
  assertReturned(replies: readonly Reply[], body: string): void {
    for (const part of replies.flatMap(wordingOf)) assert.ok(body.includes(part), `${part} isn’t in ${body}`);
  }

  private answer(target: Target, request: RecordedRequest): Answer {
    this.arrivals.push({ target, request });
    const turn = this.parts.turns[this.served];
    this.served += 1;
    assert.ok(turn !== undefined, `request ${this.served} is one too many`);
    assert.equal(targetName(target), targetName(turn.by), `request ${this.served} went to another model`);
    return typeof turn.answer === 'function' ? turn.answer(request) : turn.answer;
  }

  private async loopOver(session: Session, recorder: Recorder): Promise<Loop> {
    const { clock, transport } = this;
    const model = createModel({
      transport,
      clock,
      random: () => 0.5,
      cacheKey: session.id,
      link: async (target) => {
        const wire = await loadWire(target.wire);
        return { wire, baseUrl: this.server(target).url, headers: () => wire.keyHeaders('a key') };
      },
      putBlob: (bytes) => session.blobs.put(bytes),
      getBlob: (blob) => session.blobs.get(blob),
      previousBody: async (id) => {
        const previous = await previousBody(session.folder, session.skeleton);
        return previous?.id === id ? previous.body : undefined;
      },
    });
    const calls = scriptedCalls(this.parts.run ?? {}, clock);
    const ports = { log: session, clock, model, calls, verifier: scriptedVerifier(), summariser: scriptedSummariser() };
    return { ports, recorder, rules: defaultRules, notify: () => undefined };
  }

  private opened(): { session: Session; loop: Loop } {
    const { session, loop } = this;
    assert.ok(session !== undefined && loop !== undefined, 'the session isn’t open');
    return { session, loop };
  }

  private async end(): Promise<void> {
    this.transport.close();
    await this.session?.close();
    for (const server of this.servers.values()) await server.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}
