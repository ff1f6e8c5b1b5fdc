/** What comes from outside may come at any moment: it is recorded, it is answered, and a cancel ends what runs at once. */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import {
  answerQuestion,
  cancelSession,
  createSession,
  sayTo,
  type Approver,
  type Event,
  type Kind,
  type RunOutcome,
  type Session,
  type SessionOptions,
} from '../../src/harness/index.ts';
import { drop, type InboxMessage } from '../../src/session/index.ts';
import { startModelServer, type ModelServer, type Scenario } from '../../src/testing/index.ts';
import { defineTool, type Tool } from '../../src/tools/index.ts';
import { patience } from '../support/property.ts';
import { assertRebuilt } from '../support/rebuilt.ts';
import { logOf, openGround, optionsFor, plant, type Ground, type State } from './ground.ts';
import { assertCalls, assertLedger, assertTold, rawLines } from './oracle.ts';

interface Play {
  ground: Ground;
  state: State;
  server: ModelServer;
  open: (more?: Partial<SessionOptions>) => Promise<Session>;
}

/** A fresh session of a scenario; what must be true of every session is looked at when `body` is over. */
async function play(ground: Ground, scenario: Scenario, body: (play: Play) => Promise<RunOutcome>): Promise<Event[]> {
  const state = ground.state();
  const server = await startModelServer(scenario);
  const opened: Session[] = [];
  ground.executed.length = 0;
  const open = async (more: Partial<SessionOptions> = {}): Promise<Session> => {
    const session = await createSession({ ...optionsFor(ground, state, server), ...more });
    opened.push(session);
    return session;
  };
  try {
    const outcome = await body({ ground, state, server, open });
    const [session] = opened;
    assert.ok(session !== undefined);
    for (const each of opened) await each.close();
    const lines = rawLines(logOf(session.folder));
    assert.deepEqual(server.refusals, []);
    assert.deepEqual(server.prefixBreaks, [], 'the conversation grew elsewhere than at its end');
    assertCalls(lines, ground.executed);
    assertLedger(outcome, lines);
    assertTold(lines, await assertRebuilt(server, session));
    return lines;
  } finally {
    for (const each of opened) await each.close();
    await server.close();
    state.remove();
  }
}

const mark = (n: number) => ({ name: 'mark', arguments: { n } });
const texts = (events: readonly Event[]) =>
  events.flatMap((event) => (event.kind === 'input' && event.data.from !== 'harness' ? [event.data.text] : []));
const untilEvent = (kind: Kind) => {
  const seen = Promise.withResolvers<Event>();
  return { seen: seen.promise, onEvent: (event: Event) => void (event.kind === kind && seen.resolve(event)) };
};

/** Gives so many turns to the promises that are under way. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

/** Nothing that was said before a run completed is left without an answer. */
function assertAnswered(lines: readonly Event[]): void {
  const stop = lines.findLastIndex(({ kind }) => kind === 'stop');
  const reply = lines[lines.findLastIndex(({ kind }, at) => at < stop && kind === 'reply')];
  assert.ok(reply?.kind === 'reply');
  const asked = lines.findIndex(({ id }) => id === reply.data.request);
  assert.deepEqual(texts(lines.slice(asked)), [], 'completed, and something said is unanswered');
}

describe('something said', () => {
  const scenario: Scenario = { turns: [{ text: 'I look.', calls: [mark(1), mark(2)] }], after: { text: 'Done.' } };

  test(
    'at any event, and some steps of the program after it, is answered before the run is over',
    { timeout: patience },
    async (context) => {
      const ground = openGround(context);
      const whole = await play(ground, scenario, async ({ open }) => {
        const session = await open();
        await session.say('Do it.');
        return session.run();
      });
      // From the first request on; the stop itself is tested below.
      const first = whole.findIndex(({ kind }) => kind === 'request');
      for (let at = first; at < whole.length; at += 1) {
        for (const after of [0, 1, 2, 3, 4, 6, 9]) {
          const lines = await play(ground, scenario, async ({ open }) => {
            let count = 0;
            const said = Promise.withResolvers<void>();
            const onEvent = (): void => {
              count += 1;
              if (count === at)
                void turns(after)
                  .then(() => session.say('And this.', 'steer'))
                  .then(said.resolve, said.reject);
            };
            const session = await open({ onEvent });
            await session.say('Do it.');
            const outcome = await session.run();
            assert.equal(outcome.outcome, 'completed');
            await said.promise;
            return outcome;
          });
          assert.deepEqual(texts(lines), ['Do it.', 'And this.'], `at event ${at}, ${after} steps after it`);
          if (lines.at(-1)?.kind === 'stop') assertAnswered(lines);
        }
      }
    },
  );

  test('while the bytes of a request are being made is not in it, and is answered after it', async (context) => {
    const lines = await play(openGround(context), scenario, async ({ open }) => {
      const session = await open();
      await session.say('Do it.');
      const running = session.run();
      await session.say('And this.', 'steer');
      return running;
    });
    assertAnswered(lines);
  });

  test('when the run has just stopped makes it go on', async (context) => {
    const lines = await play(openGround(context), scenario, async ({ open }) => {
      let said: Promise<void> | undefined;
      const onEvent = ({ kind }: Event): void => {
        if (kind === 'stop') said ??= session.say('And this.');
      };
      const session = await open({ onEvent });
      await session.say('Do it.');
      const outcome = await session.run();
      assert.deepEqual([outcome.outcome, outcome.turns], ['completed', 3]);
      await said;
      return outcome;
    });
    assertAnswered(lines);
  });

  test('through the inbox, at any stage of a reply', async (context) => {
    const ground = openGround(context);
    const scenario: Scenario = {
      turns: [{ thinking: 'Hm, hm.', text: 'I look.', calls: [mark(1)] }],
      after: { text: 'Done.' },
    };
    for (const stage of ['before-headers', 'in-thinking', 'in-text', 'in-call', 'before-end'] as const) {
      const lines = await play(ground, scenario, async ({ open, server, state }) => {
        const taken = untilEvent('input');
        const session = await open();
        await session.say('Do it.');
        await session.close();
        const held = server.hold(1, stage);
        const again = await open({ resume: session.id, onEvent: taken.onEvent });
        const running = again.run();
        await held.reached;
        assert.match(await sayTo(state.env, session.id, 'And this.'), /^Left for/);
        await taken.seen;
        held.release();
        return running;
      });
      assert.deepEqual(texts(lines), ['Do it.', 'And this.'], stage);
      assertAnswered(lines);
    }
  });
});

describe('what was left in the inbox when nobody took it any more', () => {
  const scenario: Scenario = { turns: [{ text: 'I look.', calls: [mark(1), mark(2)] }], after: { text: 'Done.' } };
  const by: InboxMessage = { kind: 'cancel', data: { by: 'test' } };

  test('does not cancel the next run, and is told', async (context) => {
    const lines = await play(openGround(context), scenario, async ({ open }) => {
      const session = await open();
      await session.say('Do it.');
      await session.run();
      await session.close();
      await drop(session.folder, by);
      await drop(session.folder, { kind: 'input', data: { from: 'user', text: 'And this.' } });
      const again = await open({ resume: session.id });
      await again.say('And that.');
      const outcome = await again.run();
      assert.deepEqual([outcome.outcome, outcome.turns], ['completed', 3]);
      return outcome;
    });
    assertAnswered(lines);
  });

  test('cancels what was cut off, and not what begins', async (context) => {
    const ground = openGround(context);
    const server = await startModelServer(scenario);
    context.after(() => server.close());
    const first = ground.state();
    const session = await createSession(optionsFor(ground, first, server));
    await session.say('Do it.');
    await session.run();
    await session.close();
    // Cut off when the reply was there and none of its calls had begun.
    const log = logOf(session.folder);
    const begun = log.lastIndexOf('{"id":', log.indexOf('"kind":"verdict"'));
    const state = ground.state();
    const folder = plant(state, session.id, log.subarray(0, begun), session.folder);
    await drop(folder, by);
    ground.executed.length = 0;
    const again = await createSession({ ...optionsFor(ground, state, server), resume: session.id });
    await again.say('Go on.');
    const outcome = await again.run();
    await again.close();
    assert.equal(outcome.outcome, 'completed');
    const lines = rawLines(logOf(folder));
    const results = lines.flatMap((event) => (event.kind === 'result' ? [event.data.outcome] : []));
    assert.deepEqual([results, ground.executed], [['cancelled', 'cancelled'], []]);
    assert.deepEqual(server.refusals, []);
    assertLedger(outcome, lines);
  });
});

describe('an answer', () => {
  const scenario: Scenario = { turns: [{ calls: [{ name: 'asked', arguments: { n: 1 } }] }], after: { text: 'Done.' } };
  /** Asks a person who doesn't answer. */
  const silent = (): Approver & { asked: Promise<void> } => {
    const asked = Promise.withResolvers<void>();
    return {
      asked: asked.promise,
      ask: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    };
  };

  test('from elsewhere is taken while a person is being asked; of several the first counts', async (context) => {
    const lines = await play(openGround(context), scenario, async ({ open, state }) => {
      const approver = silent();
      const session = await open({ approver });
      await session.say('Do it.');
      const running = session.run();
      await approver.asked;
      const answers = (['yes', 'no', 'yes'] as const).map((decision) =>
        answerQuestion(state.env, session.id, { decision, scope: 'once' }),
      );
      await Promise.allSettled(answers);
      return running;
    });
    const results = lines.flatMap((event) => (event.kind === 'result' ? [event.data.outcome] : []));
    const answers = lines.flatMap((event) => (event.kind === 'answer' ? [event.data.decision] : []));
    assert.deepEqual(results, [answers[0] === 'yes' ? 'ok' : 'denied']);
    assert.equal(answers.length, 1);
  });

  test('to a question that has its answer, or that nobody asked, is refused', async (context) => {
    await play(openGround(context), scenario, async ({ open, state }) => {
      const approver: Approver = { ask: () => Promise.resolve('later') };
      const session = await open({ approver });
      await session.say('Do it.');
      assert.equal((await session.run()).outcome, 'waiting');
      const [ask] = session.view.ledger.openAsks.keys();
      await session.close();
      const answer = (id?: string) =>
        answerQuestion(state.env, session.id, { decision: 'yes', scope: 'once', ...(id !== undefined && { ask: id }) });
      await assert.rejects(answer('nobody'), { code: 'question-missing' });
      await answer();
      await assert.rejects(answer(ask), { code: 'already-answered' });
      await assert.rejects(answer(), { code: 'question-missing' });
      const again = await open({ resume: session.id });
      return again.run();
    });
  });

  test('of a person and one from elsewhere at the same moment: the first counts, for both', async (context) => {
    const ground = openGround(context);
    for (const steps of [0, 1, 2, 3, 4, 6, 8]) {
      const lines = await play(ground, scenario, async ({ open, state }) => {
        const elsewhere = Promise.withResolvers<void>();
        const approver: Approver = {
          ask: async () => {
            await answerQuestion(state.env, session.id, { decision: 'no', scope: 'once' });
            await elsewhere.promise;
            return { by: 'a person', decision: 'yes', scope: 'once' };
          },
        };
        const onEvent = ({ kind }: Event): void => {
          if (kind === 'answer') void turns(steps).then(elsewhere.resolve);
        };
        const session = await open({ approver, onEvent });
        await session.say('Do it.');
        return session.run();
      });
      const answers = lines.flatMap((event) => (event.kind === 'answer' ? [event.data.decision] : []));
      const results = lines.flatMap((event) => (event.kind === 'result' ? [event.data.outcome] : []));
      assert.deepEqual([answers[0], results], ['no', ['denied']]);
    }
  });
});

/** A tool that works until it is cancelled, and says when it has begun. */
function endless(): Tool & { begun: Promise<void> } {
  const begun = Promise.withResolvers<void>();
  const tool = defineTool({
    name: 'endless',
    description: 'Works until it is ended.',
    input: { type: 'object' },
    effects: { effects: ['read'], resources: [] },
    execute: async (_, { signal }) => {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return { outcome: 'cancelled' as const, text: 'It was ended.' };
    },
  });
  return { ...tool, begun: begun.promise };
}

describe('a cancel ends what runs at once, and the session goes on when it is resumed:', () => {
  type Moment = (play: Play, cancel: (session: Session) => Promise<void>) => Promise<RunOutcome>;

  /** Cancels at a moment, then takes the session up again. */
  async function cancelled(
    context: TestContext,
    scenario: Scenario,
    moment: Moment,
    tools: Tool[] = [],
  ): Promise<Event[]> {
    const ground = openGround(context);
    ground.tools.push(...tools);
    return play(ground, scenario, async (parts) => {
      const { open, state, server } = parts;
      let id = '';
      let at = 0;
      const began = await moment(parts, async (session) => {
        id = session.id;
        at = server.requests.length;
        await cancelSession(state.env, session.id);
      });
      assert.deepEqual([began.outcome, began.exit], ['cancelled', 130]);
      assert.equal(server.requests.length, at, 'the model was asked after the cancel');
      const again = await open({
        resume: id,
        approver: { ask: async () => ({ by: 'a', decision: 'yes', scope: 'once' }) },
      });
      if (at === 0) await again.say('Do it.');
      const outcome = await again.run();
      assert.equal(outcome.outcome, 'completed', JSON.stringify(outcome));
      return outcome;
    });
  }

  const scenario: Scenario = {
    turns: [{ thinking: 'Hm, hm.', text: 'I look.', calls: [mark(1)] }],
    after: { text: 'Done.' },
  };
  for (const stage of ['before-headers', 'after-headers', 'in-thinking', 'in-text', 'in-call', 'before-end'] as const) {
    test(`in a reply, ${stage}`, async (context) => {
      const lines = await cancelled(context, scenario, async ({ open, server }, cancel) => {
        const held = server.hold(1, stage);
        const session = await open();
        await session.say('Do it.');
        const running = session.run();
        await held.reached;
        await cancel(session);
        const outcome = await running;
        held.release();
        await session.close();
        return outcome;
      });
      assert.ok(lines.some((event) => event.kind === 'failure' && event.data.class === 'cancelled'));
    });
  }

  test('in a call, with another behind it', async (context) => {
    const tool = endless();
    const calls = [{ name: 'endless' }, mark(1), { name: 'change', arguments: { n: 1 } }];
    const moment: Moment = async ({ open }, cancel) => {
      const session = await open();
      await session.say('Do it.');
      const running = session.run();
      await tool.begun;
      await cancel(session);
      const outcome = await running;
      await session.close();
      return outcome;
    };
    const lines = await cancelled(context, { turns: [{ calls }], after: { text: 'Done.' } }, moment, [tool]);
    const outcomes = lines.flatMap((event) => (event.kind === 'result' ? [event.data.outcome] : []));
    assert.deepEqual(outcomes.toSorted(), ['cancelled', 'cancelled', 'ok']);
  });

  test('while a person is being asked', async (context) => {
    const turns = [{ calls: [{ name: 'asked', arguments: { n: 1 } }] }];
    const lines = await cancelled(context, { turns, after: { text: 'Done.' } }, async ({ open }, cancel) => {
      const asked = Promise.withResolvers<void>();
      const approver: Approver = {
        ask: () => {
          asked.resolve();
          return new Promise(() => undefined);
        },
      };
      const session = await open({ approver });
      await session.say('Do it.');
      const running = session.run();
      await asked.promise;
      await cancel(session);
      const outcome = await running;
      await session.close();
      return outcome;
    });
    assert.ok(!lines.some(({ kind }) => kind === 'start'));
  });

  test('while a retry is waited for', async (context) => {
    const turns = [{ text: 'Done.', failures: [{ status: 429, retryAfter: 600 }] }];
    await cancelled(context, { turns }, async ({ open }, cancel) => {
      const waiting = Promise.withResolvers<void>();
      const session = await open({ onNotification: ({ type }) => void (type === 'waiting' && waiting.resolve()) });
      await session.say('Do it.');
      const running = session.run();
      await waiting.promise;
      await cancel(session);
      const outcome = await running;
      await session.close();
      return outcome;
    });
  });

  test('while a check runs', async (context) => {
    const scenario = { turns: [{ calls: [{ name: 'change', arguments: { n: 3 } }] }], after: { text: 'Done.' } };
    await cancelled(context, scenario, async ({ open, ground, state, server }, cancel) => {
      const { settings } = optionsFor(ground, state, server);
      const checking = Promise.withResolvers<void>();
      const session = await open({
        settings: { ...settings, checks: ['echo begun; /bin/sleep 600'] },
        onNotification: ({ type }) => void (type === 'output' && checking.resolve()),
      });
      await session.say('Do it.');
      const running = session.run();
      await checking.promise;
      await cancel(session);
      const outcome = await running;
      await session.close();
      return outcome;
    });
  });

  test('before the first step', async (context) => {
    await cancelled(context, scenario, async ({ open }, cancel) => {
      const taken = untilEvent('cancel');
      const session = await open({ onEvent: taken.onEvent });
      await cancel(session);
      await taken.seen;
      const outcome = await session.run();
      await session.close();
      return outcome;
    });
  });
});
