import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeIn } from '../../../src/surfaces/cli/times.ts';
import { hitLines } from '../../../src/surfaces/cli/commands/search.ts';
import { plainStyle } from '../../../src/surfaces/cli/render/index.ts';
import { linesOf, openBench } from './command-line.ts';

test('reins search finds what was said in a session, for people and for programs', async (context) => {
  const bench = openBench(context);
  const model = bench.scenario({ turns: [{ text: 'The parser is mended.' }] });
  const run = await bench.reins(['run', '--json', '--check', 'none', '--model', model, 'mend the parser']);
  const id = String(linesOf(run.out).at(-1)?.['session']);

  const shown = await bench.reins(['search', 'parser']);
  assert.equal(shown.exit, 0, shown.err);
  assert.match(
    shown.out,
    new RegExp(`^${id} {2}mend the parser\n {2}.* stop completed: .*The parser is mended.*\n {2}.* reply: `),
  );
  const json = await bench.reins(['search', 'PARSER', '--kind', 'input', '--workspace', '--since', '1d', '--json']);
  const [hit, ...more] = linesOf(json.out);
  assert.deepEqual([hit!['session'], hit!['kind'], hit!['excerpt'], more], [id, 'input', 'mend the parser', []]);
  for (const [words, exit, said] of [
    [['nowhere'], 1, /Nothing was found/],
    [['parser', '--until', '1d'], 1, /Nothing was found/],
    [['parser', '--workspace=/nowhere'], 1, /Nothing was found/],
    [['parser', '--since', 'yesterday'], 2, /--since must be a date/],
    [['parser', '--kind', 'reqest'], 2, /aren’t searched; those are .*input, /],
    [['parser', '--limit', '0'], 2, /--limit takes a whole number/],
    [[], 2, /nothing to search for/],
  ] as const) {
    const ended = await bench.reins(['search', ...words]);
    assert.deepEqual([ended.exit, ended.out], [exit, ''], words.join(' '));
    assert.match(ended.err, said);
  }
});

test('a time is a date, a date with a time, or how long ago', () => {
  const now = Date.UTC(2026, 10, 30);
  assert.equal(timeIn('since', '90m', now), now - 90 * 60_000);
  assert.equal(timeIn('since', '2w', now), now - 14 * 24 * 3_600_000);
  assert.equal(timeIn('since', '2026-11-30', now), new Date(2026, 10, 30).getTime());
  assert.equal(timeIn('since', '2026-11-30T14:05', now), new Date(2026, 10, 30, 14, 5).getTime());
  assert.equal(timeIn('since', '2026-11-30T14:05Z', now), Date.UTC(2026, 10, 30, 14, 5));
  for (const value of ['', '7', '-7d', '7y', 'now', '2026-13-01', '30.11.2026']) {
    assert.throws(() => timeIn('since', value, now), /--since must be/, value);
  }
});

test('what was found is shown harmless, each session once', () => {
  const hit = {
    session: 's',
    title: 't\u001b[2J',
    workspace: '/w',
    event: 'e',
    kind: 'result',
    at: 0,
    excerpt: 'a\u0007\nb',
  };
  const lines = hitLines([{ ...hit, tool: 'shell', outcome: 'ok' }, hit, { ...hit, session: 'z' }], plainStyle(60));
  assert.equal(lines.length, 5);
  assert.deepEqual([lines[0], lines[3]], ['s  t\\x1b[2J', 'z  t\\x1b[2J']);
  assert.match(lines[1]!, / result shell ok: a\\x07 ↵ b$/);
});
