import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import type { CallOutcome, JsonObject } from '../../src/core/index.ts';
import { manualClock, type ManualClock } from '../../src/testing/index.ts';
import { defineTool, type ToolContext, type ToolDefinition } from '../../src/tools/index.ts';
import { ownCalls } from './own-calls.ts';
import { toolSession } from './session.ts';

const harmless = { effects: ['read' as const], resources: [] };
const input = { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false } as const;

/** A tool that does this, the number of the try in hand. */
function doing(
  execute: (context: ToolContext, tries: number, args: JsonObject) => unknown,
  more: Partial<ToolDefinition<typeof input>> = {},
) {
  let tries = 0;
  return defineTool({
    name: 'act',
    description: 'Acts.',
    input,
    effects: harmless,
    execute: (args, context) => execute(context, (tries += 1), args as JsonObject) as string,
    ...more,
  });
}

const coded = (code: string): Error => Object.assign(new Error(`it says ${code}`), { code });
const failing = (failed: CallOutcome['failed'], text = 'no luck'): CallOutcome => ({
  outcome: 'error',
  text,
  ...(failed !== undefined && { failed }),
});

/** Moves the time for as long as the call is at work. */
async function driven(clock: ManualClock, running: Promise<unknown>): Promise<void> {
  const state = { over: false };
  void running.finally(() => (state.over = true));
  while (!state.over) await clock.advance(10);
}

describe('a fault that may pass', () => {
  const faults: [string, () => unknown][] = [
    ['that it says', () => failing('transient')],
    ['by a code', () => Promise.reject(coded('ECONNRESET'))],
    ['by the code of a cause', () => Promise.reject(new TypeError('fetch failed', { cause: coded('ETIMEDOUT') }))],
    ['by a code among several', () => Promise.reject(new AggregateError([coded('EBUSY'), new Error('other')]))],
    ['by a time limit of its own', () => Promise.reject(new DOMException('took too long', 'TimeoutError'))],
  ];
  for (const [name, fault] of faults) {
    test(`${name}: an idempotent tool gets three tries, at 0, 0.1 and 0.4 seconds`, async () => {
      const clock = manualClock();
      const times: number[] = [];
      const tool = doing(
        (_, tries) => {
          times.push(clock.now());
          return tries < 3 ? fault() : 'done';
        },
        { idempotent: true },
      );
      await using session = await ownCalls({ tools: [tool], clock });
      await driven(clock, session.call('act', {}));
      assert.deepEqual(times, [0, 100, 500]);
      assert.partialDeepStrictEqual(session.results(), [{ outcome: 'ok', text: 'done', tries: 3 }]);
      assert.equal('failed' in session.results()[0]!, false);
    });
  }

  test('pauses are longer by up to a half, so that many don’t come back together', async () => {
    const clock = manualClock();
    const times: number[] = [];
    const tool = doing(() => (times.push(clock.now()), failing('transient')), { idempotent: true });
    await using session = await ownCalls({ tools: [tool], clock, own: { random: () => 1 } });
    await driven(clock, session.call('act', {}));
    assert.deepEqual(times, [0, 150, 750]);
  });

  test('after three tries it is a failure, and says how often it was tried', async () => {
    const clock = manualClock();
    const tool = doing(() => Promise.reject(coded('EAGAIN')), { idempotent: true });
    await using session = await ownCalls({ tools: [tool], clock });
    await driven(clock, session.call('act', {}));
    assert.partialDeepStrictEqual(session.results(), [
      {
        outcome: 'error',
        text: 'act failed: it says EAGAIN\n(It was tried 3 times.)',
        failed: 'transient',
        tries: 3,
      },
    ]);
  });

  test('a tool that isn’t idempotent is never tried again', async () => {
    let ran = 0;
    const tool = doing(() => ((ran += 1), Promise.reject(coded('ECONNRESET'))));
    await using session = await ownCalls({ tools: [tool] });
    const result = await session.call('act', {});
    assert.deepEqual([ran, result.failed, result.tries], [1, 'transient', undefined]);
  });

  const lasting: [string, () => unknown, string][] = [
    ['an ordinary failure', () => failing(undefined), 'failed'],
    ['one with its own kind', () => failing('limit'), 'limit'],
    ['a defect', () => Promise.reject(new Error('oops')), 'internal'],
    ['a code that stays', () => Promise.reject(coded('ENOENT')), 'internal'],
    ['a ring of causes', () => Promise.reject(ring()), 'internal'],
    ['nothing that can be used', () => ({ outcome: 'fine' }), 'internal'],
  ];
  for (const [name, fault, kind] of lasting) {
    test(`${name} is not one: no second try, and the kind is recorded`, async () => {
      let ran = 0;
      const tool = doing(() => ((ran += 1), fault()), { idempotent: true });
      await using session = await ownCalls({ tools: [tool] });
      const result = await session.call('act', {});
      assert.deepEqual([ran, result.outcome, result.failed, result.tries], [1, 'error', kind, undefined]);
    });
  }

  test('all tries together have the time of the call', async () => {
    const clock = manualClock();
    const times: number[] = [];
    const tool = doing(() => (times.push(clock.now()), failing('timeout', 'the server is slow')), {
      idempotent: true,
      timeout: 300,
    });
    await using session = await ownCalls({ tools: [tool], clock });
    await driven(clock, session.call('act', {}));
    assert.deepEqual(times, [0, 100]);
    assert.partialDeepStrictEqual(session.results(), [
      {
        outcome: 'error',
        text: 'act timed out after 0.3 seconds. the server is slow\n(It was tried 2 times.)',
        failed: 'timeout',
        tries: 2,
      },
    ]);
  });

  test('a try that takes all of the time is the last', async () => {
    const clock = manualClock();
    let ran = 0;
    const tool = doing(
      ({ signal }) => {
        ran += 1;
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(coded('ETIMEDOUT'))));
      },
      { idempotent: true, timeout: 1_000 },
    );
    await using session = await ownCalls({ tools: [tool], clock });
    await driven(clock, session.call('act', {}));
    assert.deepEqual([ran, session.results()[0]?.failed, session.results()[0]?.tries], [1, 'timeout', undefined]);
  });

  test('a cancel ends the waiting for the next try at once', async () => {
    const clock = manualClock();
    const tool = doing(() => failing('transient'), { idempotent: true });
    await using session = await ownCalls({ tools: [tool], clock });
    const running = session.call('act', {});
    while (!clock.sleepers.includes(100)) await new Promise((resolve) => setImmediate(resolve));
    session.cancel();
    await running;
    assert.equal(clock.now(), 0);
    assert.partialDeepStrictEqual(session.results(), [{ outcome: 'cancelled', text: 'Cancelled. no luck' }]);
    assert.equal('failed' in session.results()[0]!, false);
  });

  test('a real server that drops two connections is asked a third time', async (context) => {
    let asked = 0;
    const server = createServer((request, response) => {
      asked += 1;
      if (asked < 3) request.socket.destroy();
      else response.end('here');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    context.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const tool = doing(async ({ signal }) => (await fetch(`http://127.0.0.1:${port}`, { signal })).text(), {
      idempotent: true,
    });
    await using session = await toolSession({ tools: [tool] });
    const result = await session.call('act', {});
    assert.deepEqual([result.text, result.tries, asked], ['here', 3, 3]);
  });
});

function ring(): Error {
  const error: Error & { cause?: unknown } = new Error('round');
  error.cause = error;
  return error;
}

describe('the kinds of failures', () => {
  test('arguments, names, defects of a tool before it runs, and what it did', async () => {
    const unsure = defineTool({
      name: 'unsure',
      description: 'Never knows.',
      input,
      effects: () => {
        throw new Error('bad luck');
      },
      execute: () => 'ran',
    });
    await using session = await ownCalls({ tools: [doing(() => failing(undefined)), unsure] });
    const results = await session.callAll([
      ['act', { text: 7 }],
      ['act', '{"text":'],
      ['acts', {}],
      ['unsure', {}],
      ['act', {}],
    ]);
    assert.deepEqual(
      results.map(({ outcome, failed }) => `${outcome} ${failed}`),
      ['error schema', 'error schema', 'error not-found', 'error internal', 'error failed'],
    );
  });

  test('denials and cancelled calls have none, and neither has what went well', async () => {
    await using session = await ownCalls({ tools: [doing(() => ({ ...failing('internal'), outcome: 'ok' }))] });
    assert.equal('failed' in (await session.call('act', {})), false);
    await using plan = await ownCalls({ policy: { mode: 'plan' } });
    assert.equal('failed' in (await plan.call('write', { path: 'a', content: '' })), false);
  });

  const limits: [string, number | (() => number)][] = [
    ['is 0', 0],
    ['is below 0', -5],
    ['is no number', NaN],
    ['never comes', Infinity],
    [
      'can’t be told',
      () => {
        throw new Error('bad luck');
      },
    ],
  ];
  for (const [name, timeout] of limits) {
    test(`a tool whose time limit ${name} isn’t run`, async () => {
      const tool = doing(() => assert.fail('ran'), { timeout });
      await using session = await ownCalls({ tools: [tool] });
      const result = await session.call('act', {});
      assert.deepEqual([result.outcome, result.failed, result.mayHaveChanged], ['error', 'internal', undefined]);
    });
  }

  test('a schema that the compiler doesn’t take is a defect of the tool, and ends nothing', async () => {
    const tool = { ...doing(() => 'ran') };
    await using session = await ownCalls({ tools: [tool, doing(() => 'ran', { name: 'other' })] });
    Object.assign(tool.input, { properties: { text: { type: 'string', pattern: '(' } } });
    const [broken, sound] = await session.callAll([
      ['act', {}],
      ['other', {}],
    ]);
    assert.match(broken!.text, /^The schema of act can’t be used, so nothing was run: /);
    assert.deepEqual([broken!.failed, sound!.text], ['internal', 'ran']);
  });
});

describe('the two arguments that every call may carry', () => {
  test('time_limit shortens the time of a call, and the tool doesn’t see it', async () => {
    const clock = manualClock();
    const seen: JsonObject[] = [];
    const tool = doing((_, __, args) => {
      seen.push(args);
      return new Promise(() => undefined);
    });
    await using session = await ownCalls({ tools: [tool], clock });
    const running = session.call('act', { text: 'x', time_limit: 5, wait_for_previous: false });
    assert.equal(await clock.untilAsleep(), 5_000);
    await clock.advance(7_000);
    const { text, failed } = await running;
    assert.equal(text, 'act timed out after 5 seconds. act doesn’t stop; it may still be at work.');
    assert.equal(failed, 'timeout');
    assert.deepEqual(seen, [{ text: 'x' }]);
    assert.deepEqual(session.verdicts()[0]?.arguments, { text: 'x' });
  });

  const refused: [string, JsonObject, string][] = [
    [
      'more than the tool has',
      { time_limit: 60.5 },
      'time_limit: must be <= 60, the seconds that this call has, got 60.5',
    ],
    ['no time', { time_limit: 0 }, 'time_limit: must be a number of seconds above 0, got 0'],
    ['less than none', { time_limit: -1 }, 'time_limit: must be a number of seconds above 0, got -1'],
    ['a text', { time_limit: '5' }, 'time_limit: must be a number of seconds above 0, got "5"'],
    ['null', { time_limit: null }, 'time_limit: must be a number of seconds above 0, got null'],
    ['no yes or no', { wait_for_previous: 'yes' }, 'wait_for_previous: must be boolean, got "yes"'],
  ];
  for (const [name, args, problem] of refused) {
    test(`${name} is an error of the schema`, async () => {
      await using session = await ownCalls({ tools: [doing(() => 'ran')] });
      const result = await session.call('act', args);
      assert.deepEqual(result.text.split('\n').slice(1, -1), [`- ${problem}`]);
      assert.equal(result.failed, 'schema');
      assert.deepEqual(session.kinds(), ['result']);
    });
  }

  test('all of the time and just less is fine, and problems are told together', async () => {
    await using session = await ownCalls({ tools: [doing(() => 'ran')] });
    assert.equal((await session.call('act', { time_limit: 60 })).text, 'ran');
    assert.equal((await session.call('act', { time_limit: 0.5 })).text, 'ran');
    const { text } = await session.call('act', { text: 1, time_limit: [], wait_for_previous: 0 });
    assert.deepEqual(text.split('\n').slice(1, -1), [
      '- wait_for_previous: must be boolean, got 0',
      '- time_limit: must be a number of seconds above 0, got []',
      '- text: must be string, got 1',
    ]);
  });

  const declaring: [string, JsonObject][] = [
    ['among its properties', { properties: { time_limit: { type: 'string' }, wait_for_previous: { type: 'string' } } }],
    [
      'in a part of it',
      {
        allOf: [
          { properties: { time_limit: { type: 'string' } } },
          { anyOf: [{ properties: { wait_for_previous: { type: 'string' } } }] },
        ],
      },
    ],
  ];
  for (const [name, schema] of declaring) {
    test(`what a tool declares ${name} is its own`, async () => {
      const seen: unknown[] = [];
      const tool = defineTool({
        name: 'act',
        description: 'Acts.',
        input: { type: 'object', ...schema },
        effects: harmless,
        execute: (args) => (seen.push(args), 'ran'),
      });
      await using session = await ownCalls({ tools: [tool] });
      await session.call('act', { time_limit: 'soon', wait_for_previous: 'please' });
      assert.deepEqual(seen, [{ time_limit: 'soon', wait_for_previous: 'please' }]);
      assert.match((await session.call('act', { time_limit: 5 })).text, /time_limit: must be string, got 5/);
    });
  }

  test('a hook sees what the tool will see, and a rewritten call keeps its time', async () => {
    const clock = manualClock();
    const seen: JsonObject[] = [];
    const hook = {
      name: 'redirect',
      before: async ({ arguments: args }: { arguments: JsonObject }) => (seen.push(args), { arguments: { text: 'y' } }),
    };
    const tool = doing(() => new Promise(() => undefined));
    await using session = await ownCalls({ tools: [tool], clock, hooks: [hook] });
    const running = session.call('act', { text: 'x', time_limit: 5 });
    assert.equal(await clock.untilAsleep(), 5_000);
    await clock.advance(7_000);
    await running;
    assert.deepEqual([seen, session.verdicts()[0]?.arguments], [[{ text: 'x' }], { text: 'y' }]);
  });

  test('where a rewritten call has less time by itself, that holds', async () => {
    const clock = manualClock();
    const hook = { name: 'hurry', before: async () => ({ arguments: { text: 'y' } }) };
    const timeout = ({ text = '' }: { text?: string }) => (text === 'y' ? 2_000 : 60_000);
    const tool = doing(() => new Promise(() => undefined), { timeout });
    await using session = await ownCalls({ tools: [tool], clock, hooks: [hook] });
    const running = session.call('act', { text: 'x', time_limit: 5 });
    assert.equal(await clock.untilAsleep(), 2_000);
    await clock.advance(4_000);
    await running;
  });

  test('names that mean something to the language are names like others', async () => {
    const seen: JsonObject[] = [];
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      input: { type: 'object' },
      effects: harmless,
      execute: (args) => (seen.push(args as JsonObject), 'ran'),
    });
    await using session = await ownCalls({ tools: [tool] });
    await session.call(
      'act',
      JSON.parse('{"__proto__":{"time_limit":1},"constructor":1,"time_limit":9}') as JsonObject,
    );
    assert.equal(JSON.stringify(seen), '[{"__proto__":{"time_limit":1},"constructor":1}]');
  });
});
