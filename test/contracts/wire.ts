/**
 * The contract of a wire, over HTTP against the shipped model server, which refuses what the real provider refuses: what a
 * conversation is made of arrives, what a model gives comes out whole and goes back unchanged, and nothing sent is illegal.
 */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { JsonObject } from '../../src/core/index.ts';
import {
  callsIn,
  sealedIn,
  startTalk,
  stringsIn,
  textIn,
  thinkingIn,
  type Peer,
  type Script,
  type Talk,
  type TalkOptions,
} from './wire-talk.ts';

const separators = 'a\u2028b\u2029c\u0000d\u200be\ufefff';
const emoji = '👩‍👩‍👧 👋🏽 𝒳 é';

/** Runs the suite for a wire. */
export function testWireContract(peer: Peer): void {
  const start = (t: TestContext, script: Script, options?: TalkOptions): Promise<Talk> =>
    startTalk(t, peer, script, options);

  describe(`${peer.name} keeps the contract of a wire`, () => {
    test('a tool is offered, called and answered', async (t) => {
      const args = { path: 'a', deep: [{ n: 1.5 }, null, true] };
      const talk = await start(t, [{ calls: [{ name: 'read', arguments: args }] }, { text: 'Done.' }]);
      talk.say('Read it.');
      const first = await talk.reply();
      assert.equal(first.stop, 'calls');
      assert.deepEqual(
        callsIn(first).map(({ name, arguments: given }) => [name, given]),
        [['read', args]],
      );
      talk.result(0, 'The content.');
      const second = await talk.reply();
      assert.deepEqual([textIn(second), second.stop], ['Done.', 'end']);
      const { tools, system, messages } = talk.asked(2).question;
      assert.deepEqual(tools, ['read', 'edit']);
      assert.match(system, /You are a test\.[^]*Today is a day\./);
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant', 'user'],
      );
      assert.deepEqual(resultsOf(talk), [['read', 'The content.']]);
      talk.assertClean();
    });

    test('parallel calls have their results in their order, however these came', async (t) => {
      const calls = ['a', 'b', 'c'].map((path) => ({ name: 'read', arguments: { path } }));
      const talk = await start(t, [{ text: 'Three.', calls }, { text: 'Done.' }]);
      talk.say('Read them.');
      const first = await talk.reply();
      assert.deepEqual(
        callsIn(first).map(({ arguments: args }) => args['path']),
        ['a', 'b', 'c'],
      );
      assert.equal(new Set(callsIn(first).map(({ id }) => id)).size, 3);
      talk.result(2, 'result of c');
      talk.result(0, 'result of a');
      talk.result(1, 'result of b', { outcome: 'error' });
      talk.say('And hurry.');
      await talk.reply();
      const [a, b, c] = resultsOf(talk).map(([, text]) => text);
      assert.deepEqual([a, c], ['result of a', 'result of c']);
      assert.match(b ?? '', /result of b$/);
      assert.match(talk.lastAsked().question.messages.at(-1)?.text ?? '', /And hurry\./);
      talk.assertClean();
    });

    test('tools with names and schemas that few take are offered and found again', async (t) => {
      const name = 'server.files/read-a-file-with-a-name-that-is-far-longer-than-any-provider-would-ever-want-to-take';
      const offered = [
        tool(name, { anyOf: [objectOf('path'), objectOf('url')] }),
        tool(`${name}-again`, {
          $ref: '#/$defs/node',
          $defs: { node: { ...objectOf('name'), properties: { next: { $ref: '#/$defs/node' } } } },
        }),
        tool('odd', {
          properties: { kind: { const: 1 }, any: true, list: { type: 'array' }, pair: { prefixItems: [{}] } },
          required: ['kind', 'gone'],
        }),
      ];
      const talk = await start(
        t,
        [({ question }) => ({ calls: question.tools.map((sent) => ({ name: sent })) }), { text: 'Done.' }],
        { setup: { tools: offered } },
      );
      talk.say('Go.');
      const called = callsIn(await talk.reply()).map((call) => call.name);
      assert.deepEqual(
        called,
        offered.map((entry) => entry.name),
      );
      for (const place of called.keys()) talk.result(place, `R${place}`);
      await talk.reply();
      assert.deepEqual(
        resultsOf(talk).map(([, text]) => text),
        ['R0', 'R1', 'R2'],
      );
      talk.assertClean();
    });

    test('reasoning comes out and goes back unchanged to the model that gave it', async (t) => {
      const thought = (topic: string) => `A long and winding thought about ${topic}.`;
      const talk = await start(t, [
        { thinking: thought('reading'), text: 'I read.', calls: [{ name: 'read' }, { name: 'read' }] },
        { thinking: thought('editing'), calls: [{ name: 'edit' }] },
        { thinking: thought('the end'), text: 'Done.' },
        { text: 'Again.' },
        { text: 'And again.' },
        { text: 'As before.' },
      ]);
      const sealed: string[] = [];
      const next = async () => {
        const reply = await talk.reply();
        sealed.push(...sealedIn(reply));
        return reply;
      };
      talk.say('Go.');
      assert.equal(thinkingIn(await next()), thought('reading'));
      talk.result(0, 'A');
      talk.result(1, 'B');
      assert.equal(thinkingIn(await next()), thought('editing'));
      talk.result(0, 'C');
      await next();
      talk.say('Again.');
      await next();
      const isSent = () => {
        const sent = new Set(stringsIn(talk.lastAsked().body));
        return sealed.map((text) => sent.has(text));
      };
      const comesBack = () => isSent().every((sent) => sent === peer.returnsReasoning);
      assert.ok(sealed.length > 0 && comesBack(), 'it came back');
      talk.assertClean();

      talk.switchTo({ model: peer.other });
      talk.say('You, too.');
      await talk.reply();
      assert.ok(!isSent().some(Boolean), 'it went to another model');
      talk.switchTo({ model: peer.target.model });
      talk.say('And you.');
      await talk.reply();
      assert.ok(comesBack(), 'it came back again');
      talk.assertLegal();
    });

    test('thinking that only its maker can read goes back unchanged, with nothing to show of it', async (t) => {
      const blocks = [{ redacted: 'A thought that nobody else may read.' }, { call: { name: 'read' } }];
      const talk = await start(t, [{ blocks }, { text: 'Done.' }]);
      talk.say('Go.');
      const first = await talk.reply();
      assert.equal(thinkingIn(first), '');
      talk.result(0, 'A');
      await talk.reply();
      const sent = new Set(stringsIn(talk.lastAsked().body));
      assert.ok(sealedIn(first).every((text) => sent.has(text) === peer.returnsReasoning));
      talk.assertClean();
    });

    test('images of the user and of results arrive, or a note in their place', async (t) => {
      const script: Script = [{ calls: [{ name: 'read' }, { name: 'read' }] }, { text: 'I see.' }];
      for (const images of [true, false]) {
        const talk = await start(t, script, { setup: { abilities: { ...able(peer), images } } });
        talk.say('What is it?', [talk.image('b1')]);
        await talk.reply();
        talk.result(0, 'One image.', { images: [talk.image('b2')] });
        talk.result(1, '', { images: [talk.image('b3'), { ...talk.image('b4'), blob: 'lost' }] });
        talk.say('And this?', [{ ...talk.image('b5'), mediaType: 'image/tiff' }]);
        await talk.reply();
        const { messages } = talk.lastAsked().question;
        const counted = messages.reduce((sum, message) => sum + message.images, 0);
        assert.equal(counted, images ? 3 : 0);
        const notes =
          stringsIn(talk.lastAsked().body)
            .join('\n')
            .match(/\[An image was here/g) ?? [];
        assert.equal(notes.length, images ? 2 : 5);
        talk.assertClean();
      }
    });

    test('empty outputs say so in words, and what is blank isn’t sent', async (t) => {
      const calls = [0, 1, 2].map(() => ({ name: 'read' }));
      const talk = await start(t, [{ calls }, { text: ['', ' \n', 'Well.', ''] }, { text: 'Done.' }]);
      talk.say('Go.');
      await talk.reply();
      talk.result(0, '');
      talk.result(1, ' \n\t');
      talk.result(2, '', { outcome: 'error' });
      talk.say(' ');
      assert.equal(textIn(await talk.reply()).trim(), 'Well.');
      assert.ok(resultsOf(talk).every(([, text]) => text?.trim() !== ''));
      talk.say('On.');
      await talk.reply();
      talk.assertClean();
    });

    test('a reply without a word or a call is a failure, and tried again', async (t) => {
      const talk = await start(t, [{ blocks: [] }, { text: ' ' }, { text: 'Here.' }]);
      talk.say('Go.');
      for (const _ of [1, 2]) {
        const failure = await talk.failure();
        assert.deepEqual([failure.class, failure.code], ['broken-stream', 'empty-reply']);
        assert.ok(failure.retryAt !== undefined);
      }
      assert.equal(textIn(await talk.reply()), 'Here.');
      talk.assertClean();
    });

    test('any text arrives and comes back: separators, emoji, halves of characters', async (t) => {
      const said = `${separators} ${emoji} \ud83d half \udc4b`;
      const given = `${emoji} ${separators}`;
      const args = { path: given, [emoji]: separators };
      const talk = await start(t, [
        { text: given, calls: [{ name: 'read', arguments: args }], chunk: 1, split: 1 },
        { text: 'Done.' },
      ]);
      talk.say(said);
      const first = await talk.reply();
      assert.equal(textIn(first), given);
      assert.deepEqual(callsIn(first)[0]?.arguments, args);
      assert.equal(shownText(talk), given);
      talk.result(0, said);
      await talk.reply();
      const { messages } = talk.lastAsked().question;
      assert.equal(messages[0]?.text, said.toWellFormed());
      assert.deepEqual(resultsOf(talk), [['read', said.toWellFormed()]]);
      assert.match(messages[1]?.text ?? '', new RegExp(emoji));
      talk.assertClean();
    });

    test('a character that is split over pieces is whole, a half is no fault', async (t) => {
      const talk = await start(t, [
        { raw: peer.stream(['so: \ud83d', '\udc4b', '!']) },
        { raw: peer.stream(['half: \ud83d']) },
        { text: 'Done.' },
      ]);
      talk.say('Go.');
      assert.equal(textIn(await talk.reply()), 'so: 👋!');
      talk.say('Go on.');
      assert.match(textIn(await talk.reply()), /^half: /);
      talk.say('Go on.');
      await talk.reply();
      assert.deepEqual(
        talk
          .lastAsked()
          .question.messages.filter(({ role }) => role === 'assistant')
          .map(({ text }) => text),
        ['so: 👋!', 'half: \ufffd'],
      );
      talk.assertClean();
    });

    test('a megabyte of arguments comes whole and goes back', async (t) => {
      const text = `"quoted" \\ ${emoji}\n`.repeat(40_000);
      assert.ok(text.length > 1_000_000);
      const script: Script = [{ calls: [{ name: 'edit', arguments: { text } }], chunk: 4_096 }, { text: 'Done.' }];
      const talk = await start(t, script, { setup: { window: 2_000_000 } });
      talk.say('Write it.');
      assert.deepEqual(callsIn(await talk.reply())[0]?.arguments, { text });
      talk.result(0, 'Written.');
      await talk.reply();
      assert.ok(talk.lastAsked().bytes.length > 1_000_000);
      talk.assertClean();
    });

    test('a reply that the limit cuts says so, and its calls aren’t whole', async (t) => {
      const talk = await start(t, [
        { text: 'I begin', calls: [{ name: 'read', malformed: '{"path": "a' }], stop: 'length' },
        { text: 'and go on', stop: 'length' },
        { text: 'Done.' },
      ]);
      talk.say('Go.');
      const first = await talk.reply();
      assert.deepEqual([first.stop, textIn(first)], ['length', 'I begin']);
      for (const [place, call] of callsIn(first).entries()) {
        assert.ok(call.malformed !== undefined);
        talk.result(place, 'Not run: the reply was cut.', { outcome: 'cut' });
      }
      talk.say('Go on.');
      assert.equal((await talk.reply()).stop, 'length');
      talk.say('Go on.');
      await talk.reply();
      talk.assertClean();
    });

    test('a call with arguments that are none is either malformed or no reply', async (t) => {
      const talk = await start(t, [{ calls: [{ name: 'read', malformed: '{"path": nonsense' }] }, { text: 'Done.' }]);
      talk.say('Go.');
      const outcome = await talk.send();
      if (outcome.kind === 'reply') {
        const [call] = callsIn(outcome.data);
        assert.deepEqual([call?.name, call?.arguments, call?.malformed], ['read', {}, '{"path": nonsense']);
        talk.result(0, 'The arguments are no JSON.', { outcome: 'error' });
      } else assert.equal(outcome.data.class, 'broken-stream');
      assert.equal(textIn(await talk.reply()), 'Done.');
      talk.assertClean();
    });

    test('a refusal is one, says why, and is no part of what follows', async (t) => {
      const talk = await start(t, [
        { text: 'First.' },
        { text: 'I', stop: 'refusal', stopDetail: 'It is not allowed.' },
        { text: 'Done.' },
      ]);
      talk.say('Go.');
      await talk.reply();
      talk.say('Do harm.');
      const refused = await talk.reply();
      assert.equal(refused.stop, 'refusal');
      // Where a refusal is what the model says, that is the reason.
      assert.match(refused.stopDetail ?? 'I', /It is not allowed\.|^I$/);
      talk.say('Then something else.');
      assert.equal(textIn(await talk.reply()), 'Done.');
      const said = talk.lastAsked().question.messages.map(({ role, text }) => [role, text]);
      assert.deepEqual(said.slice(0, 2), [
        ['user', 'Go.'],
        ['assistant', 'First.'],
      ]);
      assert.equal(said.length, 3);
      talk.assertLegal();
    });

    const unasked = peer.asksForUsage ? {} : { skip: 'the server reports usage only where it is asked for' };
    test('usage is told apart and priced; what isn’t reported is absent', unasked, async (t) => {
      const usage = { input: 1_000, cacheRead: 400, output: 70, reasoning: 30 };
      const talk = await start(t, [
        { text: 'One.', usage },
        { text: 'Two.', usage: 'none' },
      ]);
      talk.say('Go.');
      const { usage: told, cost } = await talk.reply();
      assert.partialDeepStrictEqual(told, { input: 1_000, cacheRead: 400, output: 70 });
      assert.ok(told?.reasoning === undefined || told.reasoning === 30);
      assert.ok(!told?.cacheWrite);
      assert.ok(cost !== undefined && Math.abs(cost - (1_000 * 2 + 400 * 0.2 + 70 * 10) / 1_000_000) < 1e-9);
      talk.say('Go on.');
      const none = await talk.reply();
      assert.ok(!('usage' in none) && !('cost' in none));
      talk.assertClean();
    });

    test('a long conversation only ever grows at its end', async (t) => {
      const turns = Array.from({ length: 6 }, (_, index) => ({
        thinking: `A thought about step ${index}.`,
        text: `Step ${index}.`,
        calls: [{ name: 'read', arguments: { index } }],
      }));
      const talk = await start(t, turns);
      talk.say('Go.', [talk.image('b1')]);
      for (const index of turns.keys()) {
        await talk.reply();
        talk.result(0, `Result ${index}.`);
        if (index % 2 === 1) talk.say(`Note ${index}.`);
      }
      talk.assertClean();
    });
  });
}

function tool(name: string, input: JsonObject) {
  return { name, description: `Does ${name}.`, input };
}

function objectOf(name: string): JsonObject {
  return { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
}

function able(peer: Peer) {
  const { abilities } = peer.target;
  assert.ok(abilities !== undefined);
  return abilities;
}

/** The results of the last request: the tool, where the wire tells it, and the text. */
function resultsOf(talk: Talk): [string | undefined, string][] {
  const results = talk.lastAsked().question.messages.findLast((message) => message.results.length > 0)?.results ?? [];
  return results.map(({ name, text }) => [name, text]);
}

function shownText(talk: Talk): string {
  return talk.notifications.flatMap((shown) => (shown.type === 'text' ? shown.delta : [])).join('');
}
