import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { run, type Event } from '../../src/core/index.ts';
import { scriptedCalls, type Turn } from '../../src/testing/index.ts';
import { echo, open, type Parts } from './drive.ts';

const call = (text: string) => ({ name: 'echo', arguments: { text } });
const again = (text: string, times: number): Turn[] => Array.from({ length: times }, () => ({ calls: [call(text)] }));
const notes = (events: readonly Event[]): string[] =>
  events.flatMap((event) => (event.kind === 'input' && event.data.from === 'harness' ? [event.data.code ?? ''] : []));

async function driven(parts: Parts) {
  const opened = await open({ input: 'do it', ...parts });
  const end = await run(opened.loop);
  assert.ok('stop' in end, JSON.stringify(end));
  const requests = opened.log.events.filter(({ kind }) => kind === 'request').length;
  return { ...opened, stop: end.stop, requests, notes: notes(opened.log.events) };
}

describe('the same call with the same outcome', () => {
  test('is told at the second, told to ask at the third, and stopped at the sixth', async () => {
    const { stop, requests, notes: told } = await driven({ turns: again('x', 20) });
    assert.deepEqual([stop.reason, stop.code, requests], ['stuck', 'repeated-calls', 6]);
    assert.deepEqual(told, ['stuck', 'stuck-ask']);
  });

  test('five times and then something else is no reason to stop', async () => {
    const { stop } = await driven({ turns: [...again('x', 5), ...again('y', 1), { text: 'Done.' }] });
    assert.equal(stop.reason, 'completed');
  });

  test('once is not even mentioned', async () => {
    const { stop, notes: told } = await driven({ turns: [...again('x', 1), ...again('y', 1), { text: 'Done.' }] });
    assert.deepEqual([stop.reason, told], ['completed', []]);
  });

  test('counts as often as a person has said nothing: a new input begins anew', async () => {
    const { loop, stop } = await driven({ turns: [...again('x', 6), ...again('x', 3), { text: 'Done.' }] });
    assert.equal(stop.reason, 'stuck');
    await loop.recorder.record({ kind: 'input', data: { from: 'user', text: 'go on' } });
    const end = await run(loop);
    assert.ok('stop' in end && end.stop.reason === 'completed', JSON.stringify(end));
  });

  test('a poll whose output changes goes on, also when it comes back to an earlier one', async () => {
    const outputs = ['1', '2', '3', '4', '5', '6', '7', '8', '1', '2'];
    const calls = scriptedCalls({ echo: () => outputs.shift() ?? 'over' });
    const { stop, notes: told } = await driven({ turns: [...again('poll', 10), { text: 'Done.' }], calls });
    assert.deepEqual([stop.reason, told], ['completed', []]);
  });

  test('other arguments, another number of calls or another outcome are something else', async () => {
    const turns: Turn[] = [
      { calls: [call('a')] },
      { calls: [call('a'), call('a')] },
      { calls: [call('a')] },
      { calls: [{ name: 'echo', arguments: { text: 'a', more: 1 } }] },
      { text: 'Done.' },
    ];
    const { notes: told } = await driven({ turns, calls: scriptedCalls({ echo }) });
    assert.deepEqual(told, []);
  });
});

test('refused calls are left to the limit of refusals', async () => {
  const calls = scriptedCalls({ echo: { run: echo, decision: 'deny' } });
  const { stop, notes: told } = await driven({ turns: again('x', 30), calls });
  assert.deepEqual([stop.reason, stop.code, told], ['denied', 'denials', []]);
});

describe('two kinds of turns in alternation', () => {
  const pairs = (turns: number): Turn[] =>
    Array.from({ length: turns }, (_, index) => ({ calls: [call(index % 2 === 0 ? 'a' : 'b')] }));

  test('are told, and stopped by the twelfth turn', async () => {
    const { stop, requests, notes: told } = await driven({ turns: pairs(40) });
    assert.deepEqual([stop.reason, stop.code, requests], ['stuck', 'repeated-calls', 12]);
    assert.deepEqual(told, ['stuck']);
  });

  test('eleven are no reason to stop', async () => {
    const { stop } = await driven({ turns: [...pairs(11), { text: 'Done.' }] });
    assert.equal(stop.reason, 'completed');
  });
});

describe('a text that repeats itself', () => {
  const chunk = 'I will look at the file again. ';

  test('is told once, and stopped when it comes again', async () => {
    const text = `Well. ${chunk.repeat(10)}`;
    const { stop, notes: told } = await driven({ turns: [{ text }, { text }, { text: 'Done.' }] });
    assert.deepEqual([stop.reason, stop.code, told], ['stuck', 'repeated-text', ['stuck-text']]);
  });

  test('is let go when the model mends it', async () => {
    const { stop } = await driven({ turns: [{ text: chunk.repeat(12) }, { text: 'Done.' }] });
    assert.deepEqual([stop.reason, stop.answer], ['completed', 'Done.']);
  });

  test('nine chunks, rules of dashes and short rows are ordinary text', async () => {
    for (const text of [chunk.repeat(9), '-'.repeat(500), '| 1 | 2 |\n'.repeat(9)]) {
      const { stop, notes: told } = await driven({ turns: [{ text }] });
      assert.deepEqual([stop.reason, told], ['completed', []]);
    }
  });
});

describe('the plan of the model', () => {
  const items = [
    { text: 'Look', state: 'done' },
    { text: 'Mend', state: 'doing' },
  ];
  const plan = { name: 'plan', arguments: {} };
  const calls = (facts: typeof items) => {
    let seen = 0;
    return scriptedCalls({
      echo: () => `${(seen += 1)}`,
      plan: () => ({ outcome: 'ok', text: 'set', facts: { plan: facts } }),
    });
  };

  test('is shown again when it was long unseen, and not before', async () => {
    const turns: Turn[] = [{ calls: [plan] }, ...again('x', 40), { text: 'Done.' }];
    const { log } = await driven({ turns, calls: calls(items) });
    const shown = log.events.flatMap((event, index) =>
      event.kind === 'input' && event.data.code === 'plan'
        ? [log.events.slice(0, index).filter(({ kind }) => kind === 'reply').length]
        : [],
    );
    assert.deepEqual(shown, [16, 31]);
    const [note] = log.events.flatMap((event) =>
      event.kind === 'input' && event.data.code === 'plan' ? [event.data.text] : [],
    );
    assert.match(note ?? '', /\[x\] Look\n\[>\] Mend/);
  });

  test('is left in peace when all of it is done', async () => {
    const turns: Turn[] = [{ calls: [plan] }, ...again('x', 20), { text: 'Done.' }];
    const done = items.map(({ text }) => ({ text, state: 'done' }));
    const { notes: told } = await driven({ turns, calls: calls(done) });
    assert.deepEqual(told, []);
  });
});
