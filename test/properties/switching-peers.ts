/** Models of every kind and what a strict server of each says to a request; nothing goes over a network. */
import assert from 'node:assert/strict';
import {
  sourceOf,
  targetName,
  type Abilities,
  type EventData,
  type JsonObject,
  type Model,
  type Target,
  type ToolSpec,
  type View,
} from '../../src/core/index.ts';
import {
  createModel,
  createSseParser,
  createTransport,
  loadWire,
  type Canonical,
  type Decoded,
  type Wire,
} from '../../src/model/index.ts';
import { allDialects, type Dialect } from '../../src/testing/dialects/index.ts';
import type { ScriptedReply } from '../../src/testing/index.ts';
import { able } from '../support/abilities.ts';
import { makers, sibling } from './switching-makers.ts';

type More = Partial<Omit<Target, 'abilities'>> & { abilities?: Partial<Abilities> };

function variant(wire: string, name: string, { abilities, ...more }: More = {}): Target {
  const maker = makers.find((each) => each.wire === wire);
  assert.ok(maker !== undefined);
  return { ...maker, provider: name, ...more, abilities: { ...able.abilities, ...abilities } };
}

const chat = (profile: string, model: string): Target => variant('openai-chat', profile, { profile, model });

/** One of each wire, another model of each, and what differs in dialect and abilities. */
export const targets: readonly Target[] = [
  ...makers,
  ...makers.map(sibling),
  variant('anthropic', 'voiced', { abilities: { systemMessages: true } }),
  variant('anthropic', 'blind', { abilities: { images: false }, settings: { thinking: 'off' } }),
  variant('openai-responses', 'voiced-too', { abilities: { systemMessages: true } }),
  variant('openai-responses', 'imitation', { profile: 'plain', abilities: { images: false } }),
  variant('openai-chat', 'voiced-as-well', { abilities: { systemMessages: true, images: false } }),
  chat('openai', 'gpt-test-2'),
  chat('deepseek', 'deepseek-test'),
  chat('mistral', 'mistral-test'),
  chat('openrouter', 'anthropic/claude-test'),
  chat('vllm', 'kimi-test'),
  variant('gemini', 'older', { model: 'gemini-2.5-test' }),
  variant('gemini', 'narrow', { profile: 'openapi', abilities: { images: false } }),
];

/** A model with a strict server of its own. */
export interface Peer {
  target: Target;
  wire: Wire;
  dialect: Dialect;
  model: Model;
  /** The canonical sequence of the request before. */
  before?: Canonical;
}

export interface Asked {
  body: JsonObject;
  canonical: Canonical;
  sent: string;
}

/** `images` gives the bytes of a blob. */
export async function peersFor(images: ReadonlyMap<string, Buffer>): Promise<Peer[]> {
  const transport = createTransport();
  return Promise.all(
    targets.map(async (target): Promise<Peer> => {
      const wire = await loadWire(target.wire);
      const dialect = allDialects().find((each) => each.route('POST', pathOf(wire, target)) === 'reply');
      assert.ok(dialect !== undefined);
      const model = createModel({
        transport,
        link: () => Promise.resolve({ wire, baseUrl: 'http://127.0.0.1:1', headers: () => ({}) }),
        clock: { now: () => 0 },
        random: () => 0,
        cacheKey: 'a-session',
        previousBody: () => Promise.resolve(undefined),
        putBlob: () => Promise.resolve('a blob'),
        getBlob: (blob) => Promise.resolve(images.get(blob)),
      });
      return { target, wire, dialect, model };
    }),
  );
}

const pathOf = (wire: Wire, target: Target): string => wire.path(target).split('?')[0] ?? '';

/** The request that this model would be sent now. The server takes it. */
export async function askedOf(peer: Peer, view: View): Promise<Asked> {
  const { target, wire, dialect, model } = peer;
  const name = targetName(target);
  const route = { to: name, because: 'a test' };
  const { body: bytes } = await model.prepare(view, { turn: 1, attempt: 1, maxOutput: 4_000, closing: false, route });
  const sent = Buffer.from(bytes).toString();
  const body = JSON.parse(sent) as JsonObject;
  const { reply } = view.transcript.segments.at(-1) ?? {};
  const violation = dialect.check(body, {
    window: target.window,
    inputTokens: dialect.canonical(body).reduce((sum, part) => sum + part.tokens, 0),
    bytes: bytes.length,
    headers: wire.headers(),
    path: pathOf(wire, target),
    paused: reply?.stop === 'pause' && targetName(reply.source) === name,
    counting: false,
    systemMessages: target.abilities.systemMessages,
  });
  assert.equal(violation, undefined, `${name}: ${JSON.stringify(violation)}\n${sent}`);
  const canonical = wire.canonical(bytes);
  assert.ok(canonical !== undefined);
  return { body, canonical, sent };
}

/** What this model replies to a request, as it would be recorded. */
export function repliedBy(
  { target, wire, dialect }: Peer,
  tools: readonly ToolSpec[],
  { body }: Asked,
  reply: ScriptedReply,
  place: string,
): Omit<EventData['reply'], 'request' | 'firstByte' | 'elapsed'> | undefined {
  const path = pathOf(wire, target);
  const { events } = dialect.stream(reply, { question: dialect.read(body, path), model: target.model, place });
  const decoder = wire.decoder(() => undefined, { target, tools: [...tools] });
  const parser = createSseParser((event) => decoder.push(event));
  for (const event of events) parser.push(Buffer.from(event));
  parser.end();
  const decoded: Decoded = decoder.end();
  return decoded.kind === 'reply' ? { source: sourceOf(target), ...decoded.reply } : undefined;
}
