import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { createSession, listSessions, type RunSettings } from '../../src/harness/index.ts';
import { ground } from './ground.ts';

/** A session on a model with these abilities; gives what a person is told of settings that can't be said. */
async function told(t: TestContext, abilities: object, settings: RunSettings, more: object = {}): Promise<string[]> {
  const a = { wire: 'anthropic', baseUrl: 'http://127.0.0.1:1', auth: 'none', models: { x: { abilities } }, ...more };
  const place = await ground(t, { user: { providers: { a } } });
  const session = await createSession({ ...place, settings: { mode: 'plan', model: 'a/x', ...settings } });
  t.after(() => session.close());
  return session.notices.flatMap(({ code, text }) => (code === 'setting-untold' ? [text] : []));
}

const efforts = ['low', 'high'];

describe('what is asked of a run and can’t be said to its model', () => {
  const cases: [string, object, RunSettings, RegExp | undefined][] = [
    ['an effort that it has', { efforts }, { effort: 'high' }, undefined],
    ['an effort that it lacks', { efforts }, { effort: 'max' }, /"max"; "high" is said/],
    ['an effort where it has none', { efforts: [] }, { effort: 'low' }, /none is said/],
    ['a budget that it takes', { thinking: 'budget' }, { thinking: 2_000 }, undefined],
    ['a budget where it decides by itself', { thinking: 'adaptive' }, { thinking: 2_000 }, /no budget/],
    ['thinking where it is told nothing', { thinking: 'none' }, { thinking: 'adaptive' }, /isn’t told/],
    ['no thinking where it doesn’t think', { thinking: 'none' }, { thinking: 'off' }, undefined],
    ['a temperature that it takes', { sampling: true }, { temperature: 0.5 }, undefined],
    ['a temperature that it lacks', { sampling: false }, { temperature: 0.5 }, /no temperature/],
  ];
  for (const [what, abilities, settings, expected] of cases) {
    test(`${what} is ${expected === undefined ? 'no news' : 'told'}`, async (t) => {
      const notices = await told(t, abilities, settings);
      if (expected === undefined) assert.deepEqual(notices, []);
      else assert.match(notices.join('\n'), expected);
    });
  }

  test('is no news where nobody asked for it in this run', async (t) => {
    assert.deepEqual(await told(t, { efforts: [] }, {}, { settings: { effort: 'max', temperature: 1 } }), []);
  });
});

test('a key of the body that Reins itself sends is refused before there is a session', async (t) => {
  const settings = { body: { max_tokens: 7 } };
  const a = { wire: 'anthropic', baseUrl: 'http://127.0.0.1:1', auth: 'none', settings };
  const place = await ground(t, { user: { providers: { a } } });
  const opening = createSession({ ...place, settings: { mode: 'plan', model: 'a/x' } });
  await assert.rejects(opening, { code: 'config-invalid', message: /max_tokens/ });
  assert.deepEqual(await listSessions(place.env), []);
});
