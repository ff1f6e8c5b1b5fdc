import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { jsonl, piLines } from '../../session/foreign-lines.ts';
import { linesOf, openBench } from './command-line.ts';

test('reins import makes a session that resume, log and export know', async (context) => {
  const bench = openBench(context);
  const file = bench.file('foreign.jsonl', jsonl(['{"broken\u001b[2J', ...piLines()]));
  const imported = await bench.reins(['import', file, '--format', 'pi']);
  assert.equal(imported.exit, 0, imported.err);
  const id = imported.out.trim();
  assert.match(imported.err, /^From pi: 3 inputs, 2 replies, 1 call\.\nBeside it 1 other branch, named imported-1/);
  assert.match(imported.err, /\nLine 1 was left out: it is no JSON\.\n/);

  const shown = await bench.reins(['log', id]);
  assert.match(shown.out, /All done\.[\s\S]* Imported from a session of pi/);
  const model = bench.scenario({ position: 'count', turns: [{ text: 'Mended.', expect: { anywhere: 'mend it' } }] });
  const run = await bench.reins(['resume', id, 'go on', '--check', 'none', '--json', '--model', model]);
  assert.deepEqual([run.exit, linesOf(run.out).at(-1)?.['answer']], [0, 'Mended.'], run.err);
  const exported = await bench.reins(['export', id]);
  assert.match(exported.out, /> mend it\n[\s\S]*All done\.[\s\S]*> go on\n[\s\S]*Mended\./);

  const atif = join(bench.workspace, 'atif.json');
  assert.equal((await bench.reins(['export', id, '--format', 'atif', '--out', atif])).exit, 0);
  for (const [words, exit, said] of [
    [['import'], 2, /Which file\?/],
    [['import', file, '--format', 'vim'], 2, /--format can’t be "vim"/],
    [['import', file, '--format', 'atif'], 2, /atif is for export only; claude, codex, pi can be imported/],
    [['import', file, '--format', 'codex'], 2, /holds no conversation of codex/],
    [['import', atif], 2, /holds no conversation of claude, codex, pi, whose .* export only/],
    [['import', 'none.jsonl'], 2, /can’t be read: it doesn’t exist/],
  ] as const) {
    const ended = await bench.reins([...words]);
    assert.deepEqual([ended.exit, ended.out], [exit, ''], words.join(' '));
    assert.match(ended.err, said);
  }
});
