import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  decide,
  defaultRules,
  estimatedInput,
  foldAll,
  messagesOf,
  run,
  Stepper,
  type EventData,
  type Message,
  type SetupData,
  type View,
} from '../../src/core/index.ts';
import {
  manualClock,
  scriptedCalls,
  scriptedModel,
  scriptedSummariser,
  type MemoryLog,
  type ScriptedSummary,
  type Turn,
} from '../../src/testing/index.ts';
import { echo, kinds, open, type Driven } from './drive.ts';

const call = (text: string) => ({ name: 'echo', arguments: { text } });
/** A text of so many tokens that doesn't repeat itself, out of nothing but digits. */
const tokens = (count: number) =>
  Array.from({ length: count }, (_, at) => at % 100)
    .join(' ')
    .slice(0, count * 3);
/** Gives so many tokens. */
const big = (at: number, size: number) => ({ name: 'big', arguments: { at, size } });

const compactions = (log: MemoryLog): EventData['compaction'][] =>
  log.events.flatMap((event) => (event.kind === 'compaction' ? [event.data] : []));

const userTexts = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ role, parts }) =>
    role === 'user' ? parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );

interface Play {
  turns: Turn[];
  window: number;
  input?: string;
  summaries?: ScriptedSummary[];
  setup?: Partial<SetupData>;
}

const tools = () => scriptedCalls({ echo, big: ({ at, size }) => `${Number(at)}: ${tokens(Number(size))}` });

async function play({ turns, window, input = 'The task.', summaries, setup }: Play) {
  const summariser = scriptedSummariser(summaries);
  const clock = manualClock(1_000_000, { auto: true });
  // What was replied before is not in a request any more: turns are counted.
  const model = scriptedModel({ turns, position: 'count' }, { clock });
  const limits = { turns: null, calls: null, minutes: null, cost: null, outputTokens: 16_000 };
  const driven = await open({ model, clock, input, summariser, calls: tools(), setup: { window, limits, ...setup } });
  return { ...driven, summariser, end: await run(driven.loop) };
}

/** Says something and goes on. */
async function more({ loop }: Pick<Driven, 'loop'>, text: string) {
  await loop.recorder.record({ kind: 'input', data: { from: 'user', text } });
  return run(loop);
}

/** Nothing is told of tokens, so that sizes alone count. */
const silent = (turn: Turn): Turn => ({ usage: 'none', ...turn });

describe('at 80 % of the window', () => {
  /** What is done next where the next request has this share of the window. */
  async function nextAt(share: number): Promise<string> {
    const window = 4_000;
    const { loop, view } = await play({ window, turns: [...talk(8), silent({ text: 'Done.' })] });
    const missing = window * share - estimatedInput(view);
    await loop.recorder.record({ kind: 'input', data: { from: 'user', text: 'y'.repeat(Math.floor(missing * 3)) } });
    return decide(view, defaultRules, 0).do;
  }

  test('something gives way', async () => {
    const { log, end, view } = await play({
      window: 4_000,
      turns: [
        ...Array.from({ length: 12 }, (_, at) => silent({ text: `${at}: ${tokens(150)}`, calls: [big(at, 150)] })),
        silent({ text: 'Done.' }),
      ],
    });
    assert.partialDeepStrictEqual(end, { stop: { reason: 'completed' } });
    const [first] = compactions(log);
    assert.ok(first !== undefined && first.why === 'window');
    assert.ok(first.before >= 3_200, `at ${first.before}`);
    assert.ok(first.after <= 2_000 * 1.1, `down to ${first.after}`);
    assert.ok(estimatedInput(view) < 4_000);
  });

  test('and not before it', async () => {
    assert.equal(await nextAt(0.79), 'ask-model');
    assert.equal(await nextAt(0.8001), 'compact');
  });
});

describe('old results go first', () => {
  const reading = (count: number): Turn[] =>
    Array.from({ length: count }, (_, at) => silent({ calls: [big(at, 900)] }));

  test('and no model is asked where that is enough', async () => {
    const { log, summariser, view } = await play({ window: 10_000, turns: [...reading(9), silent({ text: 'Done.' })] });
    const [only, ...others] = compactions(log);
    assert.ok(only !== undefined && others.length === 0);
    assert.equal(only.gist, undefined);
    assert.deepEqual(summariser.orders, []);
    const results = messagesOf(view).flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'result' ? [part.text] : [])),
    );
    assert.match(results[0] ?? '', /^\[Elided/);
    assert.match(results.at(-1) ?? '', /^8: 0 1/, 'the newest stays');
  });
});

/** Turns of which nothing can be elided. */
const talk = (count: number, size = 150): Turn[] =>
  Array.from({ length: count }, (_, at) => silent({ text: `${at}: ${tokens(size)}`, calls: [call(`${at}`)] }));

describe('older turns give way to a summary', () => {
  test('and the task stays word for word, before it; the newest turns stay as they are', async () => {
    const { log, view, summariser } = await play({ window: 4_000, turns: [...talk(20), silent({ text: 'Done.' })] });
    const [first] = compactions(log);
    assert.equal(first?.gist?.summary?.text, 'The summary.');
    assert.equal(first.gist.last, undefined, 'the task is what was said last');
    const said = userTexts(messagesOf(view));
    assert.equal(said[0], 'The task.');
    assert.match(said[1] ?? '', /^\[Older turns/);
    assert.equal(summariser.orders[0]?.most, 200, 'five hundredths of the window');
  });

  test('what was said last stays after it, and pinned words too', async () => {
    const { loop, log, view } = await play({
      window: 4_000,
      turns: [silent({ text: 'X is done.' }), ...talk(20), silent({ text: 'Done.' })],
    });
    await loop.recorder.record({ kind: 'input', data: { from: 'user', text: 'Never touch b.', pinned: true } });
    await loop.recorder.record({ kind: 'input', data: { from: 'user', text: 'z'.repeat(2_400) } });
    await more({ loop }, 'Y-7731');
    assert.equal(compactions(log).filter(({ gist }) => gist !== undefined).length >= 1, true);
    const said = userTexts(messagesOf(view));
    const note = said.findIndex((text) => text.startsWith('[Older turns'));
    assert.equal(said[0], 'The task.');
    assert.ok(said.indexOf('Never touch b.') < note);
    assert.ok(said.indexOf('Y-7731') > note, 'after the summary');
    assert.ok(!said.some((text) => text.startsWith('zzz')), 'more than a fifth of the target');
  });

  test('once more, and the earlier summary is there to be merged', async () => {
    const { log, summariser, view } = await play({
      window: 4_000,
      turns: [...talk(60), silent({ text: 'Done.' })],
      summaries: ['The first.', 'The second.', 'The third.', 'The fourth.'],
    });
    const made = compactions(log);
    assert.ok(made.length >= 3, `${made.length} compactions`);
    assert.deepEqual(
      made.slice(0, 2).map(({ gist }) => gist?.summary?.text),
      ['The first.', 'The second.'],
    );
    assert.equal(summariser.orders.length, made.length);
    const said = userTexts(messagesOf(view));
    assert.equal(said.filter((text) => text.startsWith('[Older turns')).length, 1, 'one stands for all');
  });

  test('where there is none, the lists stay and the task is never lost', async () => {
    const { log, end, view } = await play({
      window: 4_000,
      turns: [...talk(20), silent({ text: 'Done.' })],
      summaries: [{ problem: 'it was empty' }],
    });
    assert.partialDeepStrictEqual(end, { stop: { reason: 'completed' } });
    assert.equal(compactions(log)[0]?.problem, 'it was empty');
    assert.equal(userTexts(messagesOf(view))[0], 'The task.');
  });

  test('where there is none and results alone would do, the turns stay', async () => {
    const turns = Array.from({ length: 14 }, (_, at) =>
      silent({ text: `${at}: ${tokens(100)}`, calls: [call(`${at}: ${tokens(180)}`)] }),
    );
    const { log } = await play({
      window: 4_000,
      turns: [...turns, silent({ text: 'Done.' })],
      summaries: [{ problem: 'no' }],
    });
    const [first] = compactions(log);
    assert.ok(first !== undefined && first.gist === undefined && first.elided.length > 0, JSON.stringify(first));
  });

  test('and the same stands after the log is read again', async () => {
    const turns = [...talk(20), silent({ text: 'Done.' })];
    const { log, view } = await play({ window: 4_000, turns });
    const again = await open({ turns, log });
    assert.deepEqual(messagesOf(again.view), messagesOf(view));
    assert.equal(again.view.transcript.size, view.transcript.size);
    assert.equal(again.view.transcript.repliesSize, view.transcript.repliesSize);
  });

  test('a path before it shows all of them', async () => {
    const turns = [...talk(20), silent({ text: 'Done.' })];
    const { log, view } = await play({ window: 4_000, turns });
    const at = log.events.findIndex(({ kind }) => kind === 'compaction');
    await log.append({
      parent: log.events[at - 1]!.id,
      at: 0,
      kind: 'head',
      data: { from: view.head!, why: 'rewind' },
    });
    const back: View = (await open({ turns, log })).view;
    const said = messagesOf(back).flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    );
    assert.ok(said.some((text) => text.startsWith('0: 0 1')));
    assert.ok(!said.some((text) => text.startsWith('[Older turns')));
  });
});

describe('it never goes round in circles', () => {
  const over = { input: 200_000, output: 10 };

  test('a model that always reports too much: two compactions, then a stop that says what fills the window', async () => {
    const turns = Array.from({ length: 30 }, (_, at): Turn => ({
      text: `${at}: ${tokens(400)}`,
      calls: [call(`${at}`)],
      usage: over,
    }));
    const { log, end } = await play({ window: 33_000, turns, input: tokens(3_000) });
    assert.partialDeepStrictEqual(end, { stop: { reason: 'provider', code: 'context-overflow' } });
    assert.ok('stop' in end);
    assert.match(end.stop.detail, /what the user said \(\d+ tokens\)/);
    assert.ok(compactions(log).length <= 2);
    assert.ok(kinds(log).filter((kind) => kind === 'request').length <= 6);
  });

  test('a task that fills the window alone is refused by its provider, and the stop says what it is', async () => {
    const { log, end } = await play({
      window: 33_000,
      input: tokens(40_000),
      turns: [{ text: 'never', failures: [{ status: 413, times: 9 }] }],
    });
    assert.partialDeepStrictEqual(end, { stop: { reason: 'provider', code: 'context-overflow' } });
    assert.ok('stop' in end && end.stop.detail.includes('what the user said'), JSON.stringify(end));
    assert.equal(kinds(log).filter((kind) => kind === 'request').length, 1);
  });

  test('one that fits again begins to count anew', async () => {
    const { log, end } = await play({ window: 4_000, turns: [...talk(90), silent({ text: 'Done.' })] });
    assert.partialDeepStrictEqual(end, { stop: { reason: 'completed' } });
    assert.ok(compactions(log).length > 3);
  });
});

test('after a switch to a smaller window it goes on', async () => {
  const turns = [...talk(30), silent({ text: 'Done.' }), silent({ text: 'On.' })];
  const { loop, log, view } = await play({ window: 200_000, turns });
  assert.deepEqual(compactions(log), []);
  const before = view.setup!;
  await loop.recorder.record({
    kind: 'setup',
    data: { ...before, model: 'small', window: 4_000, switched: { from: 'a', by: 'b' } },
  });
  assert.partialDeepStrictEqual(await more({ loop }, 'Go on.'), { stop: { reason: 'completed', answer: 'On.' } });
  assert.equal(compactions(log).length, 1);
  assert.ok(estimatedInput(view) < 3_200);
});

describe('a server that cuts prompts without a word', () => {
  const grow = (usage: (at: number) => number): Turn[] =>
    Array.from({ length: 12 }, (_, at) => ({
      text: `${at}: ${tokens(400)}`,
      calls: [call(`${at}`)],
      usage: { input: usage(at), output: 400 },
    }));

  const notices = (log: MemoryLog) => log.events.flatMap((event) => (event.kind === 'notice' ? [event.data.code] : []));

  test('is told once, and its window is taken as what it is', async () => {
    const { log, view } = await play({
      window: 200_000,
      input: tokens(5_000),
      turns: [...grow(() => 2_048), silent({ text: 'Done.' })],
    });
    assert.deepEqual(notices(log), ['prompt-cut']);
    assert.deepEqual([...view.windows.values()], [2_048]);
  });

  test('is not suspected where its reports grow, where they are small, nor where it counts only what is new', async () => {
    const none = [(at: number) => 2_048 + at * 100, () => 100];
    for (const usage of none) {
      const turns = [...grow(usage), silent({ text: 'Done.' })];
      const { log } = await play({ window: 200_000, input: tokens(5_000), turns });
      assert.deepEqual(notices(log), []);
    }
    const added = Array.from({ length: 12 }, (_, at): Turn => {
      return { text: `${at}: ${tokens(1_600)}`, calls: [call(`${at}`)], usage: { input: 1_250, output: 1_250 } };
    });
    const { log } = await play({ window: 200_000, input: tokens(5_000), turns: [...added, silent({ text: 'Done.' })] });
    assert.deepEqual(notices(log), []);
  });

  test('is told, too, where it cuts at whole messages, so that its reports vary', async () => {
    const turns = [...grow((at) => 2_000 - (at % 3) * 300), silent({ text: 'Done.' })];
    const { view } = await play({ window: 200_000, input: tokens(5_000), turns });
    assert.deepEqual([...view.windows.values()], [2_000]);
  });
});

test('a driver that pulls gets through a compaction, too', async () => {
  const clock = manualClock(1_000_000, { auto: true });
  const driven = await open({ turns: [], clock, input: 'The task.', calls: tools(), setup: { window: 4_000 } });
  const stepper = new Stepper(driven.loop);
  const source = { provider: 'script', wire: 'script', model: 'script' };
  for (let turn = 0; ; turn += 1) {
    const item = await stepper.step();
    if (item.item === 'stopped') break;
    if (item.item === 'run-call') {
      await stepper.settle(item, { outcome: 'ok', text: tokens(20) });
      continue;
    }
    assert.ok(item.item === 'ask-model', item.item);
    const isLast = turn > 40;
    const text = { type: 'text' as const, text: `${turn}: ${tokens(150)}` };
    const made = { type: 'call' as const, id: `c${turn}`, name: 'echo', arguments: { text: `${turn}` } };
    const data = {
      source,
      parts: isLast ? [text] : [text, made],
      stop: isLast ? 'end' : 'calls',
      firstByte: 1,
      elapsed: 1,
    } as const;
    await stepper.settle(item, { kind: 'reply', data: { ...data, parts: [...data.parts] } });
  }
  assert.ok(compactions(driven.log).some(({ gist }) => gist !== undefined));
  assert.equal(driven.view.stop?.reason, 'completed');
});

test('whatever line is lost, the next request keeps to the protocol', async () => {
  const turns = [...talk(40), silent({ text: 'Done.' })];
  const { log } = await play({ window: 4_000, turns });
  assert.ok(compactions(log).filter(({ gist }) => gist !== undefined).length >= 2);
  const all = new Set(log.events.map(({ id }) => id));
  for (const lost of log.events) {
    const view = foldAll(
      log.events.filter((event) => event !== lost),
      all,
    );
    const messages = messagesOf(view);
    assert.equal(messages[0]?.role, 'user');
    messages.forEach(({ role }, at) => assert.equal(role, at % 2 === 0 ? 'user' : 'assistant', `without ${lost.kind}`));
    const idsOf = (type: 'call' | 'result') =>
      messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === type ? [part.id] : [])));
    assert.deepEqual(idsOf('result').toSorted(), idsOf('call').toSorted(), `without ${lost.kind}`);
  }
});
