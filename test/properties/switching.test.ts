/**
 * A session that begins with one model, goes on with another and comes back: no provider is sent anything illegal, what only a maker
 * can read goes to it alone and as it came, and the record keeps everything.
 */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { targetName, type EventData, type JsonObject, type Target, type ToolSpec } from '../../src/core/index.ts';
import { loadWire } from '../../src/model/index.ts';
import type { ScriptedReply } from '../../src/testing/index.ts';
import { Journey, type Turn } from './switching-journey.ts';
import { pairs, siblings, wordingOf, type Pair } from './switching-makers.ts';

type Request = EventData['request'];

const path: JsonObject = { type: 'object', properties: { path: { type: 'string' } } };
const tools: ToolSpec[] = ['read', 'look', 'turn'].map((name) => ({ name, description: `Does ${name}.`, input: path }));

const thought = (topic: string) => `What I think of ${topic} is long and winding, and for nobody else to read.`;
const reads = (...paths: string[]) => paths.map((each) => ({ name: 'read', arguments: { path: each } }));
const cut = { cut: 'in-thinking' } as const;

/** Everything that reasons: with parallel calls, sealed, between blank blocks; interrupted inside of it once. */
function opening(by: Target): Turn[] {
  const first: ScriptedReply = {
    blocks: [
      { thinking: thought('the beginning') },
      { text: 'I read both.' },
      { text: ' \n' },
      ...reads('a', 'b').map((call) => ({ call })),
    ],
  };
  const second: ScriptedReply = {
    blocks: [{ redacted: thought('a secret') }, { call: { name: 'look', arguments: { path: 'c' } } }],
  };
  return [
    { by, answer: { reply: first, failure: cut } },
    { by, answer: first },
    { by, answer: second },
  ];
}

const middle = (by: Target): Turn[] => [
  { by, answer: { thinking: thought('what another began'), text: 'I go on.', calls: reads('d', 'e') } },
];

const ending = (by: Target): Turn[] => [
  { by, answer: { thinking: thought('the return'), calls: reads('f') } },
  { by, answer: { text: 'All done.' } },
];

/** The brackets that close a message. */
const closing = ']}'.length;

async function begin(t: TestContext, { from, to }: Pair, turns: readonly Turn[], more: { routes?: Target[] } = {}) {
  /** Whom the tool `turn` hands over to, in their order. */
  const next = [to, from];
  const journey: Journey = await Journey.start(t, {
    makers: [from, to],
    turns,
    tools,
    run: {
      read: (args) => `the content of ${JSON.stringify(args['path'])}`,
      look: async () => ({ outcome: 'ok', text: '', images: [await journey.image()] }),
      turn: async () => {
        const target = next.shift();
        assert.ok(target !== undefined);
        await journey.switchTo(target);
        return 'turned';
      },
    },
  });
  const routes = more.routes?.map((route) => ({ ...route, when: {} }));
  await journey.open(from, routes === undefined ? {} : { routes });
  await journey.say('Look at this.', [await journey.image()]);
  return journey;
}

/** What was recorded stays as it is: what comes is only ever added. */
async function keepingRecord(journey: Journey, go: () => Promise<void>): Promise<void> {
  const { log, replies } = journey;
  await go();
  assert.deepEqual(journey.log.subarray(0, log.length), log);
  assert.deepEqual(journey.replies.slice(0, replies.length), replies);
}

/** Within a model each request extends the one before; where another is asked, that and what it may cost is said. */
function assertExtends(journey: Journey, { from, to }: Pair): void {
  let before: Request | undefined;
  const turns: string[] = [];
  for (const request of journey.of('request')) {
    const name = targetName(request.source);
    const last = before === undefined ? name : targetName(before.source);
    if (name === last) assert.deepEqual([request.extends, request.broke, request.miss], [true, undefined, undefined]);
    else {
      turns.push(name);
      const { extends: extending, broke, miss } = request;
      assert.deepEqual([extending, broke, miss?.of], [false, 'model', `the model: ${name} after ${last}`]);
      assert.ok(miss !== undefined && miss.tokens > 0 && miss.at >= 0 && miss.at < request.bytes);
    }
    before = request;
  }
  assert.deepEqual(turns, [targetName(to), targetName(from)]);
}

/** The first maker is sent again, byte for byte, all that it was sent before, and what it had answered since. */
async function assertBack(journey: Journey, { from, to }: Pair): Promise<void> {
  const wire = await loadWire(from.wire);
  const at = journey.arrivals.findIndex(({ target }) => target === to);
  const before = journey.arrivals.slice(0, at).findLast(({ target }) => target === from);
  const back = journey.arrivals.slice(at).find(({ target }) => target === from);
  assert.ok(before !== undefined && back !== undefined);
  const [was, is] = [wire.canonical(before.request.bytes), wire.canonical(back.request.bytes)];
  assert.ok(was !== undefined && is !== undefined);
  assert.deepEqual([is.tools, is.system], [was.tools, was.system]);
  assert.deepEqual(is.blocks.slice(0, was.blocks.length - 1), was.blocks.slice(0, -1));
  // Where a block is a whole message, what the user says next may join the last one.
  const [last, grown] = [was.blocks.at(-1), is.blocks[was.blocks.length - 1]];
  assert.ok(last !== undefined && grown !== undefined && last.role === grown.role);
  const end = last.bytes.equals(grown.bytes) ? 0 : closing;
  assert.ok(grown.bytes.toString().startsWith(last.bytes.toString().slice(0, last.bytes.length - end)));
  const own = journey.replies.filter(({ source }) => targetName(source) === targetName(from));
  assert.ok(own.flatMap(wordingOf).length >= 3, 'there was something to give back');
  journey.assertReturned(own, journey.sentTo(from).at(-1) ?? '');
}

async function assertAll(journey: Journey, pair: Pair): Promise<void> {
  await journey.assertSound();
  assertExtends(journey, pair);
  await assertBack(journey, pair);
  const results = journey.of('result');
  assert.ok(results.length >= 6 && results.every(({ outcome }) => outcome === 'ok'));
}

describe('switching', { concurrency: 4 }, () => {
  for (const pair of [...pairs, ...siblings]) {
    const { name, from, to } = pair;
    describe(`a session that goes from ${name} and back`, { concurrency: true }, () => {
      test('by being taken up again, after a cancel in the middle of a thought', async (t) => {
        const turns: Turn[] = [
          ...opening(from),
          { by: from, answer: { thinking: thought('what is cancelled'), text: 'Never said.' } },
          ...middle(to),
          { by: to, answer: { thinking: thought('the end of my part'), text: 'My part is done.' } },
          ...ending(from),
        ];
        const journey = await begin(t, pair, turns);
        const held = journey.server(from).hold(4, 'in-thinking');
        const running = journey.run();
        await held.reached;
        await journey.cancel();
        assert.equal(await running, 'cancelled');
        await keepingRecord(journey, async () => {
          for (const target of [to, from]) {
            await journey.open(target);
            await journey.say('Go on.');
            assert.equal(await journey.run(), 'completed');
          }
        });
        held.release();
        await assertAll(journey, pair);
      });

      test('by a setup in the middle of a run', async (t) => {
        const turning = [...reads('g'), { name: 'turn' }];
        const turns: Turn[] = [
          ...opening(from),
          { by: from, answer: { thinking: thought('whom to ask'), calls: turning } },
          ...middle(to),
          { by: to, answer: { thinking: thought('who began'), text: 'Back.', calls: turning } },
          ...ending(from),
        ];
        const journey = await begin(t, pair, turns);
        await keepingRecord(journey, async () => {
          assert.equal(await journey.run(), 'completed');
        });
        assert.equal(journey.of('setup').filter(({ switched }) => switched !== undefined).length, 2);
        await assertAll(journey, pair);
      });

      test('by a route after a failure', async (t) => {
        const turns: Turn[] = [
          ...opening(from),
          { by: from, answer: { reply: { thinking: thought('what breaks'), text: 'Never said.' }, failure: cut } },
          { by: from, answer: { status: 401 } },
          ...middle(to),
          { by: to, answer: { thinking: thought('the end of my part'), text: 'My part is done.' } },
          ...ending(from),
        ];
        const journey = await begin(t, pair, turns, { routes: [to] });
        assert.equal(await journey.run(), 'completed');
        const routed = journey.of('request').filter(({ route }) => route !== undefined);
        const because = `${targetName(from)} failed: provider-auth`;
        assert.deepEqual(
          routed.map(({ route }) => [route?.to, route?.from, route?.because]),
          [0, 1].map(() => [targetName(to), targetName(from), because]),
        );
        await keepingRecord(journey, async () => {
          await journey.setUp(from);
          await journey.say('And you again.');
          assert.equal(await journey.run(), 'completed');
        });
        await assertAll(journey, pair);
      });
    });
  }
});
