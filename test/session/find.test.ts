import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { titleFrom, type Draft } from '../../src/core/index.ts';
import { createSession, find, list, titleOf } from '../../src/session/index.ts';
import { appendAll, input, start, temporaryState } from './sessions.ts';

const title = (text: string): Draft => ({ kind: 'title', data: { text, by: 'test' } });

/** A session for each list of drafts, a month apart; gives their ids. */
async function sessionsOf(t: TestContext, state: string, ...each: Draft[][]): Promise<string[]> {
  const ids: string[] = [];
  for (const [month, drafts] of each.entries()) {
    const session = await createSession(state, { ...start, at: Date.UTC(2026, month, 3, 4, 5, 6) });
    t.after(() => session.close());
    await appendAll(session, drafts);
    ids.push(session.id);
  }
  return ids;
}

describe('a session is found', () => {
  test('by its id, and by any part of it that no other has', async (t) => {
    const state = temporaryState(t);
    const [first = '', second = ''] = await sessionsOf(t, state, [], []);
    for (const words of [first, '202601', '0103-04', first.slice(-6), ` ${first.slice(-6)} `]) {
      assert.equal(find(state, words), first, words);
    }
    assert.equal(find(state, '202602'), second);
  });

  test('by a part of its title, in whatever case, where no id has it', async (t) => {
    const state = temporaryState(t);
    const [parser, docs, renamed] = await sessionsOf(
      t,
      state,
      [input('\n  Mend the parser\nand more')],
      [input('Write the docs')],
      [input('Look around'), title('The Lexer')],
    );
    assert.equal(find(state, 'PARSER'), parser);
    assert.equal(find(state, 'the docs'), docs);
    assert.equal(find(state, 'lexer'), renamed);
    for (const words of ['and more', 'look around', 'nothing of the kind']) {
      assert.throws(() => find(state, words), { code: 'session-missing' }, words);
    }
  });

  test('by a beginning sooner than by a part, and by an id sooner than by a title', async (t) => {
    const state = temporaryState(t);
    const [first = '', , third] = await sessionsOf(t, state, [], [input('about 202601')], []);
    assert.equal(find(state, '202601'), first);
    assert.equal(find(state, '202603'), third);
  });

  test('or not, and then those that could be meant are listed, the latest first', async (t) => {
    const state = temporaryState(t);
    const ids = await sessionsOf(t, state, [input('fix one')], [input('fix two')], [title('other')]);
    assert.throws(() => find(state, 'fix'), {
      code: 'session-ambiguous',
      message: new RegExp(`^2 sessions .*\n  ${ids[1]}  fix two  .*\n  ${ids[0]}  fix one  .*\nGive more of the id`),
    });
    assert.throws(() => find(state, '2026'), { code: 'session-ambiguous', message: /^3 sessions/ });
    for (const words of ['', ' ', 'x', '..', 'wo', `${ids[0]}x`]) {
      assert.throws(() => find(state, words), { code: 'session-missing' }, words);
    }
  });
});

describe('the title of a session', () => {
  test('is the last that a person gave, until it is taken back', async (t) => {
    const state = temporaryState(t);
    await sessionsOf(t, state, [input('task'), title('one'), title('two')], [input('task'), title('one'), title('')]);
    assert.deepEqual(
      list(state).map((summary) => [titleOf(summary), summary.name]),
      [
        ['two', 'two'],
        ['task', undefined],
      ],
    );
  });

  test('is the first line of the task, bounded, in whole words where there are some', () => {
    assert.equal(titleFrom(' \n\t fix   the\ttest \nand so on'), 'fix the test');
    assert.equal(titleFrom(''), '');
    assert.equal(titleFrom('a'.repeat(80)), 'a'.repeat(80));
    assert.equal(titleFrom('a'.repeat(81)), `${'a'.repeat(79)}…`);
    assert.equal(titleFrom('word '.repeat(20)), `${'word '.repeat(15).trim()}…`);
    assert.equal(titleFrom(`${'a'.repeat(78)}😀b`), `${'a'.repeat(78)}…`);
  });
});
