import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Type } from 'typebox';
import { createSession, type Event } from '../../src/harness/index.ts';
import type { Scenario } from '../../src/testing/index.ts';
import { defineTool } from '../../src/tools/index.ts';
import { edit, read } from '../support/calls.ts';
import { asked, parts, words } from './long-talk.ts';
import { place, provideModel, serve, wires, work } from './past.ts';

const scenario: Scenario = {
  turns: [
    { thinking: 'I should look.', text: 'I look.', calls: [read('${workspace}/a.ts'), read('b.ts')] },
    { failures: [{ status: 529 }, { cut: 'in-call' }], calls: [edit('${workspace}/a.ts', '= 1', '= 2')] },
    { text: 'Done.' },
  ],
};

/** What a session did, without what is its own: ids, times, prices that are the same are compared. */
function deedsOf(events: readonly Event[]) {
  return events.flatMap(({ kind, data }): unknown[] => {
    if (kind === 'reply') return [[kind, data.parts.map((part) => part.type), data.stop, data.usage, data.cost]];
    if (kind === 'failure') return [[kind, data.code]];
    if (kind === 'result') return [[kind, data.tool, data.outcome]];
    if (kind === 'request') return [[kind, data.source, data.attempt]];
    return kind === 'stop' ? [[kind, data.reason]] : [];
  });
}

describe('a session that was recorded is played back', () => {
  for (const wire of wires) {
    test(`over ${wire}: in another place, without a key or a server, with the same prices and failures`, async (t) => {
      const there = await place(t);
      const server = await serve(t, scenario, there);
      await provideModel(there, wire, server, { retries: { firstPause: 10 } });
      const tape = join(there.home.path, 'tape');
      const before = await work(there, ['Fix it.'], { record: tape });
      assert.equal(before.outcome.outcome, 'completed', before.outcome.detail);
      assert.equal(readdirSync(tape).length, 5);
      await server.close();
      for (const name of readdirSync(tape))
        assert.ok(!readFileSync(join(tape, name), 'utf8').includes('0123456789abcdef'));

      const here = await place(t);
      delete here.env['MODEL_KEY'];
      const startedAt = performance.now();
      const after = await work(here, ['Fix it.'], { settings: { model: `replay:${tape}` } });
      assert.ok(performance.now() - startedAt < 10_000);
      assert.deepEqual(deedsOf(after.events), deedsOf(before.events));
      assert.equal(after.outcome.cost, before.outcome.cost);
      assert.ok((after.outcome.cost ?? 0) > 0);
      // The path that the model named leads into the present workspace, not into the recorded one.
      assert.equal((await here.workspace.read('a.ts')).toString(), 'const a = 2;\n');
      assert.deepEqual(after.outcome.changed, ['a.ts']);
    });
  }

  test('with what was asked for a summary, when older turns gave way', async (t) => {
    const there = await place(t);
    const turns = Array.from({ length: 14 }, (_, n) => {
      return { text: `Step ${n}: ${words(2_000, n * 1_000)}`, calls: [read(n % 2 === 0 ? 'a.ts' : 'b.ts')] };
    });
    const long: Scenario = {
      position: 'count',
      turns: [...turns, { text: 'Done.' }],
      anyTurn: [{ when: asked, text: parts }],
    };
    const server = await serve(t, long, there);
    // On this wire a request names its session, also one beside the conversation.
    await provideModel(there, 'openai-responses', server, {
      models: { 'corp/small': { window: 8_000, maxOutput: 1_000 } },
    });
    const tape = join(there.home.path, 'tape');
    const before = await work(there, ['Read it.'], { record: tape });
    await server.close();
    const after = await work(await place(t), ['Read it.'], { settings: { model: `replay:${tape}` } });
    assert.deepEqual(deedsOf(after.events), deedsOf(before.events));
    const summaries = after.events.filter((event) => event.kind === 'compaction' && event.data.gist?.summary);
    assert.ok(summaries.length > 0);
    assert.equal(after.outcome.cost, before.outcome.cost);
  });

  test('when it is resumed: each process goes on where the session stands', async (t) => {
    const there = await place(t);
    const turns = [{ text: 'One.' }, { text: 'Two.' }];
    const server = await serve(t, { turns }, there);
    await provideModel(there, 'anthropic', server);
    const tape = join(there.home.path, 'tape');
    const twice = async (at: typeof there, options: Parameters<typeof work>[2]) => {
      const first = await work(at, ['First.'], options);
      const second = await work(at, ['Second.'], { ...options, resume: first.outcome.session });
      return [first.outcome.answer, second.outcome.answer];
    };
    assert.deepEqual(await twice(there, { record: tape }), ['One.', 'Two.']);
    assert.deepEqual(readdirSync(tape).toSorted(), ['0001.json', '0002.json']);
    assert.deepEqual(await twice(await place(t), { settings: { model: `replay:${tape}` } }), ['One.', 'Two.']);
  });
});

describe('a replay that doesn’t fit', () => {
  const taped = async (t: Parameters<typeof place>[0]) => {
    const there = await place(t);
    await provideModel(there, 'anthropic', await serve(t, scenario, there), { retries: { firstPause: 10 } });
    const tape = join(there.home.path, 'tape');
    await work(there, ['Fix it.'], { record: tape });
    return tape;
  };

  test('ends the run with a code, the request, the byte and both sides', async (t) => {
    const tape = await taped(t);
    const { outcome, events } = await work(await place(t), ['Mend it.'], { settings: { model: `replay:${tape}` } });
    assert.deepEqual([outcome.outcome, outcome.code, outcome.exit], ['error', 'replay-diverged', 1]);
    assert.match(
      outcome.detail,
      /^Request 1 isn’t the one that was recorded as 1: from byte \d+ of its normalised body, in message 1 \(user\)\./,
    );
    assert.match(outcome.detail, /recorded: .*Fix it\..*\n {2}sent now: .*Mend it\./);
    assert.ok(events.some(({ kind }) => kind === 'stop'));
  });

  test('is told by the tool where a tool differs, and by what the model sees of the work where that does', async (t) => {
    const tape = await taped(t);
    const other = await place(t, { files: { 'a.ts': 'const a = 1;\n', 'b.ts': 'const b = 5;\n' }, git: true });
    const { outcome } = await work(other, ['Fix it.'], { settings: { model: `replay:${tape}` } });
    assert.match(outcome.detail, /^Request 2 .* in message 3 \(user\)/);
    const tool = defineTool({
      name: 'ping',
      description: 'Pings.',
      input: Type.Object({}),
      execute: () => Promise.resolve('pong'),
    });
    const more = await work(await place(t), ['Fix it.'], { tools: [tool], settings: { model: `replay:${tape}` } });
    assert.match(more.outcome.detail, /^Request 1 .* in the tool ping\./);
  });

  test('passes where it is tolerant, and the log says what was only alike', async (t) => {
    const tape = await taped(t);
    const { outcome, events } = await work(await place(t), ['Mend it.'], {
      settings: { model: `replay:${tape}?tolerant` },
    });
    assert.equal(outcome.outcome, 'completed');
    const notices = events.flatMap((event) =>
      event.kind === 'notice' && event.data.code === 'replay-alike' ? [event.data.text] : [],
    );
    assert.ok(notices.length >= 1);
    assert.match(notices[0] ?? '', /^Request 1 isn’t the recorded 1, but its conversation is alike: .* message 1/);
  });
});

describe('what can’t be recorded or replayed is told before a session is made', () => {
  const refused = async (t: Parameters<typeof place>[0], options: (home: string) => Parameters<typeof work>[2]) => {
    const at = await place(t);
    await provideModel(at, 'anthropic', await serve(t, { turns: [{ text: 'Hello.' }] }, at));
    mkdirSync(join(at.home.path, 'full'));
    await at.home.write('full/0001.json', '{}');
    await at.home.write('file', '');
    const error = await work(at, ['Hello.'], options(at.home.path)).then(
      () => assert.fail('it ran'),
      (reason: unknown) => reason as { code: string },
    );
    const sessions = join(at.home.path, '.local', 'state', 'reins', 'sessions');
    assert.deepEqual(existsSync(sessions) ? readdirSync(sessions) : [], []);
    return error.code;
  };
  const cases: [name: string, options: (home: string) => Parameters<typeof work>[2], code: string][] = [
    ['a folder that has a recording', (home) => ({ record: join(home, 'full') }), 'usage-arguments'],
    ['a file in place of the folder', (home) => ({ record: join(home, 'file') }), 'cassette-unwritable'],
    ['no name of a folder', () => ({ record: ' ' }), 'usage-arguments'],
    ['no recording', (home) => ({ settings: { model: `replay:${join(home, 'nowhere')}` } }), 'cassette-invalid'],
    ['a broken recording', (home) => ({ settings: { model: `replay:${join(home, 'full')}` } }), 'cassette-invalid'],
    ['no name of a recording', () => ({ settings: { model: 'replay:' } }), 'usage-arguments'],
  ];
  for (const [name, options, code] of cases) {
    test(name, async (t) => assert.equal(await refused(t, options), code));
  }
});

test('a project can’t choose a recording, trusted or not', async (t) => {
  const at = await place(t, { files: { '.reins/settings.json': '{ "model": "replay:tape" }' } });
  const refused = { code: 'config-untrusted', message: /settings\.json:1: model/ };
  await assert.rejects(work(at, ['Hello.'], { trust: true }), refused);
  const server = await serve(t, { turns: [{ text: 'Hello.' }] }, at);
  const other = await place(t, { files: { '.reins/settings.json': '{ "model": "replay:tape" }' } });
  await provideModel(other, 'anthropic', server);
  assert.equal((await work(other, ['Hello.'])).outcome.answer, 'Hello.');
});

test('a recording that can’t be kept any more ends the run', async (t) => {
  const at = await place(t);
  await provideModel(at, 'anthropic', await serve(t, { turns: [{ calls: [read('a.ts')] }, { text: 'Done.' }] }, at));
  const tape = join(at.home.path, 'tape');
  const session = await createSession({
    workspace: at.workspace.path,
    env: at.env,
    record: tape,
    settings: { checks: 'waived' },
    onEvent: ({ kind }) => {
      if (kind === 'reply')
        rmSync(tape, {
          recursive: true,
          force: true,
        });
    },
  });
  t.after(() => session.close());
  await session.say('Look.');
  const outcome = await session.run();
  assert.deepEqual([outcome.outcome, outcome.code, outcome.exit], ['error', 'cassette-unwritable', 1]);
  assert.match(outcome.detail, /0002\.json/);
});
