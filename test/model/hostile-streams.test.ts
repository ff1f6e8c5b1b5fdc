/**
 * Whatever a server sends: nothing throws, nothing that was cut becomes a reply, and what does become one can be sent on, to its own
 * provider and to every other.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import {
  fold,
  sourceOf,
  targetName,
  View,
  type Draft,
  type EventData,
  type Json,
  type JsonObject,
  type SetupData,
  type Target,
  type ToolSpec,
} from '../../src/core/index.ts';
import { createSseParser, type Decoded, type DecodedReply, type Delta } from '../../src/model/index.ts';
import type { ScriptedReply } from '../../src/testing/index.ts';
import { askedOf, peersFor, targets, type Peer } from '../properties/switching-peers.ts';
import { holds, patience } from '../support/property.ts';

interface Frame {
  name?: string | undefined;
  data: string;
}

const path: JsonObject = { type: 'object', properties: { path: { type: 'string' } } };
const tools: ToolSpec[] = [
  { name: 'read', description: 'Reads.', input: path },
  { name: 'server.files/read', description: 'Reads far away.', input: path },
];

/** Replies that the servers of every wire are scripted to give. */
const scripts: ScriptedReply[] = [
  {
    blocks: [
      { thinking: 'Hm. 😀' },
      { text: 'I look.' },
      { call: { name: 'read', arguments: { path: 'a', deep: [{ x: '"}' }] } } },
      { call: { name: 'server.files/read', arguments: { path: 'two\nlines' } } },
    ],
  },
  { blocks: [{ thinking: 'a' }, { text: 'b' }, { thinking: 'c' }, { call: { name: 'read', arguments: {} } }] },
  { blocks: [{ text: 'All is well.' }] },
  { blocks: [{ text: 'So' }, { call: { name: 'read', arguments: { path: 'a long path' } } }], stop: 'length' },
];

const peers = await peersFor(new Map());
const makers = peers.filter(({ target }) => targets.slice(0, 4).includes(target));

/** A conversation of one reply, with what was said after it. */
function talkOf(source: Target, reply: DecodedReply): View {
  const view = new View();
  let events = 0;
  const add = (draft: Draft): string => {
    events += 1;
    fold(view, { id: `e${events}`, parent: view.head, at: events, ...draft });
    return `e${events}`;
  };
  const [first] = targets;
  assert.ok(first !== undefined);
  const data: SetupData = {
    ...first,
    reins: '0.0.0',
    system: ['You are a test.'],
    tools,
    mode: 'auto',
    limits: { turns: null, calls: null, minutes: null, cost: null, outputTokens: 4_000 },
    retries: { attempts: 1, minutes: 1, brokenStream: 1, firstPause: 1 },
    checks: [],
    routes: targets.slice(1).map((target) => ({ ...target, when: {} })),
  };
  add({ kind: 'setup', data });
  add({ kind: 'input', data: { from: 'user', text: 'Go.' } });
  const recorded = JSON.parse(JSON.stringify(reply)) as DecodedReply;
  const whole: EventData['reply'] = { ...recorded, request: 'e0', firstByte: 1, elapsed: 2, source: sourceOf(source) };
  const id = add({ kind: 'reply', data: whole });
  const calls = reply.parts.filter((part) => part.type === 'call');
  for (const [place, { name }] of calls.entries())
    add({ kind: 'result', data: { call: `${id}/${place}`, tool: name, outcome: 'ok', text: 'done' } });
  if (calls.length === 0) add({ kind: 'input', data: { from: 'user', text: 'On.' } });
  return view;
}

function framesOf({ target, wire, dialect }: Peer, script: ScriptedReply): Frame[] {
  const question = dialect.read({}, wire.path(target).split('?')[0] ?? '');
  const { events } = dialect.stream(script, {
    question,
    model: target.model,
    place: 'here',
    usage: { input: 9, output: 5 },
  });
  const frames: Frame[] = [];
  const parser = createSseParser(({ event, data }) => frames.push({ name: event, data }));
  for (const event of events) parser.push(Buffer.from(event));
  return frames;
}

const written = (frames: readonly Frame[], end: string): string =>
  frames
    .map(({ name, data }) => `${name === undefined ? '' : `event: ${name}${end}`}data: ${data}${end}${end}`)
    .join('');

function decode({ wire, target }: Peer, bytes: Buffer, size: number): { outcome: Decoded; shown: Delta[] } {
  const shown: Delta[] = [];
  const decoder = wire.decoder((delta) => shown.push(delta), { target, tools });
  const parser = createSseParser((event) => decoder.push(event));
  for (let at = 0; at < bytes.length && !decoder.done; at += size) parser.push(bytes.subarray(at, at + size));
  if (!decoder.done) parser.end();
  return { outcome: decoder.end(), shown };
}

/** Nobody but its maker may mind what is sent on; the maker minds only what no order of events can bring about. */
async function assertSendable(peer: Peer, reply: DecodedReply, except: readonly string[]): Promise<void> {
  assert.deepEqual(JSON.parse(JSON.stringify(reply)), reply, 'it can be written down');
  const view = talkOf(peer.target, reply);
  for (const other of peers) {
    const isOwn = targetName(other.target) === targetName(peer.target);
    const check: Peer['dialect']['check'] = (body, options) => {
      const found = other.dialect.check(body, { ...options, except: ['signatures'] });
      return isOwn && found !== undefined && except.includes(found.rule) ? undefined : found;
    };
    const dialect = Object.assign(Object.create(other.dialect) as Peer['dialect'], { check });
    await askedOf({ ...other, dialect }, view);
  }
}

const sizes = fc.constantFrom(1, 7, 1_000_000);
const ends = fc.constantFrom('\n', '\r\n', '\r');
const streams = fc.record({
  by: fc.nat(makers.length - 1),
  script: fc.constantFrom(...scripts),
  size: sizes,
  end: ends,
});

/** What becomes of the events on their way. */
const change = fc.record({
  how: fc.constantFrom('drop', 'double', 'move', 'cut', 'repeat'),
  at: fc.nat(1_000),
  to: fc.nat(1_000),
});

function changed(frames: readonly Frame[], changes: readonly { how: string; at: number; to: number }[]): Frame[] {
  let list = [...frames];
  for (const { how, at: where, to } of changes) {
    const at = where % (list.length + 1);
    const frame = list[at];
    if (how === 'cut') list = list.slice(0, at);
    else if (how === 'repeat') list.push(...list.slice(at));
    else if (frame !== undefined && how === 'double') list.splice(to % list.length, 0, frame);
    else if (frame !== undefined) {
      list.splice(at, 1);
      if (how === 'move') list.splice(to % (list.length + 1), 0, frame);
    }
  }
  return list;
}

const odd: Json[] = [
  null,
  0,
  -1,
  2.5,
  1e308,
  true,
  '',
  'x',
  ' ',
  '{"path":',
  '__proto__',
  'half \ud83d',
  '\u0000\u001b[2J',
  [],
  {},
  [null],
];
const odder: Json[] = [
  JSON.parse('{"__proto__":{"polluted":true},"type":"text"}') as Json,
  { constructor: { prototype: { polluted: true } }, toString: 1 },
  [{ type: 'text', text: 'q' }, 5, null],
  JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`) as Json,
  'y'.repeat(5_000),
];
const keys = [
  '__proto__',
  'constructor',
  'toString',
  'type',
  'index',
  'id',
  'text',
  'cache_control',
  'thought',
  'error',
  '',
];

/** A value somewhere in an event that is another one, or has another name. */
interface Swap {
  frame: number;
  place: number;
  value: Json;
  name: string | null;
}
const swap: fc.Arbitrary<Swap> = fc.record({
  frame: fc.nat(1_000),
  place: fc.nat(10_000),
  value: fc.constantFrom(...odd, ...odder),
  name: fc.option(fc.constantFrom(...keys), { freq: 3 }),
});

function swapped(frames: readonly Frame[], swaps: readonly Swap[]): Frame[] {
  const list = [...frames];
  for (const { frame: at, place, value, name } of swaps) {
    const frame = list[at % list.length];
    if (frame === undefined || !frame.data.startsWith('{')) continue;
    const data = JSON.parse(frame.data) as JsonObject;
    const holders = holdersIn(data);
    const [holder, key] = holders[place % holders.length] ?? [data, 'type'];
    // An own key, also where it is called like a prototype.
    Object.defineProperty(holder, name ?? key, { value, enumerable: true, configurable: true, writable: true });
    list[at % list.length] = { ...frame, data: JSON.stringify(data) };
  }
  return list;
}

function holdersIn(value: Json): [object, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[value, key] as [object, string], ...holdersIn(inner)]);
}

describe('a stream of any wire', () => {
  test('whose events are lost, doubled, moved or cut', { timeout: patience }, async (t) => {
    await holds(
      t,
      fc.tuple(streams, fc.array(change, { minLength: 1, maxLength: 3 })),
      200,
      async ([plan, changes]) => {
        const peer = makers[plan.by];
        assert.ok(peer !== undefined);
        const frames = changed(framesOf(peer, plan.script), changes);
        const { outcome } = decode(peer, Buffer.from(written(frames, plan.end)), plan.size);
        if (outcome.kind === 'reply') await assertSendable(peer, outcome.reply, []);
      },
    );
  });

  test('of which values are others than they should be', { timeout: patience }, async (t) => {
    await holds(t, fc.tuple(streams, fc.array(swap, { minLength: 1, maxLength: 3 })), 400, async ([plan, swaps]) => {
      const peer = makers[plan.by];
      assert.ok(peer !== undefined);
      const frames = swapped(framesOf(peer, plan.script), swaps);
      const { outcome } = decode(peer, Buffer.from(written(frames, plan.end)), plan.size);
      assert.equal(({} as JsonObject)['polluted'], undefined);
      // What its maker invented goes back to it as it came.
      if (outcome.kind === 'reply') await assertSendable(peer, outcome.reply, ['keys', 'input', 'blank']);
    });
  });

  test('with broken bytes, at any place', { timeout: patience }, async (t) => {
    const bytes = fc.tuple(streams, fc.nat(100_000), fc.constantFrom(0, 0x0a, 0x22, 0x5c, 0x7b, 0xc3, 0xff));
    await holds(t, bytes, 200, async ([plan, where, byte]) => {
      const peer = makers[plan.by];
      assert.ok(peer !== undefined);
      const stream = Buffer.from(written(framesOf(peer, plan.script), plan.end));
      stream[where % stream.length] = byte;
      const { outcome } = decode(peer, stream, plan.size);
      if (outcome.kind === 'reply') await assertSendable(peer, outcome.reply, ['keys', 'input', 'blank']);
    });
  });

  test('that is cut anywhere runs no call that isn’t whole', { timeout: patience }, async (t) => {
    await holds(t, fc.tuple(streams, fc.nat(100_000)), 400, async ([plan, where]) => {
      const peer = makers[plan.by];
      assert.ok(peer !== undefined);
      const stream = Buffer.from(written(framesOf(peer, plan.script), plan.end));
      const whole = decode(peer, stream, plan.size).outcome;
      const { outcome } = decode(peer, stream.subarray(0, where % stream.length), plan.size);
      if (outcome.kind === 'failure' || outcome.reply.stop === 'length') return;
      const made = JSON.stringify(whole.kind === 'reply' ? whole.reply.parts : []);
      for (const part of outcome.reply.parts)
        if (part.type === 'call') assert.ok(made.includes(JSON.stringify(part.arguments)), JSON.stringify(part));
    });
  });
});

/** Many small events, each with something new to be kept. */
const growing: { [wire: string]: { before: object[]; each: (index: number) => object } } = {
  anthropic: {
    before: [
      { type: 'message_start', message: { id: 'msg_1' } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'So.' } },
    ],
    each: (index) =>
      index % 2 === 0
        ? { type: 'message_delta', delta: { [`a${index}`]: 1 }, usage: { [`b${index}`]: 1 } }
        : { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: { at: index } } },
  },
  'openai-responses': {
    before: Array.from({ length: 1_000 }, (_, index) => ({
      type: 'response.output_item.added',
      output_index: index,
      item: { type: 'message', id: `m${index}` },
    })),
    each: (index) => ({ type: 'response.output_text.delta', output_index: index % 1_000, delta: 'a' }),
  },
  'openai-chat': {
    before: [],
    each: (index) => ({
      usage: { [`u${index}`]: 1 },
      choices: [{ delta: { tool_calls: [{ index: 0, id: 'c', [`k${index}`]: 1, function: { name: 'read' } }] } }],
    }),
  },
  gemini: {
    before: [
      {
        candidates: [
          {
            content: {
              parts: [{ functionCall: { name: 'read', args: { a: 'x'.repeat(50_000) }, willContinue: true } }],
            },
          },
        ],
      },
    ],
    each: (index) => ({
      usageMetadata: { [`u${index}`]: 1 },
      candidates: [
        {
          content: {
            parts: [
              { text: 'a', thought: index % 2 === 0 },
              { [`k${index}`]: 1, functionCall: { [`c${index}`]: 1, willContinue: true } },
            ],
          },
        },
      ],
    }),
  },
};

describe('a reply that grows by what it says takes the time of what comes, not of what it has', () => {
  for (const peer of makers) {
    test(peer.target.wire, { timeout: patience }, () => {
      const { before, each } = growing[peer.target.wire] ?? { before: [], each: () => ({}) };
      const events = [...before, ...Array.from({ length: 10_000 }, (_, index) => each(index))];
      const frames = events.map((event) => ({
        name: 'type' in event ? String(event.type) : undefined,
        data: JSON.stringify(event),
      }));
      const started = performance.now();
      assert.equal(decode(peer, Buffer.from(written(frames, '\n')), 65_536).outcome.kind, 'failure');
      assert.ok(performance.now() - started < 5_000);
    });
  }
});
