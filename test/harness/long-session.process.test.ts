/** A session of 300 turns on a real repository, this one: four compactions and more, and what they cost. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cacheReport, createSession, openReader, type Event } from '../../src/harness/index.ts';
import { startModelServer } from '../../src/testing/index.ts';
import { assertRebuilt } from '../support/rebuilt.ts';
import { ground } from './ground.ts';
import { asked, parts } from './long-talk.ts';

const sources = fileURLToPath(new URL('../../src', import.meta.url));
const window = 40_000;
const turns = 300;

test('300 turns on a real repository with compactions, and their cost', { timeout: 120_000 }, async (t) => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && statSync(join(sources, path)).size > 2_000)
    .toSorted()
    .slice(0, turns - 1);
  const reading = files.map((path, at) => ({
    text: `File ${at}: I read what ${path} says about its part, to see how it hangs together with the one before.`,
    calls: [{ name: 'read', arguments: { path: `src/${path}`, limit: 40 } }],
  }));
  const scenario = {
    position: 'count' as const,
    window,
    turns: [...reading, { text: 'I have seen all of it.' }],
    anyTurn: [{ when: asked, text: parts }],
  };
  const server = await startModelServer(scenario);
  t.after(() => server.close());
  const models = { 'anthropic/claude-sonnet-4-5': { window, maxOutput: 4_000 } };
  const { workspace, env } = await ground(t, { user: { models } });
  cpSync(sources, join(workspace, 'src'), { recursive: true });
  const session = await createSession({
    workspace,
    env,
    settings: {
      model: 'anthropic/claude-sonnet-4-5',
      mode: 'plan',
      limits: { turns: null, calls: null, minutes: null, cost: null },
      endpoint: { baseUrl: server.url, apiKey: 'no secret' },
    },
  });
  t.after(() => session.close());
  await session.say('Read through this repository, and tell me how its parts hang together.');
  const outcome = await session.run();
  assert.deepEqual([outcome.outcome, outcome.answer, outcome.turns], ['completed', 'I have seen all of it.', turns]);
  assert.deepEqual(server.refusals, []);
  await assertRebuilt(server, session);

  const events = [...(await openReader(env, session.id)).items()].filter((item): item is Event => !('damage' in item));
  const compactions = events.flatMap((event) => (event.kind === 'compaction' ? [event.data] : []));
  assert.ok(compactions.length >= 4, `${compactions.length} compactions`);
  const gist = compactions.findLast((each) => each.gist !== undefined)?.gist;
  assert.ok((gist?.files.read.length ?? 0) + (gist?.files.more ?? 0) > 100, 'the files that were read are named');
  const { requests, totals } = await cacheReport(events);
  assert.deepEqual([totals.extends, totals.broke], [turns - 1 - compactions.length, compactions.length]);
  assert.ok(requests.every(({ broke }) => broke === undefined || broke.compaction === 'window'));
  const asides = compactions.reduce((sum, { gist: each }) => sum + (each?.summary?.asides.length ?? 0), 0);
  assert.equal(totals.asides.questions, asides);
  // What the breaks cost at most is told, and is the smaller part.
  assert.ok(totals.lost.cost > 0 && totals.lost.cost < totals.cost.known / 2, JSON.stringify(totals));
  t.diagnostic(
    `${compactions.length} compactions; ${totals.cost.known.toFixed(2)} dollars, ${(totals.cost.known - totals.lost.cost).toFixed(2)} without breaks, ${totals.asides.cost.toFixed(2)} for summaries`,
  );
});
