import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  messagesOf,
  ReinsError,
  run,
  steeringText,
  type Check,
  type Rates,
  type SetupData,
} from '../../src/core/index.ts';
import { labelOf } from '../../src/observe/index.ts';
import {
  failingLog,
  manualClock,
  scriptedCalls,
  scriptedModel,
  scriptedVerifier,
  type Turn,
} from '../../src/testing/index.ts';
import { echo, kinds, open, results } from './drive.ts';

const call = (text: string) => ({ name: 'echo', arguments: { text } });
const changing = (clock = manualClock(0)) =>
  scriptedCalls(
    {
      echo,
      change: () => ({ outcome: 'ok', text: 'changed', changes: [{ path: 'a', before: null, after: 'x' }] }),
      shell: () => ({ outcome: 'ok', text: 'ran', mayHaveChanged: true }),
    },
    clock,
  );
const check = (command: string): Check => ({ command, from: 'command-line', timeout: 1000, definers: [] });

async function stopOf(parts: Parameters<typeof open>[0]) {
  const driven = await open({ input: 'do it', ...parts });
  const end = await run(driven.loop);
  assert.ok('stop' in end, JSON.stringify(end));
  return { ...driven, stop: end.stop };
}

describe('a run', () => {
  test('goes from an input over calls to a completed stop, and every step is in the log', async () => {
    const { log, stop, view } = await stopOf({
      turns: [{ text: 'I look.', calls: [call('a'), call('b')] }, { text: 'Done.' }],
    });
    assert.deepEqual(stop, { reason: 'completed', detail: 'No files changed.', answer: 'Done.' });
    const expected =
      'setup input request checkpoint reply verdict start result verdict start result request reply stop';
    assert.equal(kinds(log).join(' '), expected);
    assert.equal(labelOf(view), 'done');
  });

  test('a stopped session does not run again before something comes in', async () => {
    const { loop } = await stopOf({ turns: [{ text: 'Done.' }, { text: 'Again.' }] });
    await assert.rejects(run(loop), (error) => error instanceof ReinsError && error.code === 'session-stopped');
    await loop.recorder.record({ kind: 'input', data: { from: 'user', text: 'more' } });
    const end = await run(loop);
    assert.ok('stop' in end && end.stop.answer === 'Again.');
  });

  test('without any input it waits for one', async () => {
    const { loop } = await open({});
    assert.deepEqual(await run(loop), { waiting: { do: 'wait', for: 'input' } });
  });

  test('a failed append ends the run with a coded error and nothing after it is recorded', async () => {
    for (let failAt = 3; failAt < 12; failAt += 1) {
      const driven = await open({
        turns: [{ calls: [call('a')] }, { text: 'Done.' }],
        input: 'x',
        wrap: (log) => failingLog(log, { failAt }),
      });
      await assert.rejects(
        run(driven.loop),
        (error) => error instanceof ReinsError && error.code === 'log-append-failed',
        `append ${failAt}`,
      );
      assert.equal(driven.log.events.length, failAt - 1);
    }
  });

  test('a defect in a part becomes a recorded stop of kind error', async () => {
    const calls = changing();
    calls.run = () => Promise.reject(new Error('the scheduler broke'));
    const { stop } = await stopOf({ turns: [{ calls: [call('a')] }], calls });
    assert.deepEqual(stop, { reason: 'error', code: 'defect', detail: 'the scheduler broke' });
  });

  test('an action that records nothing is a defect, not a loop', async () => {
    const calls = changing();
    calls.run = () => Promise.resolve();
    const { stop } = await stopOf({ turns: [{ calls: [call('a')] }], calls });
    assert.equal(stop.code, 'defect');
  });
});

describe('what comes in meanwhile', () => {
  test('a steer during a reply follows that reply and its results', async () => {
    const clock = manualClock(0, { auto: true });
    let steered = false;
    const parts = await open({ input: 'first', clock });
    parts.loop.ports.model = scriptedModel([{ calls: [call('a')] }, { text: 'Done.' }], {
      clock,
      onRequest: async () => {
        if (steered) return;
        steered = true;
        await parts.loop.recorder.record({ kind: 'input', data: { from: 'steer', text: 'and mind this' } });
      },
    });
    await run(parts.loop);
    const [first, reply, second] = messagesOf(parts.view);
    assert.deepEqual(first, { role: 'user', parts: [{ type: 'text', text: 'first' }] });
    assert.equal(reply?.role, 'assistant');
    assert.deepEqual(
      second?.parts.map((part) => (part.type === 'result' || part.type === 'text' ? part.text : part.type)),
      ['a', steeringText('and mind this')],
    );
  });

  test('a cancel during calls answers what never ran, and the session can go on', async () => {
    const parts = await open({ input: 'x', turns: [{ calls: [call('a'), call('b')] }, { text: 'Done.' }] });
    parts.loop.ports.calls = scriptedCalls({
      echo: async (args) => {
        await parts.loop.recorder.record({ kind: 'cancel', data: { by: 'test', signal: 'SIGINT' } });
        return echo(args);
      },
    });
    const end = await run(parts.loop);
    assert.deepEqual(end, { stop: { reason: 'cancelled', detail: 'Cancelled by test.', signal: 'SIGINT' } });
    assert.deepEqual(
      results(parts.log).map(({ outcome }) => outcome),
      ['ok', 'cancelled'],
    );
    const again = await open({
      log: parts.log,
      setup: {},
      input: 'go on',
      turns: [{ calls: [call('a')] }, { text: 'Done.' }],
    });
    const ended = await run(again.loop);
    assert.ok('stop' in ended && ended.stop.reason === 'completed');
  });

  test('a cancel wakes a wait for the provider at once', async () => {
    const clock = manualClock(0);
    const parts = await open({ input: 'x', clock, turns: [{ text: 'Done.', failures: [{ status: 529 }] }] });
    const running = run(parts.loop);
    await clock.untilAsleep();
    await parts.loop.recorder.record({ kind: 'cancel', data: { by: 'test' } });
    assert.deepEqual(await running, { stop: { reason: 'cancelled', detail: 'Cancelled by test.' } });
  });
});

describe('replies that are no good', () => {
  test('a cut reply runs none of its calls and tells the model', async () => {
    const { log, stop } = await stopOf({ turns: [{ calls: [call('a')], stop: 'length' }, { text: 'Done.' }] });
    assert.equal(stop.reason, 'completed');
    assert.deepEqual(
      results(log).map(({ outcome }) => outcome),
      ['cut'],
    );
    assert.ok(!kinds(log).includes('start'));
  });

  test('a cut text is to be continued', async () => {
    const { view } = await stopOf({ turns: [{ text: 'I beg', stop: 'length' }, { text: 'in.' }] });
    const last = messagesOf(view)[2]?.parts[0];
    assert.ok(last?.type === 'text' && last.text.includes('cut at its output limit'));
  });

  test('the third bad reply in a row stops as stuck, two do not', async () => {
    const bad = { calls: [{ name: 'echo', malformed: '{"text":' }] };
    const three = await stopOf({ turns: [bad, { calls: [call('a')], stop: 'length' }, bad] });
    assert.deepEqual([three.stop.reason, three.stop.code], ['stuck', 'cut-replies']);
    const two = await stopOf({ turns: [bad, bad, { calls: [call('a')] }, bad, bad, { text: 'Done.' }] });
    assert.equal(two.stop.reason, 'completed');
  });

  test('a refusal is a stop of its own, its words leave the conversation, and a new input goes on', async () => {
    const turns = [{ text: 'I', stop: 'refusal', stopDetail: 'not this' }, { text: 'Fine.' }];
    const { stop, loop, view } = await stopOf({ turns });
    assert.deepEqual(stop, { reason: 'refused', detail: 'not this' });
    await loop.recorder.record({ kind: 'input', data: { from: 'user', text: 'something else' } });
    loop.ports.model = scriptedModel([{ text: 'Fine.' }]);
    await run(loop);
    assert.deepEqual(
      messagesOf(view).map(({ role }) => role),
      ['user', 'assistant'],
    );
  });

  test('a full window is a coded stop of the provider', async () => {
    const { stop } = await stopOf({ turns: [{ text: 'I', stop: 'overflow' }] });
    assert.deepEqual([stop.reason, stop.code], ['provider', 'context-overflow']);
  });

  test('a pause of the provider gets its own content back and becomes one message', async () => {
    const { stop, view } = await stopOf({ turns: [{ text: 'I', stop: 'pause' }, { text: ' go on.' }] });
    assert.equal(stop.reason, 'completed');
    assert.deepEqual(
      messagesOf(view).map(({ role, parts }) => [role, parts.length]),
      [
        ['user', 1],
        ['assistant', 2],
      ],
    );
  });
});

describe('a provider that fails', () => {
  test('is asked again at the time that the failure names', async () => {
    const { log, clock, stop, notes } = await stopOf({
      turns: [{ text: 'Done.', failures: [{ status: 529 }, { status: 429, retryAfter: 4 }] }],
    });
    assert.equal(stop.reason, 'completed');
    assert.deepEqual(clock.sleeps, [1_000_500, 1_004_500]);
    assert.deepEqual(
      log.events.flatMap((event) => (event.kind === 'request' ? [[event.data.turn, event.data.attempt]] : [])),
      [
        [1, 1],
        [1, 2],
        [1, 3],
      ],
    );
    assert.equal(notes.filter((note) => note.type === 'void').length, 2);
  });

  test('and says that there is no sense in trying stops the run with its cause', async () => {
    const { stop } = await stopOf({ turns: [{ text: 'x', failures: [{ status: 401, message: 'bad key' }] }] });
    assert.deepEqual(stop, { reason: 'provider', code: 'provider-auth', detail: 'bad key' });
  });

  test('a resume after that tries anew', async () => {
    const first = await stopOf({ turns: [{ text: 'x', failures: [{ status: 401 }] }] });
    const again = await open({ log: first.log, setup: {}, turns: [{ text: 'Done.' }] });
    const end = await run(again.loop);
    assert.ok('stop' in end && end.stop.reason === 'completed');
  });
});

describe('limits', () => {
  const endless = [{ calls: [call('a')], repeat: 'forever' as const }];
  /** Each outcome is another: a model that makes progress. */
  const counting = () => {
    let seen = 0;
    return scriptedCalls({ echo: () => `${(seen += 1)}` });
  };
  const limits = (more: Partial<SetupData['limits']>) => ({
    limits: { turns: null, calls: null, minutes: null, cost: null, outputTokens: 1000, ...more },
  });

  test('of turns: never more requests than the limit, the last is the closing turn and runs no call', async () => {
    for (const turns of [1, 2, 5, 10]) {
      const { log, stop } = await stopOf({ turns: endless, calls: counting(), setup: limits({ turns }) });
      assert.deepEqual([stop.reason, stop.code], ['limit', 'limit-turns']);
      assert.equal(kinds(log).filter((kind) => kind === 'request').length, turns);
      assert.equal(results(log).at(-1)?.outcome, 'not-run');
      assert.equal(results(log).filter(({ outcome }) => outcome === 'ok').length, turns - 1);
    }
  });

  test('of calls: no call beyond it is run', async () => {
    const three = [{ calls: [call('a'), call('b'), call('c')], repeat: 'forever' as const }];
    const { log, stop } = await stopOf({ turns: three, setup: limits({ calls: 4 }) });
    assert.deepEqual([stop.reason, stop.code], ['limit', 'limit-calls']);
    assert.equal(kinds(log).filter((kind) => kind === 'start').length, 4);
  });

  test('of tokens: what was reported counts, with one closing turn before it is used up, anew in each run', async () => {
    const usage = { input: 100, cacheRead: 200, output: 50 };
    const turns = [{ calls: [call('a')], usage, repeat: 'forever' as const }];
    const first = await stopOf({ turns, calls: counting(), setup: limits({ tokens: 2000 }) });
    assert.deepEqual([first.stop.reason, first.stop.code], ['limit', 'limit-tokens']);
    const requests = kinds(first.log).filter((kind) => kind === 'request').length;
    assert.ok(requests > 3 && requests <= 6, `${requests}`);
    assert.equal(results(first.log).at(-1)?.outcome, 'not-run');
    const untold = [{ calls: [call('a')], usage: 'none' as const, repeat: 'forever' as const }];
    const other = await stopOf({ turns: untold, calls: counting(), setup: limits({ tokens: 2000, turns: 9 }) });
    assert.equal(other.stop.code, 'limit-turns');
  });

  test('of minutes: time between runs does not count', async () => {
    const clock = manualClock(0, { auto: true });
    const slow = [{ calls: [call('a')], wait: 60_000, repeat: 'forever' as const }];
    const first = await stopOf({ turns: slow, clock, calls: counting(), setup: limits({ minutes: 10 }) });
    assert.deepEqual([first.stop.reason, first.stop.code], ['limit', 'limit-minutes']);
    assert.ok(clock.now() <= 11 * 60_000, `${clock.now()}`);
    await clock.advance(24 * 3_600_000);
    const more = await open({ log: first.log, clock, turns: slow, calls: counting(), setup: limits({ minutes: 20 }) });
    const began = clock.now();
    await run(more.loop);
    const ran = clock.now() - began;
    assert.ok(ran > 8 * 60_000 && ran < 11 * 60_000, `${ran}`);
  });

  test('of money: what is offered shrinks with what is left and is never overrun', async () => {
    const rates: Rates = { input: 10, output: 100, cacheRead: 1, cacheWrite: 12, dated: '2026-01-01', source: 'test' };
    const used = { input: 500, output: 900 };
    const scripted = scriptedModel([{ calls: [call('a')], usage: used, repeat: 'forever' }]);
    const offered: number[] = [];
    const parts = await open({ input: 'x', setup: { ...limits({ cost: 0.5 }), rates } });
    parts.loop.ports.model = {
      async prepare(view, ask) {
        offered.push(ask.maxOutput);
        const request = await scripted.prepare(view, ask);
        const cost = (request.data.reserved.input * 12 + ask.maxOutput * 100) / 1e6;
        return { ...request, data: { ...request.data, reserved: { ...request.data.reserved, cost } } };
      },
      async send(...all) {
        const outcome = await scripted.send(...all);
        return outcome.kind === 'reply'
          ? { kind: 'reply', data: { ...outcome.data, cost: (500 * 10 + 900 * 100) / 1e6 } }
          : outcome;
      },
    };
    const end = await run(parts.loop);
    assert.ok('stop' in end && end.stop.code === 'limit-cost', JSON.stringify(end));
    assert.ok(parts.view.ledger.settled <= 0.5, `${parts.view.ledger.settled}`);
    assert.equal(offered[0], 1000);
    assert.ok(parts.view.ledger.turns >= 4);
  });

  test('the model is told at four fifths, once a limit', async () => {
    const { view } = await stopOf({ turns: endless, calls: counting(), setup: limits({ turns: 10 }) });
    const texts = messagesOf(view).flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    );
    assert.equal(texts.filter((text) => text.startsWith('Of the limit of 10 turns, 2 turns are left.')).length, 1);
  });

  test('a limit is a pause: a higher one goes on', async () => {
    const first = await stopOf({
      turns: [...Array.from({ length: 3 }, () => ({ calls: [call('a')] })), { text: 'Done.' }],
      setup: limits({ turns: 2 }),
    });
    assert.equal(first.stop.reason, 'limit');
    const again = await open({
      log: first.log,
      setup: limits({ turns: 10 }),
      turns: [{ calls: [call('a')] }, { calls: [call('a')] }, { text: 'Done.' }],
    });
    const end = await run(again.loop);
    assert.ok('stop' in end && end.stop.reason === 'completed', JSON.stringify(end));
  });
});

describe('proof', () => {
  const change = { calls: [{ name: 'change', arguments: {} }] };
  const shell = { calls: [{ name: 'shell', arguments: {} }] };

  test('changes without a check end unverified; waived checks complete and say so', async () => {
    const without = await stopOf({ turns: [change, { text: 'Done.' }], calls: changing() });
    assert.deepEqual([without.stop.reason, without.stop.code], ['unverified', 'checks-missing']);
    const waived = await stopOf({ turns: [change, { text: 'Done.' }], calls: changing(), setup: { checks: 'waived' } });
    assert.deepEqual([waived.stop.reason, waived.stop.detail], ['completed', 'Files changed; checks were waived.']);
  });

  test('a check that came with the task is due even where nothing changed; others, and all in mode plan, are not', async () => {
    const parts = (more: Partial<SetupData>) => ({
      turns: [{ text: 'All is well.' }, { text: 'Now it is.', expect: { contains: 'still red' } }],
      verifier: scriptedVerifier({ checks: { a: [{ failed: 'still red' }, 'passed'] } }),
      setup: { checks: [check('a')], ...more },
    });
    const asked = await stopOf(parts({}));
    assert.equal(asked.stop.detail, 'No files changed; every check passed.');
    assert.equal(asked.stop.answer, 'Now it is.');
    const plan = await stopOf(parts({ mode: 'plan' }));
    assert.deepEqual([plan.stop.reason, plan.stop.answer], ['completed', 'All is well.']);
    const project = await stopOf(parts({ checks: [{ ...check('a'), from: 'project' }] }));
    assert.equal(project.stop.detail, 'No files changed.');
  });

  test('failing evidence goes back to the model; what it repairs is checked again', async () => {
    const verifier = scriptedVerifier({ checks: { 'npm test': [{ failed: 'one is not two' }, 'passed'] } });
    const { stop, view, log } = await stopOf({
      turns: [change, { text: 'Done.' }, { ...change, expect: { contains: 'one is not two' } }, { text: 'Now done.' }],
      calls: changing(),
      verifier,
      setup: { checks: [check('npm test')] },
    });
    assert.equal(stop.reason, 'completed');
    assert.equal(stop.answer, 'Now done.');
    assert.deepEqual(verifier.checked, ['npm test', 'npm test']);
    assert.equal(view.ledger.checkFailures, 1);
    const evidence = log.events.findLast((event) => event.kind === 'evidence');
    const lastChange = log.events.findLast((event) => event.kind === 'result');
    assert.ok(evidence?.kind === 'evidence' && evidence.data.covers > (lastChange?.id ?? ''));
  });

  test('evidence older than the last change proves nothing', async () => {
    const verifier = scriptedVerifier({ checks: { a: ['passed'] } });
    const parts = { calls: changing(), verifier, setup: { checks: [check('a')] } };
    const first = await stopOf({ ...parts, turns: [change, { text: 'Done.' }, change, { text: 'Done.' }] });
    await first.loop.recorder.record({ kind: 'input', data: { from: 'user', text: 'more' } });
    const end = await run(first.loop);
    assert.ok('stop' in end && end.stop.reason === 'completed');
    assert.deepEqual(verifier.checked, ['a', 'a']);
  });

  test('evidence goes back three times at most, then the run ends unverified', async () => {
    const verifier = scriptedVerifier({ checks: { a: [{ failed: 'no' }] } });
    const { stop, view } = await stopOf({
      turns: [change, { text: 'Done.', repeat: 'forever' }],
      calls: changing(),
      verifier,
      setup: { checks: [check('a')] },
    });
    assert.deepEqual([stop.reason, stop.code], ['unverified', 'checks-failed']);
    assert.equal(verifier.checked.length, 4);
    assert.equal(view.ledger.turns, 5);
  });

  test('a command that may have changed something is settled by a look at the workspace', async () => {
    const same = await stopOf({ turns: [shell, { text: 'Done.' }], calls: changing() });
    assert.equal(same.stop.detail, 'No files changed.');
    let looks = 0;
    const files = () => ({ a: looks++ === 0 ? 'x' : 'y' });
    const changed = await stopOf({
      turns: [shell, { text: 'Done.' }],
      calls: changing(),
      verifier: scriptedVerifier({ files }),
    });
    assert.deepEqual([changed.stop.reason, changed.stop.code], ['unverified', 'checks-missing']);
    assert.deepEqual([...changed.view.ledger.changedPaths], ['a']);
  });

  test('what is again as it was before its first change needs no proof', async () => {
    const to = (text: string) => ({ calls: [{ name: 'set', arguments: { text } }] });
    const end = async (turns: Turn[], files = [{}]) => {
      let state = 'old';
      const set = ({ text }: { text?: unknown }) => {
        const before = state;
        state = String(text);
        return { outcome: 'ok' as const, text: 'set', changes: [{ path: 'a', before, after: state }] };
      };
      const runs = () => ({ outcome: 'ok' as const, text: 'ran', mayHaveChanged: true });
      const calls = scriptedCalls({ set, shell: runs }, manualClock(0));
      let looks = 0;
      const verifier = scriptedVerifier({ files: () => files[Math.min(looks++, files.length - 1)] ?? {} });
      const { stop } = await stopOf({ turns: [...turns, { text: 'Done.' }], calls, verifier });
      return stop.reason;
    };
    assert.equal(await end([to('new'), to('old')]), 'completed');
    assert.equal(await end([to('new'), shell, to('old')], [{}, { a: 'old' }]), 'completed');
    assert.equal(await end([to('new'), shell, to('old')], [{}, { a: 'new' }]), 'unverified');
    assert.equal(await end([to('new'), to('newer')]), 'unverified');
    assert.equal(await end([to('new'), shell, to('old')], [{}, { a: 'old', b: 'x' }]), 'unverified');
    assert.equal(await end([shell, to('new'), to('old')], [{}, { a: 'x' }]), 'unverified');
  });

  test('what a check itself writes does not age its evidence', async () => {
    let writes = 0;
    const verifier = scriptedVerifier({ checks: { a: ['passed'] }, files: () => ({ cache: String(writes++) }) });
    const { stop } = await stopOf({
      turns: [change, { text: 'Done.' }],
      calls: changing(),
      verifier,
      setup: { checks: [check('a')] },
    });
    assert.equal(stop.reason, 'completed');
    assert.deepEqual(verifier.checked, ['a']);
  });

  describe('with a scope', () => {
    const scoped = (command: string, more: Partial<Check>): Check => ({ ...check(command), ...more });
    const change = (path: string) => ({ name: 'write', arguments: { path } });
    const writing = () =>
      scriptedCalls(
        {
          write: ({ path }: { [name: string]: unknown }) => ({
            outcome: 'ok' as const,
            text: 'written',
            changes: [{ path: String(path), before: null, after: 'x' }],
          }),
        },
        manualClock(0),
      );
    const runWith = async (
      checks: Check[],
      paths: string[],
      says: NonNullable<Parameters<typeof scriptedVerifier>[0]>['checks'],
    ) => {
      const verifier = scriptedVerifier({ checks: says ?? {} });
      const turns = [
        ...paths.map((path) => ({ calls: [change(path)] })),
        ...Array.from({ length: 5 }, () => ({ text: 'Done.' })),
      ];
      const ran = await stopOf({ turns, calls: writing(), verifier, setup: { checks } });
      const evidence = ran.log.events.flatMap((event) => (event.kind === 'evidence' ? [event.data] : []));
      return { ...ran, checked: verifier.checked, evidence };
    };

    test('a check runs only for the paths that need it, and is stale only with one of them', async () => {
      const checks = [scoped('a', { paths: ['src/**'] }), scoped('b', { paths: ['docs/**', '*.md'] })];
      const says = { a: ['passed' as const], b: ['passed' as const] };
      const one = await runWith(checks, ['src/x.ts'], says);
      assert.deepEqual([one.stop.reason, one.checked], ['completed', ['a']]);
      const both = await runWith(checks, ['src/x.ts', 'lib/README.md'], says);
      assert.deepEqual([both.stop.reason, both.checked], ['completed', ['a', 'b']]);
      assert.deepEqual(both.evidence[0]?.paths, ['src/**']);
      const none = await runWith(checks, ['lib/x.ts'], says);
      assert.deepEqual([none.stop.code, none.checked], ['checks-missing', []]);
      assert.match(none.stop.detail, /no check covers: lib\/x\.ts/);
      const all = await runWith([scoped('a', { paths: ['!docs/**'] })], ['lib/x.ts'], says);
      assert.deepEqual([all.stop.reason, all.checked], ['completed', ['a']]);
    });

    test('what a repair of one check touches makes only what it covers stale', async () => {
      const checks = [scoped('a', { paths: ['src/**'] }), scoped('b', { paths: ['docs/**'] })];
      const verifier = scriptedVerifier({ checks: { a: ['passed'], b: [{ failed: 'no' }, 'passed'] } });
      const turns = [
        { calls: [change('src/x.ts'), change('docs/x')] },
        { text: 'Done.' },
        { calls: [change('docs/y')] },
        { text: 'Done.' },
      ];
      const { stop } = await stopOf({ turns, calls: writing(), verifier, setup: { checks } });
      assert.equal(stop.reason, 'completed');
      assert.deepEqual(verifier.checked, ['a', 'b', 'b']);
    });

    test('one for each edit runs after each, tells the model at once, and its failures then count for nothing', async () => {
      const checks = [scoped('types', { when: 'each-edit', paths: ['*.ts'] })];
      const says = { types: [{ failed: '1' }, { failed: '2' }, { failed: '3' }, { failed: '4' }, 'passed' as const] };
      const { stop, checked, evidence, view } = await runWith(checks, ['1.ts', '2.ts', 'x.md', '3.ts', '4.ts'], says);
      assert.deepEqual([stop.reason, view.ledger.checkFailures], ['completed', 0]);
      assert.equal(checked.length, 5);
      assert.deepEqual(
        evidence.map(({ early }) => early),
        [true, true, true, true, undefined],
      );
      assert.ok(evidence[0]?.shown !== undefined);
    });

    test('one for each edit that passed after the last one needs no second run', async () => {
      const { stop, checked } = await runWith([scoped('types', { when: 'each-edit' })], ['a'], { types: ['passed'] });
      assert.deepEqual([stop.reason, checked], ['completed', ['types']]);
    });

    test('what is kept for the end runs once everything else has passed', async () => {
      const checks = [scoped('slow', { when: 'end' }), check('quick')];
      const says = { quick: [{ failed: 'no' }, 'passed' as const], slow: ['passed' as const] };
      const { stop, checked } = await runWith(checks, ['a'], says);
      assert.deepEqual([stop.reason, checked], ['completed', ['quick', 'quick', 'slow']]);
    });

    test('an advisory check is run and recorded, and keeps nothing from completing; alone it proves nothing', async () => {
      const checks = [scoped('advice', { advisory: true }), check('must')];
      const says = { advice: [{ failed: 'no' }], must: ['passed' as const] };
      const { stop, checked, evidence } = await runWith(checks, ['a'], says);
      assert.deepEqual([stop.reason, checked], ['completed', ['must', 'advice']]);
      assert.partialDeepStrictEqual(evidence[1], { advisory: true, passed: false });
      assert.equal(evidence[1]?.shown, undefined);
      const alone = await runWith([scoped('advice', { advisory: true })], ['a'], says);
      assert.deepEqual([alone.stop.code, alone.checked], ['checks-missing', ['advice']]);
    });

    test('what changed unseen makes every check stale', async () => {
      const verifier = scriptedVerifier({ checks: { a: ['passed'] } });
      const snapshot = verifier.snapshot.bind(verifier);
      verifier.snapshot = async (view) => {
        const now = await snapshot(view);
        return view.ledger.unresolved ? { ...now, incomplete: 'too many files' } : now;
      };
      const turns = [{ calls: [{ name: 'shell', arguments: {} }] }, { text: 'Done.' }];
      const checks = [scoped('a', { paths: ['src/**'] })];
      const { stop } = await stopOf({ turns, calls: changing(), verifier, setup: { checks } });
      assert.equal(stop.reason, 'completed');
      assert.deepEqual(verifier.checked, ['a']);
    });
  });

  test('a check that was redefined in the run proves nothing', async () => {
    const verifier = scriptedVerifier({ checks: { a: ['passed'] }, definersChanged: () => ['test.js'] });
    const { stop } = await stopOf({
      turns: [change, { text: 'Done.' }],
      calls: changing(),
      verifier,
      setup: { checks: [check('a')] },
    });
    assert.deepEqual([stop.reason, stop.code], ['unverified', 'checks-changed']);
    assert.ok(stop.detail.includes('test.js'));
  });
});

describe('refusals', () => {
  test('an open question waits for a person, an answer goes on, a second answer counts for nothing', async () => {
    const calls = scriptedCalls({ echo: { run: () => 'echoed', decision: 'ask' } });
    const { loop, view, log } = await open({ input: 'x', calls, turns: [{ calls: [call('a')] }, { text: 'Done.' }] });
    const end = await run(loop);
    assert.ok('waiting' in end && end.waiting.for === 'answer');
    assert.equal(labelOf(view), 'awaiting tool');
    const ask = end.waiting.asks?.[0] ?? '';
    await loop.recorder.record({ kind: 'answer', data: { ask, by: 'a', decision: 'yes', scope: 'once' } });
    await loop.recorder.record({ kind: 'answer', data: { ask, by: 'b', decision: 'no', scope: 'once' } });
    const ended = await run(loop);
    assert.ok('stop' in ended && ended.stop.reason === 'completed');
    assert.equal(results(log)[0]?.text, 'echoed');
    assert.equal(view.ledger.denials.length, 0);
  });

  test('what is said after such a stop is asked of the model, and counts anew', async () => {
    const calls = scriptedCalls({ echo: { run: () => 'echoed', decision: 'deny' } });
    const refused = Array.from({ length: 20 }, (_, index) => ({ calls: [call(`${index}`)] }));
    const { loop } = await open({ input: 'x', calls, turns: [...refused, { text: 'I do without.' }] });
    const end = await run(loop);
    assert.ok('stop' in end && end.stop.reason === 'denied');
    await loop.recorder.record({ kind: 'input', data: { from: 'user', text: 'Do without.' } });
    const after = await run(loop);
    assert.ok('stop' in after && after.stop.reason === 'completed', JSON.stringify(after));
  });

  test('twenty in a run stop it, nineteen do not', async () => {
    const calls = scriptedCalls({ echo: { run: () => 'echoed', decision: 'deny' } });
    const tries = (times: number) => Array.from({ length: times }, (_, index) => ({ calls: [call(`${index}`)] }));
    const stopped = await stopOf({ calls, turns: tries(30) });
    assert.deepEqual([stopped.stop.reason, stopped.stop.code], ['denied', 'denials']);
    assert.equal(stopped.view.ledger.denials.length, 20);
    const fine = await stopOf({ calls, turns: [...tries(19), { text: 'I give up.' }] });
    assert.equal(fine.stop.reason, 'completed');
  });
});
