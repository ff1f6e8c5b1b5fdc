import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked, parts, words } from '../../harness/long-talk.ts';
import { openBench } from './command-line.ts';

test('reins compact lets older turns give way, says so, and the log tells it', async (context) => {
  const bench = openBench(context);
  const turns = Array.from({ length: 4 }, (_, n) => ({
    text: `Step ${n}: ${words(3_000, n * 1_000)}`,
    calls: [{ name: 'list', arguments: { path: '.' } }],
  }));
  const model = bench.scenario({ turns: [...turns, { text: 'Done.' }], anyTurn: [{ when: asked, text: parts }] });
  const ran = await bench.reins(['run', '--check', 'none', '--mode', 'plan', '--model', model, 'The task.']);
  assert.equal(ran.exit, 0, ran.err);
  const compacted = await bench.reins(['compact', '--continue', '--focus', 'names', '--model', model]);
  assert.match(
    compacted.out,
    /^compacted as asked: older turns summarised, with a focus on "names", about [\d,]+ tokens/,
    compacted.err,
  );
  const log = await bench.reins(['log']);
  assert.match(log.out, /compaction +compacted as asked/);
  assert.match(log.out, /summary by script\//);
  assert.equal((await bench.reins(['compact'])).exit, 2);
});
