import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  defaultRules,
  foldAll,
  Recorder,
  run,
  type Event,
  type EventOf,
  type Kind,
  type Log,
  type Notification,
  type SetupData,
  View,
} from '../../src/core/index.ts';
import {
  failingLog,
  manualClock,
  memoryLog,
  scriptedCalls,
  scriptedModel,
  scriptedSummariser,
  scriptedVerifier,
  type ManualClock,
  type Scenario,
  type ScriptedCalls,
  type ScriptedModelOptions,
  type ScriptedVerifier,
  type Turn,
} from '../../src/testing/index.ts';
import { able } from '../support/abilities.ts';

const setup: SetupData = {
  reins: 'test',
  provider: 'script',
  wire: 'script',
  model: 'model-a',
  settings: {},
  ...able,
  system: ['Be kind.'],
  tools: [{ name: 'add', description: 'Adds.', input: { type: 'object' } }],
  mode: 'auto',
  limits: { turns: 20, calls: 20, minutes: 600, cost: null, outputTokens: 1000 },
  retries: { attempts: 4, minutes: 60, brokenStream: 3, firstPause: 1000 },
  checks: 'waived',
  window: 100_000,
};

interface Parts {
  clock?: ManualClock;
  calls?: ScriptedCalls;
  verifier?: ScriptedVerifier;
  setup?: Partial<SetupData>;
  model?: ScriptedModelOptions;
  log?: (log: Log) => Log;
  earlier?: readonly Event[];
  view?: View;
}

/** A loop over a script with everything in memory, and what it recorded. */
function loopOver(script: Turn[] | Scenario, parts: Parts = {}) {
  const log = memoryLog(parts.earlier);
  const clock = parts.clock ?? manualClock(1_000_000, { auto: true });
  const model = scriptedModel(script, { clock, ...parts.model });
  const calls = parts.calls ?? scriptedCalls({ add: ({ a, b }) => String(Number(a) + Number(b)) }, clock);
  const verifier = parts.verifier ?? scriptedVerifier();
  const recorder = new Recorder(parts.view ?? new View(), parts.log?.(log) ?? log, clock);
  const notifications: Notification[] = [];
  const ports = { log, clock, model, calls, verifier, summariser: scriptedSummariser() };
  const notify = (notification: Notification) => void notifications.push(notification);
  const loop = { ports, recorder, rules: defaultRules, notify };
  const begin = async (text: string) => {
    await recorder.record({ kind: 'session', data: { format: 1, reins: 'test', workspace: '/w' } });
    await recorder.record({ kind: 'setup', data: { ...setup, ...parts.setup } });
    await recorder.record({ kind: 'input', data: { from: 'user', text } });
  };
  const ofKind = <K extends Kind>(kind: K): EventOf<K>['data'][] =>
    log.events.flatMap((event) => (event.kind === kind ? [(event as EventOf<K>).data] : []));
  return { log, clock, model, calls, verifier, recorder, loop, notifications, begin, ofKind };
}

const adding = (a: number, b: number) => ({ name: 'add', arguments: { a, b } });

test('a scripted session runs to its end: replies, calls, results, stop', async () => {
  const session = loopOver([
    { thinking: 'Two sums.', text: 'I add.', calls: [adding(1, 2), adding(3, 4)] },
    {
      text: 'Done.',
      expect: {
        results: [
          { name: 'add', contains: '3' },
          { contains: '7', error: false },
        ],
        system: 'kind',
        tools: ['add'],
      },
    },
  ]);
  await session.begin('add');
  const end = await run(session.loop);
  assert.partialDeepStrictEqual(end, { stop: { reason: 'completed', answer: 'Done.' } });
  assert.equal(session.calls.executed.length, 2);
  assert.deepEqual(
    session.ofKind('result').map(({ outcome, text }) => [outcome, text]),
    [
      ['ok', '3'],
      ['ok', '7'],
    ],
  );
  assert.deepEqual(
    session.notifications.flatMap((notification) => ('delta' in notification ? [notification.delta] : [])),
    ['Two sums.', 'I add.', 'Done.'],
  );
  assert.equal(session.model.asked.at(-1)?.messages.length, 3);
});

test('requests are honest: their bytes, fingerprint and tail agree, and the log gives them back', async () => {
  const session = loopOver([{ calls: [adding(1, 2)] }, { text: 'ok' }]);
  await session.begin('add');
  await run(session.loop);
  const requests = session.ofKind('request');
  assert.equal(requests.length, 2);
  for (const request of requests) {
    const bytes = Buffer.from(request.tail);
    assert.equal(request.bytes, bytes.length);
    assert.equal(request.kept, 0);
    const digest = await crypto.subtle.digest('SHA-256', bytes);
    assert.equal(request.fingerprint, Buffer.from(digest).toString('hex'));
  }
  const [first] = session.log.events.filter((event) => event.kind === 'request');
  const before = session.log.events.slice(0, session.log.events.indexOf(first!));
  const view = foldAll(before, new Set(before.map((event) => event.id)));
  const ask = { turn: 1, attempt: 1, maxOutput: 1000, closing: false };
  const again = await scriptedModel([]).prepare(view, ask);
  assert.equal(Buffer.from(again.body).toString(), requests[0]?.tail);
});

test('a session goes on from any prefix of its log, with the right turn and no call run twice', async () => {
  const script: Turn[] = [{ calls: [adding(1, 1)] }, { calls: [adding(2, 2), adding(3, 3)] }, { text: 'end' }];
  const whole = loopOver(script);
  await whole.begin('add');
  await run(whole.loop);
  for (let length = 3; length < whole.log.events.length; length += 1) {
    const earlier = whole.log.events.slice(0, length);
    const ran = new Set(earlier.flatMap((event) => (event.kind === 'start' ? [event.data.call] : [])));
    const view = foldAll(earlier, new Set(earlier.map((event) => event.id)));
    const resumed = loopOver(script, { earlier, view });
    const end = await run(resumed.loop);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'completed', answer: 'end' } }, `cut after ${length}`);
    assert.ok(
      resumed.calls.executed.every((key) => !ran.has(key)),
      `cut after ${length}`,
    );
  }
});

test('failures are waited out as they say, and tried again', async () => {
  const failures = [{ cut: 'in-text' as const }, { status: 429, retryAfter: 60 }, { status: 529 }];
  const session = loopOver([{ text: 'ok', failures }], { clock: manualClock(0, { auto: true }) });
  await session.begin('go');
  assert.partialDeepStrictEqual(await run(session.loop), { stop: { reason: 'completed' } });
  const told = session.ofKind('failure').map(({ class: kind, code, retryAt }) => [kind, code, retryAt]);
  assert.deepEqual(told, [
    ['broken-stream', 'stream-cut', 1000],
    ['wait', 'rate-limited', 61_000],
    ['retryable', 'provider-overloaded', 65_000],
  ]);
  assert.deepEqual(session.clock.sleeps, [1000, 61_000, 65_000]);
});

const final: [object, string][] = [
  [{ status: 401 }, 'provider-auth'],
  [{ status: 402 }, 'provider-quota'],
  [{ status: 400 }, 'provider-rejected'],
  [{ status: 413 }, 'context-overflow'],
  [{ status: 529, times: 'forever' }, 'provider-overloaded'],
  [{ close: true, times: 'forever' }, 'stream-cut'],
  [{ silence: 'in-text', times: 'forever' }, 'silence-timeout'],
];
for (const [failure, code] of final) {
  test(`a failure without another try ends the run: ${JSON.stringify(failure)}`, async () => {
    const session = loopOver([{ text: 'ok', failures: [failure as never] }]);
    await session.begin('go');
    assert.partialDeepStrictEqual(await run(session.loop), { stop: { reason: 'provider', code } });
    assert.equal(session.ofKind('failure').at(-1)?.retryAt, undefined);
  });
}

test('a script that is over, or an expectation that isn’t met, ends the run with the reason', async () => {
  const session = loopOver([{ calls: [adding(1, 2)] }]);
  await session.begin('add');
  const end = await run(session.loop);
  assert.partialDeepStrictEqual(end, { stop: { reason: 'provider', code: 'provider-rejected' } });
  assert.match(session.ofKind('failure')[0]?.message ?? '', /no turn 2/);
  const unmet = loopOver([{ text: 'ok', expect: { contains: 'please' } }]);
  await unmet.begin('add');
  await run(unmet.loop);
  assert.match(unmet.ofKind('failure')[0]?.message ?? '', /lacks "please"/);
});

test('a cancel ends a request at once, whatever it is doing', async () => {
  const asked = Promise.withResolvers<void>();
  const onRequest = () => {
    asked.resolve();
    return new Promise<void>(() => undefined);
  };
  const session = loopOver([{ text: 'never' }], { model: { onRequest } });
  await session.begin('go');
  const running = run(session.loop);
  await asked.promise;
  await session.recorder.record({ kind: 'cancel', data: { by: 'user' } });
  assert.partialDeepStrictEqual(await running, { stop: { reason: 'cancelled' } });
  assert.deepEqual(
    session.ofKind('failure').map((data) => data.class),
    ['cancelled'],
  );
  assert.deepEqual(session.ofKind('reply'), []);
});

test('a cancel while a call runs reaches the tool; no further call starts', async () => {
  const calls = scriptedCalls({
    add: (_args, context) =>
      new Promise((resolve) => {
        context.output('working');
        context.signal.addEventListener('abort', () => resolve({ outcome: 'cancelled', text: 'stopped' }));
      }),
  });
  const session = loopOver([{ calls: [adding(1, 2), adding(3, 4)] }], { calls });
  await session.begin('go');
  const unlisten = session.recorder.listen((event) => {
    if (event.kind === 'start') void session.recorder.record({ kind: 'cancel', data: { by: 'user' } });
  });
  assert.partialDeepStrictEqual(await run(session.loop), { stop: { reason: 'cancelled' } });
  unlisten();
  assert.equal(calls.executed.length, 1);
  assert.deepEqual(
    session.ofKind('result').map(({ outcome }) => outcome),
    ['cancelled', 'cancelled'],
  );
  assert.ok(session.notifications.some((each) => each.type === 'output' && each.delta === 'working'));
});

test('calls that can’t run have results that say so', async () => {
  const calls = scriptedCalls({
    add: () => {
      throw new Error('no numbers');
    },
    rm: { run: () => 'gone', decision: 'deny' },
  });
  const script: Turn[] = [
    { calls: [{ name: 'sub' }, { name: 'add', malformed: '{"a":' }, adding(1, 2), { name: 'rm' }] },
    { text: 'ok', expect: { results: [{ error: true }, { error: true }, { error: true }, { error: true }] } },
  ];
  const session = loopOver(script, { calls });
  await session.begin('go');
  assert.partialDeepStrictEqual(await run(session.loop), { stop: { reason: 'completed' } });
  assert.deepEqual(
    session.ofKind('result').map(({ outcome, text }) => [outcome, text]),
    [
      ['error', 'There is no tool sub. Tools: add, rm.'],
      ['error', 'The arguments aren’t a JSON object: {"a":'],
      ['error', 'no numbers'],
      ['denied', 'Denied: The script says so.'],
    ],
  );
  assert.equal(calls.executed.length, 1, 'what is denied never runs');
});

for (const decision of ['yes', 'no'] as const) {
  test(`a call that asks waits for its answer: ${decision}`, async () => {
    const calls = scriptedCalls({ rm: { run: () => 'gone', decision: 'ask', shape: 'rm *' } });
    const session = loopOver([{ calls: [{ name: 'rm', arguments: { path: 'a' } }] }, { text: 'ok' }], { calls });
    await session.begin('go');
    assert.partialDeepStrictEqual(await run(session.loop), { waiting: { do: 'wait' } });
    assert.equal(calls.executed.length, 0);
    const ask = session.log.events.find((event) => event.kind === 'ask');
    assert.partialDeepStrictEqual(ask?.data, { question: 'Run rm {"path":"a"}?', shape: 'rm *' });
    await session.recorder.record({ kind: 'answer', data: { ask: ask!.id, by: 'test', decision, scope: 'once' } });
    assert.partialDeepStrictEqual(await run(session.loop), { stop: { reason: 'completed' } });
    assert.equal(calls.executed.length, decision === 'yes' ? 1 : 0);
    assert.deepEqual(
      session.ofKind('result').map(({ outcome }) => outcome),
      [decision === 'yes' ? 'ok' : 'denied'],
    );
  });
}

test('checks say what is scripted, one time after another; a change needs a passing one', async () => {
  const files: { [path: string]: string } = { a: 'hash-1' };
  const verifier = scriptedVerifier({
    checks: { test: [{ failed: '1 test failed' }, 'passed'] },
    files: () => ({ ...files }),
  });
  const calls = scriptedCalls({
    add: ({ a }) => {
      files['a'] = `hash-${JSON.stringify(a)}`;
      return { outcome: 'ok', text: 'written', mayHaveChanged: true };
    },
  });
  const check = { command: 'test', from: 'user' as const, timeout: 1000, definers: [] };
  const script: Turn[] = [
    { calls: [adding(2, 0)] },
    { text: 'Done?' },
    { calls: [adding(3, 0)], expect: { contains: '1 test failed' } },
    { text: 'Done.' },
  ];
  const session = loopOver(script, { calls, verifier, setup: { checks: [check] } });
  await session.begin('go');
  assert.partialDeepStrictEqual(await run(session.loop), { stop: { reason: 'completed', answer: 'Done.' } });
  assert.deepEqual(verifier.checked, ['test', 'test']);
  assert.deepEqual(
    session
      .ofKind('checkpoint')
      .flatMap(({ changed }) => changed ?? [])
      .filter((path) => path !== 'a'),
    [],
  );
});

test('a check that nothing is scripted for has not started, and proves nothing', async () => {
  const verifier = scriptedVerifier();
  const check = { command: 'lint', from: 'user' as const, timeout: 1000, definers: [] };
  const outcome = await verifier.check(check, new AbortController().signal, () => undefined);
  assert.deepEqual([outcome.passed, outcome.outcome, outcome.exit], [false, 'not-started', null]);
  const cancelled = await verifier.check(check, AbortSignal.abort(), () => undefined);
  assert.deepEqual([cancelled.passed, cancelled.outcome], [false, 'cancelled']);
});

test('a log that fails stops the run at the append that failed, with the coded error', async () => {
  const script: Turn[] = [{ calls: [adding(1, 2)] }, { text: 'ok' }];
  const whole = loopOver(script);
  await whole.begin('go');
  await run(whole.loop);
  const total = whole.log.events.length;
  for (let failAt = 4; failAt <= total; failAt += 1) {
    const session = loopOver(script, { log: (log) => failingLog(log, { failAt }) });
    await session.begin('go');
    await assert.rejects(run(session.loop), { code: 'log-append-failed' });
    assert.equal(session.log.events.length, failAt - 1);
  }
});

test('replies of every kind become parts, stops and usage', async () => {
  const model = scriptedModel([
    {
      blocks: [
        { thinking: 't' },
        { redacted: 'r' },
        { opaque: { type: 'later' } },
        { text: 'x' },
        { call: { name: 'add', malformed: '{' } },
      ],
      stop: 'later_reason',
      usage: { input: 5, output: 7 },
    },
  ]);
  const session = loopOver([]);
  await session.begin('go');
  const request = await model.prepare(session.recorder.view, { turn: 1, attempt: 1, maxOutput: 9, closing: false });
  const outcome = await model.send(request, 'r1', new AbortController().signal, () => undefined);
  assert.ok(outcome.kind === 'reply');
  const { parts, stop, stopRaw, usage } = outcome.data;
  assert.deepEqual(
    parts.map((part) => part.type),
    ['thinking', 'opaque', 'opaque', 'text', 'call'],
  );
  assert.partialDeepStrictEqual(parts.at(-1), { name: 'add', arguments: {}, malformed: '{' });
  assert.deepEqual([stop, stopRaw, usage], ['other', 'later_reason', { input: 5, output: 7 }]);
});
