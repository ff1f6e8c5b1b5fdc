import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ModelOutcome, SetupData } from '../../src/core/index.ts';
import { readRecording, withoutPauses } from '../../src/model/cassettes/index.ts';
import {
  answer,
  ask,
  failureOf,
  now,
  request,
  serve,
  setup,
  sse,
  Story,
  streamHead,
  textReply,
  type Handler,
  type Rig,
} from './loopback.ts';
import { here, player, recorded, recorder, rewrite, temporaryFolder, there } from './tapes.ts';

const prompt = (workspace: string, date: string) => [`You work in ${workspace}.`, `Today is ${date}.`];
const setupThere = () => setup({ system: prompt('/work/there', '2026-01-01') });
const setupHere = (changes: Partial<SetupData> = {}) =>
  setup({ system: prompt('/work/here', '2027-12-31'), ...changes });

const usage = { input_tokens: 10, output_tokens: 1 };

/** The events of a reply that calls a tool with these pieces of JSON. */
function callReply(id: string, pieces: string[]): object[] {
  return [
    { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id, name: 'read', input: {} } },
    ...pieces.map((partial_json) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ];
}

interface Scene {
  setup: SetupData;
  task: string;
  result: string;
}

const sceneThere: Scene = {
  setup: setupThere(),
  task: 'Fix it.',
  result: 'ok in /work/there/a.ts (12ms), 2026-01-01 10:00, 1a2b3c4d',
};
const sceneHere: Scene = {
  setup: setupHere(),
  task: 'Fix it.',
  result: 'ok in /work/here/a.ts (7ms), 2027-12-31 23:59, 9f8e7d6c',
};

/** Asks, answers the call, asks again: two requests. */
async function conversation(own: Rig, scene: Scene) {
  const story = new Story(scene.setup);
  story.say(scene.task);
  const first = await request(own, story);
  assert.ok(first.outcome.kind === 'reply', JSON.stringify(first.outcome));
  const reply = story.add({ kind: 'reply', data: { request: first.id, ...first.outcome.data } });
  story.result(reply, 0, scene.result);
  const second = await request(own, story);
  return { first: first.outcome, second: second.outcome };
}

const scripted: Handler = ({ body }, response) => {
  const isSecond = body.includes('tool_result');
  answer(
    response,
    isSecond
      ? textReply('Done.')
      : callReply('toolu_01abcdefgh', ['{"path":"/work/the', 're/a.ts","more":"/work/therefore"}']),
  );
};

async function tape(t: Parameters<typeof recorder>[0], scene = sceneThere) {
  const folder = temporaryFolder(t);
  const server = await serve(t, scripted);
  const outcomes = await conversation(await recorder(t, server.url, { folder }), scene);
  return { folder, outcomes };
}

describe('a recording that is played back', () => {
  test('gives the same replies, usage and prices, without a server', async (t) => {
    const { folder, outcomes } = await tape(t);
    const played = await conversation(await player(t, folder, { surroundings: there }), sceneThere);
    assert.deepEqual(played, outcomes);
  });

  test('fits another day, another place, other ids and other durations', async (t) => {
    const { folder, outcomes } = await tape(t);
    const { first, second } = await conversation(await player(t, folder), sceneHere);
    assert.deepEqual(second, outcomes.second);
    assert.ok(first.kind === 'reply');
    // What the model said of the workspace leads to the present one, also where its events tear the path.
    const [call] = first.data.parts;
    assert.deepEqual(call?.type === 'call' && call.arguments, { path: '/work/here/a.ts', more: '/work/therefore' });
  });

  test('breaks where it was broken then: each failure as it was, and without waiting', async (t) => {
    const folder = temporaryFolder(t);
    let tries = 0;
    const handlers: Handler[] = [
      (_, response) => {
        response.writeHead(529, { 'content-type': 'application/json', 'retry-after': '120' });
        response.end('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}');
      },
      (_, response) => {
        streamHead(response);
        response.write(sse(textReply('Hello').slice(0, 3)), () => response.destroy());
      },
      (_, response) => {
        streamHead(response);
        response.write(sse(textReply('Hello').slice(0, 3)));
      },
      (_, response) => answer(response, textReply('Hello')),
    ];
    const server = await serve(t, (received, response, socket) => handlers[tries++]?.(received, response, socket));
    const live = await recorder(t, server.url, { folder, timeouts: { silence: 50 } });
    const story = new Story();
    const before: ModelOutcome[] = [];
    for (let at = 0; at < 4; at += 1) before.push((await attempt(live, story)).outcome);
    const own = await player(t, folder);
    own.model = withoutPauses(own.model, { now: () => now });
    const again = new Story();
    const after: ModelOutcome[] = [];
    for (let at = 0; at < 4; at += 1) after.push((await attempt(own, again)).outcome);
    const told = (outcome: ModelOutcome) =>
      outcome.kind === 'reply' ? outcome : { ...outcome.data, retryAt: outcome.data.retryAt !== undefined };
    assert.deepEqual(after.map(told), before.map(told));
    const pauses = (outcomes: ModelOutcome[]) =>
      outcomes.flatMap((outcome) => (outcome.kind === 'failure' ? [(outcome.data.retryAt ?? 0) - now] : []));
    assert.ok(
      pauses(before).every((pause) => pause > 0),
      String(pauses(before)),
    );
    assert.deepEqual(pauses(after), [0, 0, 0]);
  });

  test('tries again, or not, as it did then, whatever the time is now', async (t) => {
    const folder = temporaryFolder(t);
    const reset = (milliseconds: number) => new Date(now + milliseconds).toISOString();
    const headers = { 'content-type': 'application/json', 'anthropic-ratelimit-requests-reset': reset(3_600_000) };
    const handler: Handler = (_, response) => {
      response.writeHead(429, { ...headers, 'anthropic-ratelimit-requests-remaining': '0' });
      response.end('{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}');
    };
    const { outcome } = await recorded(t, handler, new Story(), { folder });
    assert.equal(failureOf(outcome).retryAt, undefined);
    const later = now + 1_000_000_000;
    const own = await player(t, folder, { clock: () => later });
    const played = await request({ ...own, model: own.model }, new Story());
    assert.equal(failureOf(played.outcome).retryAt, undefined);
  });

  test('can be cancelled in the middle', async (t) => {
    const { folder } = await tape(t);
    rewrite(folder, '0001.json', ({ response }) => {
      const [start, call] = [sse(callReply('toolu_1', []).slice(0, 2)), sse(callReply('toolu_1', []).slice(2))];
      Object.assign(response as object, {
        pieces: [
          { at: 1, text: start },
          { at: 2, text: call },
        ],
      });
    });
    const own = await player(t, folder, { surroundings: there });
    const story = new Story(sceneThere.setup);
    story.say(sceneThere.task);
    const cancel = new AbortController();
    const prepared = await own.model.prepare(story.view, ask);
    const outcome = await own.model.send(prepared, 'e9', cancel.signal, () => cancel.abort());
    assert.equal(failureOf(outcome).class, 'cancelled');
  });

  test('ends an exchange that was cancelled then as one that broke off', async (t) => {
    const folder = temporaryFolder(t);
    const cancel = new AbortController();
    const server = await serve(t, (_, response) => {
      streamHead(response);
      response.write(sse(textReply('Hello').slice(0, 3)));
    });
    const live = await recorder(t, server.url, { folder });
    const story = new Story();
    story.say('hello');
    const prepared = await live.model.prepare(story.view, ask);
    await live.model.send(prepared, 'e9', cancel.signal, () => cancel.abort());
    const { outcome } = await request(await player(t, folder), new Story());
    assert.equal(failureOf(outcome).class, 'broken-stream');
    assert.match(failureOf(outcome).message, /Exchange 1 was cancelled when it was recorded/);
  });
});

async function attempt(own: Rig, story: Story) {
  const sent = await request(own, story);
  if (sent.outcome.kind === 'failure') story.add({ kind: 'failure', data: { request: sent.id, ...sent.outcome.data } });
  return sent;
}

/** The message with which playing a scene back ends. */
async function divergence(
  t: Parameters<typeof recorder>[0],
  scene: Scene,
  options: Parameters<typeof player>[2] = {},
): Promise<string> {
  const { folder } = await tape(t);
  const own = await player(t, folder, options);
  const error = await conversation(own, scene).then(
    () => assert.fail('it was played back'),
    (reason: unknown) => reason as { code: string; message: string },
  );
  assert.equal(error.code, 'replay-diverged');
  return error.message;
}

describe('a request that isn’t the recorded one ends the run, and is told', () => {
  const [read] = setup().tools;
  const changed = { ...read!, description: 'Reads a file!' };
  const another = { ...read!, name: 'write' };
  const cases: [name: string, scene: Scene, expected: RegExp][] = [
    [
      'by the tool that changed',
      { ...sceneHere, setup: setupHere({ tools: [changed] }) },
      /^Request 1 .* as 1: from byte \d+ .*, in the tool read\./,
    ],
    ['by the tool that is new', { ...sceneHere, setup: setupHere({ tools: [read!, another] }) }, /in the tool write\./],
    [
      'by the prompt',
      { ...sceneHere, setup: setupHere({ system: [...prompt('/work/here', '2027-12-31'), 'Be brief.'] }) },
      /Request 1 .* in the system prompt\./,
    ],
    ['by what was said', { ...sceneHere, task: 'Fix it all.' }, /Request 1 .* in message 1 \(user\)\./],
    ['by a result', { ...sceneHere, result: 'not ok' }, /Request 2 .* as 2: .* in message 3 \(user\)\./],
    [
      'by a setting',
      { ...sceneHere, setup: setupHere({ settings: { effort: 'high' } }) },
      /Request 1 .* in the setting \w+\./,
    ],
    [
      'by the model',
      { ...sceneHere, setup: setupHere({ model: 'another-model' }) },
      /Request 1 .* in the setting model\./,
    ],
  ];
  for (const [name, scene, expected] of cases) {
    test(name, async (t) => assert.match(await divergence(t, scene), expected));
  }

  test('with its byte and both sides', async (t) => {
    const message = await divergence(t, { ...sceneHere, task: 'Fix that.' });
    const [, at] = /from byte (\d+)/.exec(message) ?? [];
    const [, before, after] = /recorded: (.*)\n {2}sent now: (.*)\n/.exec(message) ?? [];
    assert.match(before ?? '', /^….*"text":"Fix it\./);
    assert.match(after ?? '', /^….*"text":"Fix that\./);
    // The byte is one of the normalised body: what stands before it is the same on both sides.
    const { folder } = await tape(t);
    const [first] = await readRecording(folder);
    const unmarked = first!.request.body.replaceAll(',"cache_control":{"type":"ephemeral"}', '');
    const normal = unmarked.replace('/work/there', '<workspace>').replace('2026-01-01', '<date>');
    assert.equal(normal.slice(Number(at)).startsWith('it.'), true, normal.slice(Number(at), Number(at) + 20));
  });

  test('when there are more requests than were recorded', async (t) => {
    const { folder } = await tape(t);
    const own = await player(t, folder);
    await conversation(own, sceneHere);
    await assert.rejects(request(own, new Story()), /Request 3 .* the recording has 2 exchanges, and all were played/);
  });

  test('what a prompt says of seconds is meant, what a command says of them is not', async (t) => {
    const own = setupHere({ system: [...prompt('/work/here', '2027-12-31'), 'Wait 5 s.'] });
    const other = setupThere();
    const recordedScene = { ...sceneThere, setup: { ...other, system: [...other.system, 'Wait 9 s.'] } };
    const { folder } = await tape(t, recordedScene);
    await assert.rejects(conversation(await player(t, folder), { ...sceneHere, setup: own }), /in the system prompt/);
  });
});

describe('a recording that is played tolerantly', () => {
  test('finds a request out of its order, and says so', async (t) => {
    const { folder, outcomes } = await tape(t);
    rewrite(folder, '0001.json', (first) => (first['number'] = 1));
    const notices: string[] = [];
    const own = await player(t, folder, { tolerant: true, notices });
    await conversation(own, sceneHere);
    const again = await conversation(own, sceneHere);
    assert.deepEqual(again.second, outcomes.second);
    assert.deepEqual(notices, ['Request 3 is the recorded 1, out of its order.']);
  });

  test('takes what is alike in shape, and says where it differs', async (t) => {
    const { folder, outcomes } = await tape(t);
    const notices: string[] = [];
    const own = await player(t, folder, { tolerant: true, notices });
    const { second } = await conversation(own, { ...sceneHere, task: 'Fix it all.', result: 'not ok' });
    assert.deepEqual(second, outcomes.second);
    assert.equal(notices.length, 2);
    assert.match(
      notices[0] ?? '',
      /^Request 1 isn’t the recorded 1, but its conversation is alike: from byte \d+ .* message 1/,
    );
  });

  test('refuses what has another shape', async (t) => {
    const { folder } = await tape(t);
    const own = await player(t, folder, { tolerant: true });
    const story = new Story(setupHere());
    story.say('Fix it.');
    const first = await request(own, story);
    assert.ok(first.outcome.kind === 'reply');
    story.add({ kind: 'reply', data: { request: first.id, ...first.outcome.data } });
    story.say('Never mind.');
    await request(own, story);
    story.say('Really.');
    await assert.rejects(request(own, new Story(setupHere())), { code: 'replay-diverged' });
  });
});

describe('a session that goes on', () => {
  test('finds its place in the recording with its first request, and keeps to the order from there', async (t) => {
    const { folder, outcomes } = await tape(t);
    const half = async (goesOn: boolean) => {
      const own = await player(t, folder, { goesOn, surroundings: there });
      const story = new Story(setupThere());
      story.say('Fix it.');
      assert.ok(outcomes.first.kind === 'reply');
      const reply = story.add({ kind: 'reply', data: { request: 'e2', ...outcomes.first.data } });
      story.result(reply, 0, sceneThere.result);
      return { own, sent: await request(own, story) };
    };
    await assert.rejects(half(false), { code: 'replay-diverged' });
    const { own, sent } = await half(true).catch((error: Error) => assert.fail(error));
    assert.deepEqual(sent.outcome, outcomes.second);
    await assert.rejects(request(own, new Story(setupThere())), { code: 'replay-diverged' });
  });
});

describe('a folder that is no recording is named', () => {
  test('where there is none, or nothing in it', async (t) => {
    const folder = temporaryFolder(t);
    await assert.rejects(readRecording(join(folder, 'nowhere')), { code: 'cassette-invalid', message: /nowhere/ });
    await assert.rejects(readRecording(folder), { code: 'cassette-invalid', message: /no cassettes/ });
  });

  test('with the file that is none, and why', async (t) => {
    const { folder } = await tape(t);
    const file = join(folder, '0002.json');
    for (const text of ['', '[]', 'null', '{"format":2}', '{"__proto__":{"format":1}}']) {
      writeFileSync(file, text);
      await assert.rejects(readRecording(folder), { code: 'cassette-invalid', message: /0002\.json: it/ }, text);
    }
  });

  const damage: [string, (cassette: { [key: string]: unknown }) => void][] = [
    ['the target', (cassette) => (cassette['target'] = { provider: 'x' })],
    [
      'the abilities of the target',
      (cassette) => Object.assign(cassette['target'] as object, { abilities: { images: 1 } }),
    ],
    ['the rates of the target', (cassette) => Object.assign(cassette['target'] as object, { rates: { input: '1' } })],
    ['the request', (cassette) => (cassette['request'] = { path: 1 })],
    ['the response', (cassette) => (cassette['response'] = { at: 1, status: 200, headers: {}, pieces: [{ at: 1 }] })],
    [
      'the end',
      (cassette) => (cassette['end'] = { kind: 'broken', at: 1, problem: 'toString', message: '', sent: true }),
    ],
    ['the number', (cassette) => (cassette['number'] = 'one')],
  ];
  for (const [name, change] of damage) {
    test(`with ${name} that can’t be`, async (t) => {
      const { folder } = await tape(t);
      rewrite(folder, '0001.json', change);
      await assert.rejects(readRecording(folder), { code: 'cassette-invalid', message: /0001\.json/ });
    });
  }
});

test('a key in a request that was recorded without it is no divergence', async (t) => {
  const secret = 'sk-ant-api03-0123456789abcdef';
  const there = { ...sceneThere, result: `found ${secret}` };
  const { folder, outcomes } = await tape(t, there);
  const played = await conversation(await player(t, folder, { surroundings: here }), {
    ...sceneHere,
    result: there.result,
  });
  assert.deepEqual(played.second, outcomes.second);
});
