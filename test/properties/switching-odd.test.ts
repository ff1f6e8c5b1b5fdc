/** What one provider gives and another would refuse: blank blocks, odd ids and names, halves of characters, images, pauses, refusals. */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { JsonObject, Target, ToolSpec } from '../../src/core/index.ts';
import type { RecordedRequest, ScriptedReply, ToolFunction } from '../../src/testing/index.ts';
import { Journey, type Turn } from './switching-journey.ts';
import { pairs, type Pair } from './switching-makers.ts';

const path: JsonObject = { type: 'object', properties: { path: { type: 'string' } } };
const tool = (name: string, input = path, more: Partial<ToolSpec> = {}): ToolSpec => {
  return { name, description: `Does ${name}.`, input, ...more };
};
const read: ToolFunction = (args) => `the content of ${JSON.stringify(args['path'])}`;

type Call = NonNullable<ScriptedReply['calls']>[number];

/** Gemini has no arguments that are none: it ends such a reply by itself. */
const malformed = ({ wire }: Target): Call[] =>
  wire === 'gemini'
    ? []
    : [
        { name: 'read', malformed: '{"path": "h' },
        { name: 'read', malformed: '[1]' },
      ];

const oddCalls = (by: Target, mark: string): Call[] => [
  { name: 'read', id: '', arguments: { path: `${mark} a` } },
  { name: 'read', id: 'twin', arguments: { path: `${mark} b` } },
  { name: 'read', id: 'twin', arguments: { path: `${mark} c` } },
  { name: 'read', id: 'x'.repeat(300), arguments: { path: `${mark} d` } },
  { name: 'read', id: `${'x'.repeat(300)}y`, arguments: { path: `${mark} e` } },
  { name: 'read', id: 'a b/c:d.é😀\u0000', arguments: { path: `${mark} f` } },
  { name: 'read', id: 'call_1', arguments: { path: `${mark} g`, ['__proto__']: { odd: true }, constructor: 1 } },
  ...malformed(by),
  { name: 'no such/tool.é', arguments: { path: `${mark} i` } },
  { name: '__proto__', arguments: {} },
  { name: 'n'.repeat(200), arguments: {} },
];

/** The results that a request ends with, as its server reads them, and whether they meet their calls. */
function lastResults({ question }: RecordedRequest): string[] {
  const [reply, user] = question.messages.slice(-2);
  assert.deepEqual(
    user?.results.map(({ id }) => id),
    reply?.calls.map(({ id }) => id),
  );
  return user?.results.map(({ text }) => text) ?? [];
}

function requestAt(journey: Journey, index: number): RecordedRequest {
  const arrival = journey.arrivals.at(index);
  assert.ok(arrival !== undefined);
  return arrival.request;
}

const lastRequest = (journey: Journey): RecordedRequest => requestAt(journey, -1);

async function start(t: TestContext, { from, to }: Pair, turns: readonly Turn[], tools: ToolSpec[] = [tool('read')]) {
  const run = Object.fromEntries(tools.map(({ name }): [string, ToolFunction] => [name, read]));
  return Journey.start(t, { makers: [from, to], turns, tools, run });
}

/** Asks three times: the first model, the other, the first again. */
async function thrice(journey: Journey, { from, to }: Pair, words: string[] = ['Go.', 'Go on.', 'And on.']) {
  for (const [index, target] of [from, to, from].entries()) {
    await journey.open(target);
    await journey.say(words[index] ?? '');
    assert.equal(await journey.run(), 'completed');
  }
}

/** A name and schemas that hardly anybody takes as they are. */
const longName = 'server.files/read-a-file-with-a-name-that-is-far-longer-than-any-provider-would-ever-want-to-take';
const oddTools: ToolSpec[] = [
  tool(longName, { anyOf: [path, { ...path, required: ['path'] }] }),
  tool(`${longName}-again`, {
    $ref: '#/$defs/node',
    $defs: { node: { ...path, additionalProperties: { $ref: '#/$defs/node' } } },
  }),
  tool('read', {
    properties: { path: { const: 'x' }, list: { type: 'array' }, pair: { prefixItems: [{}] } },
    required: ['gone'],
  }),
  tool('unnameable', { type: 'object', properties: { 'path to the file': { type: 'string' } } }),
];

const half = '\ud83d half \udc4b and \u2028 whole 👋🏽 \u0000';
const taken = half.toWellFormed();

const declined = 'I will not do that, for reasons of my own.';

function textsSent({ question }: RecordedRequest): string[] {
  return question.messages.map(({ text }) => text);
}

for (const pair of pairs) {
  const { name, from, to } = pair;
  describe(`from ${name} and back`, { concurrency: true }, () => {
    test('odd ids, names and arguments of calls, and blank blocks', async (t) => {
      const turns: Turn[] = [from, to, from].flatMap((by, index): Turn[] => {
        const calls = oddCalls(by, `${index}`).map((call) => ({ call }));
        const blocks = [{ text: '' }, { text: ` ${index}` }, { text: ' \n' }, ...calls];
        return [
          { by, answer: { blocks } },
          { by, answer: { text: ['', `Done ${index}.`, ' '] } },
        ];
      });
      const journey = await start(t, pair, turns);
      await thrice(journey, pair);
      await journey.assertSound();
      for (const [index, by] of [from, to, from].entries()) {
        const results = lastResults(requestAt(journey, index * 2 + 1));
        assert.equal(results.length, oddCalls(by, '').length);
        for (const [place, letter] of ['a', 'b', 'c', 'd', 'e', 'f', 'g'].entries()) {
          assert.equal(results[place], `the content of "${index} ${letter}"`);
        }
      }
      const calls = journey.replies.flatMap(({ parts }) => parts.filter((part) => part.type === 'call'));
      assert.equal(calls.filter((call) => call.name === '__proto__').length, 3);
    });

    test('names and schemas of tools that few take', async (t) => {
      const callAll = ({ question }: RecordedRequest): ScriptedReply => ({
        calls: question.tools.map((sent, place) => ({ name: sent, arguments: { path: `${place}` } })),
      });
      const turns = [from, to, from].flatMap((by): Turn[] => [
        { by, answer: callAll },
        { by, answer: { text: 'Done.' } },
      ]);
      const journey = await start(t, pair, turns, oddTools);
      await thrice(journey, pair);
      await journey.assertSound();
      const all = oddTools.map((each) => each.name);
      for (const [index, reply] of journey.replies.entries()) {
        if (index % 2 === 1) continue;
        const { leftOut = [] } = journey.of('request')[index] ?? {};
        const called = reply.parts.flatMap((part) => (part.type === 'call' ? part.name : []));
        assert.deepEqual([...called, ...leftOut.map((each) => each.tool)], all);
        assert.ok(leftOut.every((each) => each.tool === 'unnameable' && reply.source.wire === 'anthropic'));
        const results = lastResults(requestAt(journey, index + 1));
        assert.deepEqual(
          results,
          called.map((_, place) => `the content of "${place}"`),
        );
      }
    });

    test('a refusal is told to nobody, whoever it came from', async (t) => {
      const refusal = { text: declined, stop: 'refusal', stopDetail: 'It is not allowed.' };
      const turns: Turn[] = [
        { by: from, answer: { thinking: 'A thought before the first word.', text: 'One.' } },
        { by: from, answer: refusal },
        { by: to, answer: { text: 'Two.' } },
        { by: to, answer: refusal },
        { by: from, answer: { text: 'Three.' } },
      ];
      const journey = await start(t, pair, turns);
      const steps: [Target, string, string][] = [
        [from, 'Say one.', 'completed'],
        [from, 'Do harm.', 'refused'],
        [to, 'Say two.', 'completed'],
        [to, 'Do more harm.', 'refused'],
        [from, 'Say three.', 'completed'],
      ];
      for (const [target, words, end] of steps) {
        await journey.open(target);
        await journey.say(words);
        assert.equal(await journey.run(), end);
      }
      await journey.assertSound();
      assert.ok(journey.arrivals.every(({ request }) => !request.bytes.includes(declined)));
      assert.equal(journey.replies.filter(({ stop }) => stop === 'refusal').length, 2);
      const said = textsSent(lastRequest(journey)).join('\n');
      assert.match(said, /Say one\.[^]*One\.[^]*Do harm\.[^]*Say two\.[^]*Two\.[^]*Do more harm\.[^]*Say three\./);
    });

    test('a pause of one is no last word for the other', async (t) => {
      const paused: ScriptedReply = { thinking: 'A thought before the pause.', text: 'One moment.', stop: 'pause' };
      const pauses = from.wire === 'anthropic';
      const turns: Turn[] = [
        { by: from, answer: paused },
        ...(pauses ? [{ by: from, answer: { status: 401 } }] : []),
        {
          by: to,
          answer: {
            thinking: 'A thought after the pause.',
            text: 'Here I am.',
            calls: [{ name: 'read', arguments: { path: 'a' } }],
          },
        },
        { by: to, answer: { text: 'Done.' } },
        { by: from, answer: { text: 'Done again.' } },
      ];
      const journey = await start(t, pair, turns);
      await journey.open(from, { routes: [{ ...to, when: {} }] });
      await journey.say('Go.');
      assert.equal(await journey.run(), 'completed');
      if (!pauses) {
        await journey.open(to);
        await journey.say('Go on.');
        assert.equal(await journey.run(), 'completed');
      }
      await journey.open(from);
      await journey.say('And you.');
      assert.equal(await journey.run(), 'completed');
      await journey.assertSound();
      journey.assertReturned(
        journey.replies.filter(({ source }) => source.provider === from.provider),
        journey.sentTo(from).at(-1) ?? '',
      );
    });

    test('halves of characters, separators and nulls', async (t) => {
      const turns = [from, to, from].flatMap((by): Turn[] => [
        {
          by,
          answer: {
            text: half,
            calls: [{ name: 'read', arguments: { path: half, [half]: half } }],
          },
        },
        { by, answer: { text: 'Done.' } },
      ]);
      const journey = await start(t, pair, turns);
      await thrice(journey, pair, [half, half, half]);
      await journey.assertSound();
      const said = textsSent(lastRequest(journey));
      assert.deepEqual(
        said.filter((_, index) => index % 4 === 0),
        [taken, taken, taken],
      );
    });

    test('images where one of them sees none', async (t) => {
      const blind = { ...to, abilities: { ...to.abilities, images: false } };
      const turns = [from, blind, from].flatMap((by): Turn[] => [
        { by, answer: { calls: [{ name: 'look' }] } },
        { by, answer: { text: 'Done.' } },
      ]);
      const journey: Journey = await Journey.start(t, {
        makers: [from, blind],
        turns,
        tools: [tool('look')],
        run: { look: async () => ({ outcome: 'ok', text: '', images: [await journey.image()] }) },
      });
      for (const target of [from, blind, from]) {
        await journey.open(target);
        await journey.say('Look.', [await journey.image()]);
        assert.equal(await journey.run(), 'completed');
      }
      await journey.assertSound();
      const seen = journey.arrivals.map(({ request }) => ({
        images: request.question.messages.reduce((sum, message) => sum + message.images, 0),
        notes: request.bytes.toString().match(/\[An image was here/g)?.length ?? 0,
      }));
      assert.deepEqual(seen, [
        { images: 1, notes: 0 },
        { images: 2, notes: 0 },
        { images: 0, notes: 3 },
        { images: 0, notes: 4 },
        { images: 5, notes: 0 },
        { images: 6, notes: 0 },
      ]);
    });

    test('a call of a tool that takes text', async (t) => {
      const grammar = { syntax: 'regex' as const, definition: '.*' };
      const tools = [tool('patch', path, { text: { argument: 'path', grammar } }), tool('read')];
      const words = 'one line\nand "another"';
      const calls = ['patch', 'read', 'patch'].map((each) => ({ name: each, arguments: { path: words } }));
      const turns = [from, to, from].flatMap((by, index): Turn[] => [
        { by, answer: { thinking: `What to patch, and how, is story ${index}.`, calls } },
        { by, answer: { text: 'Done.' } },
      ]);
      const journey = await start(t, pair, turns, tools);
      await thrice(journey, pair);
      await journey.assertSound();
      for (const reply of journey.replies.filter((_, index) => index % 2 === 0)) {
        const called = reply.parts.flatMap((part) => (part.type === 'call' ? [[part.name, part.arguments]] : []));
        assert.deepEqual(
          called,
          calls.map((call) => [call.name, call.arguments]),
        );
      }
      for (const index of [1, 3, 5]) {
        assert.deepEqual(
          lastResults(requestAt(journey, index)),
          calls.map(() => `the content of ${JSON.stringify(words)}`),
        );
      }
    });
  });
}
