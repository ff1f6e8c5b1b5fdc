/** Whatever was said by whomever, every model can be asked next, and what it is sent only grows at its end. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  fold,
  targetName,
  View,
  wantsModel,
  type Draft,
  type EventData,
  type EventId,
  type ImagePart,
  type JsonObject,
  type SetupData,
  type Source,
  type ToolSpec,
} from '../../src/core/index.ts';
import { holds, patience } from '../support/property.ts';
import { askedOf, peersFor, repliedBy, targets, type Asked, type Peer } from './switching-peers.ts';
import { talks, type Given, type Step } from './switching-talk.ts';

const path: JsonObject = { type: 'object', properties: { path: { type: 'string' } } };
const tools: ToolSpec[] = [
  { name: 'read', description: 'Reads.', input: path },
  { name: 'patch', description: 'Patches.', input: path, text: { argument: 'path' } },
  { name: 'server.files/read', description: 'Reads far away.', input: { anyOf: [path, path] } },
  { name: '9 lives', description: 'Has them.', input: { ...path, additionalProperties: { $ref: '#' } } },
];

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const image: ImagePart = { type: 'image', mediaType: 'image/png', blob: 'dot', bytes: dot.length };
const stranger: Source = { provider: 'stranger', wire: 'unknown', model: 'm' };

/** A conversation in memory, as its record would be folded. */
class Talk {
  readonly view = new View();
  private events = 0;

  constructor() {
    const [first] = targets;
    assert.ok(first !== undefined);
    const data: SetupData = {
      ...first,
      reins: '0.0.0',
      system: ['You are a test.', 'Today is a day.'],
      tools,
      mode: 'auto',
      limits: { turns: null, calls: null, minutes: null, cost: null, outputTokens: 4_000 },
      retries: { attempts: 1, minutes: 1, brokenStream: 1, firstPause: 1 },
      checks: [],
      routes: targets.slice(1).map((target) => ({ ...target, when: {} })),
    };
    this.add({ kind: 'setup', data });
    this.say('user', 'Go.', 0);
  }

  add(draft: Draft): EventId {
    this.events += 1;
    const id = `e${this.events}`;
    fold(this.view, { id, parent: this.view.head, at: this.events, ...draft });
    return id;
  }

  say(from: EventData['input']['from'], text: string, images: number): void {
    const shown = Array.from({ length: images }, () => image);
    this.add({ kind: 'input', data: { from, text, ...(images > 0 && { images: shown }) } });
  }

  reply(data: Omit<EventData['reply'], 'request' | 'firstByte' | 'elapsed'>, results: readonly Given[]): void {
    const id = this.add({ kind: 'reply', data: { request: 'e0', firstByte: 1, elapsed: 2, ...data } });
    const calls = data.parts.filter((part) => part.type === 'call');
    const answers = calls.flatMap(({ name }, place) => {
      const given = results[place];
      return given === undefined || given.lost ? [] : [{ given, name, place }];
    });
    for (const { given, name, place } of answers.toSorted((a, b) => a.given.order - b.given.order)) {
      const { outcome, text, images } = given;
      const shown = { images: Array.from({ length: images }, () => image) };
      const call = `${id}/${place}`;
      this.add({ kind: 'result', data: { call, tool: name, outcome, text, ...(images > 0 && shown) } });
    }
  }
}

/** What was declined is no part of the conversation. */
function isUnsaid({ reply, texts }: View['transcript']['segments'][number]): boolean {
  return reply?.stop === 'refusal' && texts.length === 0;
}

/** Everybody could be asked now: nobody would refuse, and for each the request extends the one before. */
async function askAll(talk: Talk, peers: readonly Peer[]): Promise<Map<Peer, Asked>> {
  const asked = new Map<Peer, Asked>();
  const { reply } = talk.view.transcript.segments.findLast((each) => !isUnsaid(each)) ?? {};
  for (const peer of peers) {
    const now = await askedOf(peer, talk.view);
    assertExtends(peer, now);
    // What stands in for the words after another's pause goes when somebody else takes the pause up.
    const isHeard = reply?.stop !== 'pause' || targetName(reply.source) === targetName(peer.target);
    if (isHeard) peer.before = now.canonical;
    asked.set(peer, now);
  }
  return asked;
}

function assertExtends({ target, before }: Peer, { canonical, sent }: Asked): void {
  if (before === undefined) return;
  const name = targetName(target);
  assert.deepEqual([canonical.tools, canonical.system], [before.tools, before.system]);
  for (const [index, { role, bytes }] of before.blocks.entries()) {
    const is = canonical.blocks[index];
    const isWhole = target.wire === 'openai-chat' && (role === 'user' || role === 'system' || role === 'developer');
    // Where a block is a whole message, what is said next joins the last one when no reply of this model's came between.
    const isOpen = isWhole && index === before.blocks.length - 1;
    if (isOpen && is?.role === role) continue;
    // The harness has its own voice only at the end; what is said after it without a reply between takes that away.
    const isVoiced = target.wire === 'anthropic' && role === 'system' && is?.role === 'user';
    const was = `${isVoiced ? 'user' : role} ${bytes.toString()}`;
    assert.equal(is && `${is.role} ${is.bytes.toString()}`, was, `${name} at block ${index} of ${sent}`);
  }
}

async function play(talk: Talk, peers: readonly Peer[], steps: readonly Step[]): Promise<void> {
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'say') {
      talk.say(step.from, step.text, step.images);
      continue;
    }
    if (!wantsModel(talk.view.transcript)) talk.say('user', 'Go on.', 0);
    const asked = await askAll(talk, peers);
    if (step.kind === 'foreign') {
      talk.reply({ source: stranger, parts: step.parts, stop: step.stop }, step.results);
      continue;
    }
    const peer = peers[step.by];
    const request = peer && asked.get(peer);
    assert.ok(peer !== undefined && request !== undefined);
    const reply = repliedBy(peer, tools, request, step.reply, `turn ${index}`);
    if (reply !== undefined) talk.reply(reply, step.results);
  }
  if (!wantsModel(talk.view.transcript)) talk.say('user', 'And now?', 0);
  await askAll(talk, peers);
}

describe('a random conversation', () => {
  test('can go on with every model, and grows at its end alone', { timeout: patience }, async (t) => {
    await holds(t, talks, 100, async (steps) => {
      const peers = await peersFor(new Map([['dot', dot]]));
      await play(new Talk(), peers, steps);
    });
  });
});
