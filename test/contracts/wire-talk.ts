/** A conversation with the shipped model server over a wire, for the contract of wires. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  fold,
  View,
  type Draft,
  type EventData,
  type ImagePart,
  type Json,
  type JsonObject,
  type ModelOutcome,
  type Notification,
  type SetupData,
} from '../../src/core/index.ts';
import { loadWire, type TransportOptions } from '../../src/model/index.ts';
import { startModelServer, type Answer, type ModelServer, type RecordedRequest } from '../../src/testing/index.ts';
import { ask, rig, setup, type Rig } from '../model/loopback.ts';

export type Reply = EventData['reply'];
export type Call = Extract<Reply['parts'][number], { type: 'call' }>;

/** A wire, and what the suite must know of it. */
export interface Peer {
  name: string;
  target: Partial<SetupData> & Pick<SetupData, 'provider' | 'wire' | 'model'>;
  /** Another model of the same provider. */
  other: string;
  /** Whether the model's own reasoning goes back to it. */
  returnsReasoning: boolean;
  /** The server reports no usage unless asked, and this peer doesn't ask: the provider tells it anyway. */
  asksForUsage: boolean;
  /** The events of a whole reply whose text comes in these pieces. */
  stream(pieces: string[]): JsonObject[];
}

/** What the server answers, request by request; one that depends on the request is made from it. */
export type Script = readonly (Answer | ((request: RecordedRequest) => Answer))[];

const tools: SetupData['tools'] = ['read', 'edit'].map((name) => ({
  name,
  description: `Does ${name}.`,
  input: { type: 'object', properties: { path: { type: 'string' } } },
}));

export class Talk {
  readonly server: ModelServer;
  /** A log in memory, folded as it grows. */
  readonly view = new View();
  readonly rig: Rig;
  private readonly bodies: Map<string, Uint8Array>;
  /** Of each request, whether it extends the one before. */
  readonly extended: boolean[] = [];
  private setup: SetupData;
  private turn = 0;
  private events = 0;
  /** The id of the last reply's event. */
  private last = '';

  constructor(server: ModelServer, own: Rig, bodies: Map<string, Uint8Array>, data: SetupData) {
    this.server = server;
    this.rig = own;
    this.bodies = bodies;
    this.setup = data;
    this.add({ kind: 'setup', data });
  }

  get notifications(): Notification[] {
    return this.rig.notifications;
  }

  /** The server tells its limits in real time, so that the log's is real, too. */
  private add(draft: Draft): string {
    this.events += 1;
    const id = `e${this.events}`;
    fold(this.view, { id, parent: this.view.head, at: Date.now(), ...draft });
    return id;
  }

  say(text: string, images: ImagePart[] = []): void {
    this.add({ kind: 'input', data: { from: 'user', text, ...(images.length === 0 ? {} : { images }) } });
  }

  /** The rest of the conversation is with another model. */
  switchTo(target: Partial<SetupData>): void {
    const { profile, ...before } = this.setup;
    const kept = target.wire === undefined && profile !== undefined ? { profile } : {};
    this.setup = { ...before, ...kept, ...target };
    this.add({ kind: 'setup', data: this.setup });
  }

  /** One try; a reply is recorded, a failure too. */
  async send(signal: AbortSignal = new AbortController().signal): Promise<ModelOutcome> {
    const { view, rig: own } = this;
    this.turn += 1;
    const attempt = (view.failure?.attempts ?? 0) + 1;
    const prepared = await own.model.prepare(view, { ...ask, turn: this.turn, attempt });
    const request = this.add({ kind: 'request', data: prepared.data });
    this.bodies.set(request, prepared.body);
    this.extended.push(prepared.data.extends);
    const outcome = await own.model.send(prepared, request, signal, (notification) => {
      own.notifications.push(notification);
    });
    if (outcome.kind === 'reply') this.last = this.add({ kind: 'reply', data: { request, ...outcome.data } });
    else this.add({ kind: 'failure', data: { request, ...outcome.data } });
    return outcome;
  }

  async reply(): Promise<Omit<Reply, 'request'>> {
    const outcome = await this.send();
    assert.ok(outcome.kind === 'reply', JSON.stringify(outcome));
    return outcome.data;
  }

  async failure(signal?: AbortSignal): Promise<Omit<EventData['failure'], 'request'>> {
    const outcome = await this.send(signal);
    assert.ok(outcome.kind === 'failure', JSON.stringify(outcome));
    return outcome.data;
  }

  /** The result of a call of the last reply, by its place. */
  result(place: number, text: string, more: Partial<EventData['result']> = {}): void {
    const data = { call: `${this.last}/${place}`, tool: 'read', outcome: 'ok' as const, text, ...more };
    this.add({ kind: 'result', data });
  }

  image(blob: string, mediaType = 'image/png'): ImagePart {
    const bytes = Buffer.from(smallestPng, 'base64');
    this.rig.blobs.set(blob, bytes);
    return { type: 'image', mediaType, blob, bytes: bytes.length };
  }

  asked(number: number): RecordedRequest {
    const request = this.server.requests[number - 1];
    assert.ok(request !== undefined, `request ${number} never came`);
    return request;
  }

  lastAsked(): RecordedRequest {
    return this.asked(this.server.requests.length);
  }

  /** The server had nothing to refuse, and each request extends the one before it. */
  assertClean(): void {
    this.assertLegal();
    assert.deepEqual(this.server.prefixBreaks, []);
    assert.ok(this.extended.every(Boolean), `extended: ${this.extended.join(', ')}`);
  }

  assertLegal(): void {
    assert.deepEqual(this.server.refusals, []);
  }
}

const smallestPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export interface TalkOptions {
  setup?: Partial<SetupData>;
  transport?: TransportOptions;
  /** The only key that the server lets in, and the one that is sent. */
  key?: string;
  sentKey?: string;
}

export async function startTalk(t: TestContext, peer: Peer, script: Script, options: TalkOptions = {}): Promise<Talk> {
  let served = 0;
  const server = await startModelServer(
    (request) => {
      const answer = script[served];
      served += 1;
      assert.ok(answer !== undefined, `request ${served} is one too many`);
      return typeof answer === 'function' ? answer(request) : answer;
    },
    { window: options.setup?.window ?? 200_000, ...(options.key === undefined ? {} : { key: options.key }) },
  );
  t.after(() => server.close());
  const bodies = new Map<string, Uint8Array>();
  const own = await rig(t, server.url, {
    ...(options.transport === undefined ? {} : { transport: options.transport }),
    model: {
      link: async ({ wire }) => {
        const known = await loadWire(wire);
        return { wire: known, baseUrl: server.url, headers: () => known.keyHeaders(options.sentKey ?? 'a key') };
      },
      previousBody: async (id) => bodies.get(id),
      clock: { now: () => Date.now() },
      random: () => 0,
    },
  });
  return new Talk(server, own, bodies, setup({ tools, ...peer.target, ...options.setup }));
}

export function callsIn({ parts }: Pick<Reply, 'parts'>): Call[] {
  return parts.filter((part) => part.type === 'call');
}

export function textIn({ parts }: Pick<Reply, 'parts'>): string {
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
}

export function thinkingIn({ parts }: Pick<Reply, 'parts'>): string {
  return parts.flatMap((part) => (part.type === 'thinking' ? part.text : [])).join('');
}

/** Texts so long that nobody has them by chance. */
const telling = 20;

/** What only the maker of a reply may see again: the long texts of its opaque items. */
export function sealedIn({ parts }: Pick<Reply, 'parts'>): string[] {
  return parts.flatMap((part) => {
    if (part.opaque === undefined) return [];
    const isPlain = part.type === 'thinking' && hasKey(part.opaque, 'field');
    const texts = [...stringsIn(part.opaque), ...(isPlain ? [part.text] : [])];
    // What was said is for everyone.
    const said = part.type === 'text' ? part.text : '';
    return texts.filter((text) => text.length >= telling && !said.includes(text));
  });
}

function hasKey(value: Json, key: string): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key);
}

/** All texts in a value, however deep; ids are the server's own and may stay behind. */
export function stringsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'id' ? [] : stringsIn(inner)));
}
