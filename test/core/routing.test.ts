import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  decide,
  defaultRules,
  foldAll,
  run,
  type EventData,
  type Rates,
  type Route,
  type RouteCondition,
} from '../../src/core/index.ts';
import type { MemoryLog, Turn } from '../../src/testing/index.ts';
import { able } from '../support/abilities.ts';
import { open } from './drive.ts';

const rates: Rates = { input: 1, output: 1, cacheRead: 0.1, cacheWrite: 1, dated: '2026-11-01', source: 'test' };

function route(model: string, when: RouteCondition = {}): Route {
  return { provider: 'other', wire: 'script', model, settings: {}, ...able, window: 100_000, when };
}

const requests = (log: MemoryLog): EventData['request'][] =>
  log.events.flatMap((event) => (event.kind === 'request' ? [event.data] : []));

const asked = (log: MemoryLog): string[] =>
  requests(log).map(({ source }) => `${source.provider ?? ''}/${source.model}`);

async function drive(turns: Turn[], routes: Route[], more: { setup?: object; input?: string } = {}) {
  const parts = await open({ turns, setup: { routes, ...more.setup }, input: 'go' });
  const end = await run(parts.loop);
  return { ...parts, end };
}

const fails = (status: number, times = 1): Turn => ({ text: 'done', failures: [{ status, times }] });

describe('a route after a failure', () => {
  test('is taken when the model has failed for good, and says why', async () => {
    const { log, end } = await drive([fails(401)], [route('spare')]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'completed', answer: 'done' } });
    assert.deepEqual(asked(log), ['script/script', 'other/spare']);
    assert.deepEqual(requests(log)[1]?.route, {
      to: 'other/spare',
      from: 'script/script',
      role: 'work',
      because: 'script/script failed: provider-auth',
    });
  });

  test('stays for the rest of the run, and the setup’s model is asked again in the next', async () => {
    const { log, loop } = await drive(
      [
        { calls: [{ name: 'echo', arguments: { text: 'a' } }], failures: [{ status: 402 }] },
        { text: 'b' },
        { text: 'c' },
      ],
      [route('spare')],
    );
    assert.deepEqual(asked(log), ['script/script', 'other/spare', 'other/spare']);
    const { setup } = loop.recorder.view;
    assert.ok(setup !== undefined);
    await loop.recorder.record({ kind: 'setup', data: setup });
    await loop.recorder.record({ kind: 'input', data: { from: 'user', text: 'more' } });
    await run(loop);
    assert.equal(asked(log).at(-1), 'script/script');
  });

  test('waits for the tries of the model before, unless it says after how many it takes over', async () => {
    const patient = await drive([fails(529, 4)], [route('spare')], { setup: retriesOf(3) });
    assert.deepEqual(asked(patient.log), [
      'script/script',
      'script/script',
      'script/script',
      'other/spare',
      'other/spare',
    ]);
    const eager = await drive([fails(529, 2)], [route('spare', { failure: ['retryable'], tries: 2 })]);
    assert.deepEqual(asked(eager.log), ['script/script', 'script/script', 'other/spare']);
  });

  test('goes down the chain, and stops with the last cause and those before it', async () => {
    const { log, end } = await drive([fails(401, 3)], [route('one'), route('two')]);
    assert.deepEqual(asked(log), ['script/script', 'other/one', 'other/two']);
    assert.ok('stop' in end);
    assert.equal(end.stop.reason, 'provider');
    assert.match(end.stop.detail, /before it script\/script failed: provider-auth, other\/one failed: provider-auth/);
  });

  for (const [kind, status, taken] of [
    ['auth', 401, true],
    ['quota', 402, true],
    ['content', 400, false],
    ['overflow', 413, false],
  ] as const) {
    test(`without a condition is ${taken ? '' : 'not '}taken for ${kind}`, async () => {
      const { log } = await drive([fails(status)], [route('spare')]);
      assert.equal(asked(log).length, taken ? 2 : 1);
    });

    test(`with the condition ${kind} is taken for that and nothing else`, async () => {
      const one = await drive([fails(status)], [route('spare', { failure: [kind] })]);
      assert.equal(asked(one.log).length, 2);
      const other = await drive([fails(status === 401 ? 402 : 401)], [route('spare', { failure: [kind] })]);
      assert.equal(asked(other.log).length, 1);
    });
  }

  test('skips one whose condition doesn’t hold', async () => {
    const { log } = await drive([fails(401)], [route('quota-only', { failure: ['quota'] }), route('any')]);
    assert.deepEqual(asked(log), ['script/script', 'other/any']);
  });

  /** A route that waits for tries but can't be taken must not end the tries of the model that it would take over from. */
  const idle: [string, Route[]][] = [
    ['whose role doesn’t hold', [route('spare', { failure: ['retryable'], tries: 1, role: 'reviewer' })]],
    ['whose effort doesn’t hold', [route('spare', { failure: ['retryable'], tries: 1, effort: ['max'] })]],
    ['whose cost isn’t reached', [route('spare', { failure: ['retryable'], tries: 1, costAbove: 100 })]],
    ['to the model itself', [{ ...route('script', { tries: 1 }), provider: 'script' }]],
  ];
  for (const [name, routes] of idle) {
    test(`${name} leaves the model its tries`, async () => {
      const { log, end } = await drive([fails(529, 3)], routes);
      assert.deepEqual(asked(log), ['script/script', 'script/script', 'script/script', 'script/script']);
      assert.partialDeepStrictEqual(end, { stop: { reason: 'completed' } });
      assert.deepEqual(
        requests(log).map(({ attempt }) => attempt),
        [1, 2, 3, 4],
      );
    });
  }

  test('that fails for good itself gives the model before it back, at its time, with the tries that it has left', async () => {
    const failures = [{ status: 529 }, { status: 401 }, { status: 529 }];
    const turns: Turn[] = [{ calls: [{ name: 'echo', arguments: { text: 'a' } }], failures }, { text: 'done' }];
    const { log, end, clock } = await drive(turns, [route('spare', { tries: 1 })]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'completed', answer: 'done' } });
    const own = 'script/script';
    assert.deepEqual(asked(log), [own, 'other/spare', own, own, own]);
    assert.deepEqual(
      requests(log).map(({ attempt }) => attempt),
      [1, 2, 3, 4, 1],
    );
    const due = log.events.flatMap((event) => (event.kind === 'failure' ? [event.data.retryAt ?? 0] : []));
    const sent = log.events.flatMap((event) => (event.kind === 'request' ? [event.at] : []));
    assert.ok(due[0] !== undefined && sent[2] !== undefined && sent[2] >= due[0], 'not before its time');
    assert.ok(clock.now() > 1_000_000);
  });

  test('stops when every model has used up its tries, each asked as often as it may be', async () => {
    const chain = [route('one', { tries: 1 }), route('two', { tries: 2 })];
    const { log, end } = await drive([fails(529, 100)], chain, { setup: retriesOf(3) });
    const times = Map.groupBy(asked(log), (name) => name);
    assert.deepEqual(
      [...times].map(([name, each]) => [name, each.length]),
      [
        ['script/script', 3],
        ['other/one', 3],
        ['other/two', 3],
      ],
    );
    assert.ok('stop' in end);
    assert.match(end.stop.detail, /other\/one failed: provider-overloaded.*other\/two failed: provider-overloaded/);
  });

  test('may be named twice, and lead back', async () => {
    const own: Route = { ...route('script'), provider: 'script' };
    const chain = [route('one'), route('one'), own, route('one'), route('two')];
    const { log } = await drive([fails(401, 2)], chain);
    assert.deepEqual(asked(log), ['script/script', 'other/one', 'other/two']);
  });

  test('is decided the same from any beginning of the log', async () => {
    const chain = [
      route('one', { tries: 2 }),
      route('two', { failure: ['auth', 'retryable'], tries: 1 }),
      route('three'),
    ];
    const failures = [529, 529, 401, 529, 402, 529, 401].map((status) => ({ status }));
    const call = { name: 'echo', arguments: { text: 'a' } };
    const turns: Turn[] = [
      { calls: [call], failures },
      { calls: [call], failures: [{ status: 529, times: 2 }] },
      { text: 'x' },
    ];
    const { log } = await drive(turns, chain, { setup: retriesOf(4) });
    let compared = 0;
    for (const [index, event] of log.events.entries()) {
      if (event.kind !== 'request') continue;
      const before = log.events.slice(0, index);
      const view = foldAll(before, new Set(before.map(({ id }) => id)));
      const action = decide(view, defaultRules, event.at);
      assert.ok(action.do === 'ask-model', JSON.stringify(action));
      assert.deepEqual([action.route, action.attempt], [event.data.route, event.data.attempt]);
      compared += 1;
    }
    assert.ok(compared > 8, String(compared));
  });

  test('is never taken for a cancel', async () => {
    const parts = await open({
      turns: [{ text: 'done', wait: 60_000 }],
      setup: { routes: [route('spare')] },
      input: 'go',
    });
    const running = run(parts.loop);
    await parts.loop.recorder.record({ kind: 'cancel', data: { by: 'test' } });
    await running;
    assert.ok(asked(parts.log).every((name) => name === 'script/script'));
  });
});

describe('a route by a condition', () => {
  test('of the role is taken for that role only', async () => {
    const routes = [route('planner', { role: 'plan' }), route('summary', { role: 'summary' })];
    assert.deepEqual(asked((await drive([{ text: 'a' }], routes)).log), ['script/script']);
    const { log } = await drive([{ text: 'a' }], routes, { setup: { mode: 'plan' } });
    assert.deepEqual(asked(log), ['other/planner']);
    assert.deepEqual(requests(log)[0]?.route, { to: 'other/planner', role: 'plan', because: 'the role is plan' });
  });

  test('falls back to the setup’s model when its own fails', async () => {
    const { log } = await drive([fails(401)], [route('planner', { role: 'plan' })], { setup: { mode: 'plan' } });
    assert.deepEqual(asked(log), ['other/planner', 'script/script']);
  });

  test('of the effort', async () => {
    const routes = [route('small', { effort: ['low', 'none'] })];
    const low = await drive([{ text: 'a' }], routes, { setup: { settings: { effort: 'low' } } });
    assert.deepEqual(asked(low.log), ['other/small']);
    const high = await drive([{ text: 'a' }], routes, { setup: { settings: { effort: 'high' } } });
    assert.deepEqual(asked(high.log), ['script/script']);
  });

  test('of the cost is taken from the dollar on at which it is reached', async () => {
    const call = { name: 'echo', arguments: { text: 'a' } };
    const limits = { turns: 100, calls: 500, minutes: 60, cost: 100, outputTokens: 1_000 };
    const parts = await open({
      turns: [{ calls: [call] }, { calls: [call] }, { text: 'done' }],
      setup: { rates, limits, routes: [{ ...route('cheap', { costAbove: 2 }), rates }] },
      input: 'go',
    });
    const send = parts.loop.ports.model.send.bind(parts.loop.ports.model);
    parts.loop.ports.model.send = async (...given) => {
      const outcome = await send(...given);
      return outcome.kind === 'reply' ? { kind: 'reply', data: { ...outcome.data, cost: 1 } } : outcome;
    };
    await run(parts.loop);
    assert.deepEqual(asked(parts.log), ['script/script', 'script/script', 'other/cheap']);
  });
});

test('a request to a model with other rates reserves by those', async () => {
  const dear = { ...rates, output: 50_000 };
  const limits = { turns: 100, calls: 500, minutes: 60, cost: 1, outputTokens: 1_000 };
  const { log, end } = await drive([fails(401)], [{ ...route('dear'), rates: dear }], { setup: { rates, limits } });
  assert.deepEqual(asked(log), ['script/script'], 'what it could cost is more than is left');
  assert.partialDeepStrictEqual(end, { stop: { reason: 'limit', code: 'limit-cost' } });
});

function retriesOf(attempts: number) {
  return { retries: { attempts, minutes: 15, brokenStream: 4, firstPause: 500 } };
}

test('money binds by what the model that is asked can give, not by what another could', async () => {
  const priced: Rates = { ...rates, output: 1_000 };
  const limits = { turns: 100, calls: 500, minutes: 60, cost: 3, outputTokens: 16_000 };
  const small = { ...route('small', { role: 'work' }), rates: priced, maxOutput: 2_000 };
  const { log, end } = await drive([{ text: 'done' }], [small], { setup: { rates: priced, limits } });
  assert.partialDeepStrictEqual(end, { stop: { reason: 'completed' } });
  assert.deepEqual([requests(log)[0]?.reserved.output, requests(log)[0]?.closing], [2_000, undefined]);
});
