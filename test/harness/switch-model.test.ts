import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { createSession, type EventData, type Session } from '../../src/harness/index.ts';
import { startModelServer, type ModelServer, type Scenario } from '../../src/testing/index.ts';
import { ground } from './ground.ts';

/** A session of which provider `a` speaks Anthropic's wire and `b` Chat Completions, each served by a strict server. */
async function between(t: TestContext, scenario: Scenario, images = true) {
  const serve = async (): Promise<ModelServer> => {
    const server = await startModelServer(scenario);
    t.after(() => server.close());
    return server;
  };
  const servers = { a: await serve(), b: await serve() };
  const rates = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };
  const abilities = { images };
  const user = {
    providers: {
      a: {
        wire: 'anthropic',
        baseUrl: servers.a.url,
        keyVariable: 'KEY_A',
        models: { x: { rates, abilities: { images: true } } },
      },
      b: { wire: 'openai-chat', baseUrl: servers.b.url, keyVariable: 'KEY_B', models: { y: { abilities } } },
    },
  };
  const place = await ground(t, { user, env: { KEY_A: 'key-of-a', KEY_B: 'key-of-b' } });
  const requests: EventData['request'][] = [];
  const setups: EventData['setup'][] = [];
  const open = async (model?: string, more: object = {}): Promise<Session> => {
    const session = await createSession({
      ...place,
      ...more,
      settings: { mode: 'plan', ...(model !== undefined && { model }) },
      onEvent: (event) => {
        if (event.kind === 'request') requests.push(event.data);
        if (event.kind === 'setup') setups.push(event.data);
      },
    });
    t.after(() => session.close());
    return session;
  };
  return { servers, place, open, requests, setups };
}

const read = { name: 'read', arguments: { path: 'a.txt' } };

describe('switching the model of a session', () => {
  test('holds from the next request on, in the middle of a run, and says in the log who wanted it', async (t) => {
    const { servers, open, requests, setups } = await between(t, {
      turns: [
        { thinking: 'I look.', calls: [read, read] },
        { thinking: 'I see.', text: 'It says a.' },
      ],
    });
    const session = await open('a/x');
    await session.say('what is in it?');
    const held = servers.a.hold(1);
    const running = session.run();
    await servers.a.waitForRequest(1);
    await session.switchModel('b/y', 'a rule of the house');
    held.release();
    const outcome = await running;
    assert.equal(outcome.answer, 'It says a.');
    assert.deepEqual(
      requests.map(({ source, broke }) => [source.provider, source.wire, broke]),
      [
        ['a', 'anthropic', undefined],
        ['b', 'openai-chat', 'model'],
      ],
    );
    assert.deepEqual(setups.at(-1)?.switched, { from: 'a/x', by: 'a rule of the house' });
    assert.equal(setups.at(-1)?.rates, undefined, 'what only the first model has is not the second’s');
    assert.deepEqual([servers.a.refusals, servers.b.refusals], [[], []]);
    assert.doesNotMatch(servers.b.requests[0]?.bytes.toString() ?? '', /I look|signature/);
  });

  test('goes on counting what the run has used', async (t) => {
    const { open } = await between(t, { turns: [{ calls: [read] }, { text: 'done' }] });
    const session = await open('a/x');
    await session.say('go');
    await session.switchModel('b/y');
    const outcome = await session.run();
    assert.deepEqual([outcome.outcome, outcome.turns, outcome.calls], ['completed', 2, 1]);
  });

  test('is refused by name for a model that can’t be asked, and nothing has changed', async (t) => {
    const { open, setups } = await between(t, { turns: [{ text: 'done' }] });
    const session = await open('a/x');
    await assert.rejects(session.switchModel('nobody/z'), { code: 'model-unknown' });
    await assert.rejects(session.switchModel('openai/gpt-5'), { code: 'key-missing' });
    assert.equal(setups.length, 1);
  });
});

describe('a session that goes on', () => {
  const turns = [{ text: 'one' }, { text: 'two' }];

  test('keeps its own model where none is asked for, whatever else has a key', async (t) => {
    const { open, place, setups } = await between(t, { turns });
    const first = await open('b/y');
    await first.say('go');
    await first.run();
    await first.close();
    const env = { ...place.env, ANTHROPIC_API_KEY: 'another-key' };
    const second = await open(undefined, { resume: first.id, env });
    await second.say('on');
    assert.equal((await second.run()).answer, 'two');
    assert.deepEqual(
      setups.map(({ provider, model }) => `${provider}/${model}`),
      ['b/y', 'b/y'],
    );
    assert.ok(!second.notices.some(({ code }) => code === 'model-switched' || code === 'model-chosen'));
  });

  test('keeps the one that it was switched to', async (t) => {
    const { open } = await between(t, { turns });
    const first = await open('a/x');
    await first.switchModel('b/y');
    await first.close();
    const second = await open(undefined, { resume: first.id });
    assert.equal(second.view.setup?.model, 'y');
  });

  test('says so when another is asked for', async (t) => {
    const { open } = await between(t, { turns });
    const first = await open('a/x');
    await first.close();
    const second = await open('b/y', { resume: first.id });
    const notice = second.notices.find(({ code }) => code === 'model-switched');
    assert.match(notice?.text ?? '', /b\/y instead of a\/x/);
  });

  test('says so when its mode or profile is another and nobody chose that', async (t) => {
    const { open, place } = await between(t, { turns });
    const first = await open('a/x');
    await first.close();
    for (const [chosen, said] of [
      [{}, 'had mode plan and goes on with mode ask; --mode plan goes on'],
      [{ mode: 'edit' }, undefined],
      [{ profile: 'explore', mode: 'edit' }, undefined],
      [
        {},
        'had profile explore and mode edit and goes on with profile default and mode ask; --profile explore --mode edit',
      ],
    ] as const) {
      const settings = { model: 'a/x', ...chosen };
      const second = await createSession({ ...place, resume: first.id, settings });
      const { id, notices } = second;
      await second.close();
      const texts = notices.filter(({ code }) => code === 'resumed-otherwise').map(({ text }) => text);
      assert.deepEqual([id, texts.length], [first.id, said === undefined ? 0 : 1]);
      assert.ok(
        texts.every((text) => text.includes(said ?? '')),
        texts[0],
      );
    }
  });

  test('is refused by name where its own has no key any more, and stays as it is', async (t) => {
    const { open, place } = await between(t, { turns });
    const first = await open('b/y');
    const { head } = first.view;
    await first.close();
    const { KEY_B: _, ...env } = place.env;
    await assert.rejects(open(undefined, { resume: first.id, env }), { code: 'key-missing' });
    const again = await open(undefined, { resume: first.id });
    assert.notEqual(head, null);
    assert.equal(again.view.setup?.model, 'y');
  });
});

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
);

describe('an image that goes with the task', () => {
  test('is seen by the model, also after a resume and by another one', async (t) => {
    const { servers, open } = await between(t, { turns: [{ text: 'a dot' }, { text: 'still a dot' }] });
    const first = await open('a/x');
    await first.say('what is this?', 'user', [png]);
    await first.run();
    await first.close();
    const second = await open('b/y', { resume: first.id });
    await second.say('and now?');
    await second.run();
    assert.equal(servers.a.requests[0]?.question.messages[0]?.images, 1);
    assert.equal(servers.b.requests[0]?.question.messages[0]?.images, 1);
    assert.ok(servers.b.requests[0]?.bytes.includes(png.toString('base64')));
    assert.deepEqual([servers.a.refusals, servers.b.refusals], [[], []]);
  });

  test('is a note for a model that can’t see', async (t) => {
    const { servers, open } = await between(t, { turns: [{ text: 'a note' }] }, false);
    const session = await open('b/y');
    await session.say('what is this?', 'user', [png]);
    await session.run();
    const [message] = servers.b.requests[0]?.question.messages ?? [];
    assert.equal(message?.images, 0);
    assert.match(message?.text ?? '', /image/);
  });

  for (const [what, bytes] of [
    ['no image', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['too large', Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)])],
  ] as const) {
    test(`is refused where it is ${what}, before anything is recorded`, async (t) => {
      const { open } = await between(t, { turns: [{ text: 'never' }] });
      const session = await open('a/x');
      const { head } = session.view;
      await assert.rejects(session.say('look', 'user', [png, bytes]), { code: 'usage-arguments' });
      assert.equal(session.view.head, head);
    });
  }
});
