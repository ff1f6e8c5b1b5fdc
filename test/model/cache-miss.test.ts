import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EventData, SetupData, Source } from '../../src/core/index.ts';
import { wireNames } from '../../src/model/index.ts';
import { able } from '../support/abilities.ts';
import { ask, rates, rig, setup, Story } from './loopback.ts';

const read = (name: string, description: string) => ({ name, description, input: { type: 'object', properties: {} } });

function setupOn(wire: string, changes: Partial<SetupData> = {}): SetupData {
  const tools = [read('read', 'Reads.'), read('grep', 'Searches for words.')];
  return setup({
    provider: 'p',
    wire,
    model: 'm',
    ...able,
    tools,
    system: ['Be kind.', 'Today is a day.'],
    ...changes,
  });
}

/** A conversation of two requests; gives what is prepared next when the setup or what was said has changed. */
async function afterChange(t: Parameters<typeof rig>[0], wire: string, change: Partial<SetupData>, retold?: string) {
  const own = await rig(t, 'http://127.0.0.1:1');
  const story = new Story(setupOn(wire));
  story.say('Begin with the first file.');
  const first = await own.model.prepare(story.view, ask);
  const id = story.add({ kind: 'request', data: first.data });
  const later = await rig(t, 'http://127.0.0.1:1', { model: { previousBody: async () => first.body } });
  if (retold === undefined) {
    const source = { provider: 'p', wire, model: 'm' };
    const parts = [{ type: 'text', text: 'Done.' } as const];
    story.add({ kind: 'reply', data: { request: id, source, parts, stop: 'end', firstByte: 1, elapsed: 1 } });
    story.add({ kind: 'setup', data: setupOn(wire, change) });
    story.say('And the next.');
    return { first, next: await later.model.prepare(story.view, ask) };
  }
  const other = new Story(setupOn(wire));
  other.say(retold);
  Object.assign(other.view, { lastRequest: id, asked: story.view.asked });
  return { first, next: await later.model.prepare(other.view, ask) };
}

const requestOf = (source: Source): EventData['request'] => ({
  turn: 1,
  attempt: 1,
  source,
  fingerprint: '',
  base: null,
  kept: 0,
  tail: '',
  bytes: 0,
  extends: true,
  reserved: { input: 1, output: 1 },
});

const unmarked = (body: Uint8Array): string =>
  Buffer.from(body)
    .toString()
    .replaceAll(/,"cache_control":\{[^}]*\}/g, '');

for (const wire of wireNames) {
  describe(`a request over ${wire} that doesn’t extend the one before`, () => {
    const grep = read('grep', 'Searches for letters.');
    const cases: [string, Partial<SetupData>, string | undefined, string, RegExp][] = [
      ['another description', { tools: [read('read', 'Reads.'), grep] }, undefined, 'tools', /the tool grep/],
      ['a tool less', { tools: [read('read', 'Reads.')] }, undefined, 'tools', /the tool/],
      ['another date', { system: ['Be kind.', 'Today is another day.'] }, undefined, 'system', /system prompt/],
      ['another word of the user', {}, 'Begin with the second file.', 'messages', /block 1 of the messages/],
    ];
    for (const [what, change, retold, part, of] of cases) {
      test(`names the first byte of ${what}, what it belongs to and what it costs`, async (t) => {
        const { first, next } = await afterChange(t, wire, change, retold);
        const { broke, miss, extends: isExtended } = next.data;
        assert.ok(miss !== undefined);
        assert.deepEqual([isExtended, broke], [false, part]);
        assert.match(miss.of, of);
        const before = unmarked(first.body);
        const same = unmarked(next.body.subarray(0, miss.at));
        assert.ok(before.startsWith(same), `…${same.slice(-60)}`);
        assert.notEqual(before[same.length], unmarked(next.body)[same.length]);
        assert.ok(miss.tokens > 0);
        const dearest = (miss.tokens * (rates.cacheWrite - rates.cacheRead)) / 1_000_000;
        assert.ok(Math.abs((miss.cost ?? 0) - dearest) < 1e-12);
      });
    }

    test('names the first byte also where a reply isn’t there any more, or somebody else speaks', async (t) => {
      const told = (story: Story, ...rest: string[]) => {
        const source = { provider: 'p', wire, model: 'm' };
        story.say('Begin.');
        if (rest.length === 1) {
          const parts = [{ type: 'text', text: 'Done.' } as const];
          const request = story.add({ kind: 'request', data: requestOf(source) });
          story.add({ kind: 'reply', data: { request, source, parts, stop: 'end', firstByte: 1, elapsed: 1 } });
        }
        for (const text of rest) story.say(text);
        return story;
      };
      for (const [before, now] of [
        [['And on.'], ['And on.', 'And so on.']],
        [['And on.', 'And so on.'], ['And on.']],
        [['And on.'], []],
      ] as const) {
        const own = await rig(t, 'http://127.0.0.1:1');
        const first = await own.model.prepare(told(new Story(setupOn(wire)), ...before).view, ask);
        const later = await rig(t, 'http://127.0.0.1:1', { model: { previousBody: async () => first.body } });
        const story = told(new Story(setupOn(wire)), ...now);
        Object.assign(story.view, { lastRequest: 'e0', asked: 'p/m' });
        const next = await later.model.prepare(story.view, ask);
        const { miss, broke } = next.data;
        // What only lost its end, or goes on with another word, has no byte of its own that differs before that.
        if (miss === undefined) continue;
        assert.equal(broke, 'messages');
        const [earlier, present] = [unmarked(first.body), unmarked(next.body)];
        const same = unmarked(next.body.subarray(0, miss.at));
        assert.ok(earlier.startsWith(same), `…${same.slice(-60)}`);
        assert.notEqual(earlier[same.length], present[same.length]);
      }
    });

    test('because it goes to another model says so, and that all of it is lost', async (t) => {
      const { next } = await afterChange(t, wire, { model: 'n' });
      assert.equal(next.data.broke, 'model');
      assert.match(next.data.miss?.of ?? '', /p\/n after p\/m/);
    });

    test('is none where only something was added', async (t) => {
      const { next } = await afterChange(t, wire, { settings: { temperature: 0.5 } });
      assert.deepEqual([next.data.extends, next.data.broke, next.data.miss], [true, undefined, undefined]);
    });
  });
}
