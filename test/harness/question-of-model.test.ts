import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { answerQuestion, createSession, openReader, type Approver, type Event } from '../../src/harness/index.ts';
import { startModelServer, temporaryWorkspace } from '../../src/testing/index.ts';

const question = { question: 'Which colour?', options: ['red', 'blue'], default: 'red' };

/** A run whose model asks once; whoever is there is `choose`. `during` is called when the question is in the log. */
async function asked(
  t: TestContext,
  choose: Approver['choose'],
  during?: (env: object, id: string) => Promise<unknown>,
) {
  const workspace = await temporaryWorkspace({ files: {} });
  const home = await temporaryWorkspace({ files: {} });
  const turns = [{ calls: [{ name: 'ask', arguments: question }] }, { text: 'Done.' }];
  const server = await startModelServer({ position: 'count', turns });
  const env = { PATH: process.env['PATH'], HOME: home.path };
  const approver: Approver = { ask: async () => 'later', ...(choose !== undefined && { choose }) };
  const said: Promise<unknown>[] = [];
  const session = await createSession({
    workspace: workspace.path,
    env,
    approver,
    settings: { model: 'x', mode: 'unsafe', checks: 'waived', endpoint: { baseUrl: server.url, apiKey: 'k' } },
    onEvent: ({ kind }) => {
      if (kind === 'ask' && during !== undefined) said.push(during(env, session.id));
    },
  });
  t.after(async () => {
    await session.close();
    await server.close();
    await workspace.dispose();
    await home.dispose();
  });
  await session.say('work');
  const outcome = await session.run();
  await Promise.all(said);
  const events: Event[] = [];
  for (const item of (await openReader(env, session.id)).items()) if (!('damage' in item)) events.push(item);
  const text = events.flatMap((event) => (event.kind === 'result' ? [event.data.text] : []))[0] ?? '';
  return { text, outcome, events, view: session.view };
}

/** A person who looks at the question and says nothing. */
const silent: Approver['choose'] = (_, signal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));

describe('a question of the model', () => {
  test('is answered by whoever is there, and stands in the log with its options while it is open', async (t) => {
    const { text, events } = await asked(t, async () => ({ by: 'terminal', choice: 'blue' }));
    assert.match(text, /by terminal.*"blue"/);
    const kinds = events.map(({ kind }) => kind).join(' ');
    assert.match(kinds, /start ask answer result/);
    const ask = events.find((event) => event.kind === 'ask');
    assert.deepEqual(ask?.kind === 'ask' && ask.data.options, ['red', 'blue']);
  });

  test('can be answered from elsewhere, with an option or in own words, and is withdrawn here', async (t) => {
    const { text } = await asked(t, silent, (env, id) =>
      answerQuestion({ ...env }, id, { decision: 'yes', scope: 'once', reason: 'green, please' }),
    );
    assert.match(text, /by reins answer.*"green, please"/);
  });

  test('that is answered with no is no refusal of a call', async (t) => {
    const { text, view, outcome } = await asked(t, silent, (env, id) =>
      answerQuestion({ ...env }, id, { decision: 'no', scope: 'once', reason: 'neither' }),
    );
    assert.match(text, /neither/);
    assert.deepEqual([view.ledger.denials.length, outcome.denials.length], [0, 0]);
  });

  test('gets its default at once where nobody is', async (t) => {
    const { text, events } = await asked(t, undefined);
    assert.match(text, /default counts: "red"/);
    assert.equal(
      events.some(({ kind }) => kind === 'ask'),
      false,
    );
  });
});
