import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { awaiting, makeJobs, refusal, soon } from './jobs-bench.ts';
import { MemoryBlobs, until } from './workbench.ts';

const never = new AbortController().signal;

test('a look waits for the pattern, for the end, or for the time, and no longer', async (t) => {
  const { start, look, jobs, touch } = makeJobs(t, 'none');
  await start(`${awaiting('one')}; echo ready on 8080; ${awaiting('two')}; echo b`);
  const late = await jobs.look('job-1', { pattern: /ready/, wait: 100 }, never);
  assert.ok('output' in late);
  assert.deepEqual([late.matched, late.output, late.state], [false, '', 'running']);
  const waiting = look('job-1', /^ready on (\d+)$/m);
  touch('one');
  const came = await waiting;
  assert.deepEqual([came.matched, came.output], [true, 'ready on 8080\n']);
  const again = await jobs.look('job-1', { pattern: /ready/, wait: 100 }, never);
  assert.deepEqual('matched' in again && again.matched, false, 'what was told already doesn’t count again');
  touch('two');
  const over = await jobs.look('job-1', { pattern: /never/, wait: soon }, never);
  assert.ok('output' in over);
  assert.deepEqual([over.matched, over.output, over.state], [false, 'b\n', 'exited']);
});

test('what came before the look counts, at its end too', async (t) => {
  const { start, look, touch, folder } = makeJobs(t, 'none');
  await start(`${awaiting('go')}; echo first; echo last`);
  const first = look('job-1', soon);
  touch('go');
  await first;
  await start(`${awaiting('on')}; echo early; touch said; ${awaiting('off')}`);
  touch('on');
  await until('it is said', () => existsSync(join(folder, 'said')));
  const report = await look('job-2', /early/);
  assert.equal(report.matched, true);
  await start(`${awaiting('off')}; printf 'no line end'`);
  touch('off');
  const ended = await look('job-3', /line end$/);
  assert.deepEqual([ended.matched, ended.output], [true, 'no line end']);
});

test('an abort ends the wait and loses nothing', async (t) => {
  const { start, look, jobs } = makeJobs(t, 'none');
  await start('read x; echo "got $x"; sleep 60');
  const abort = new AbortController();
  const waiting = jobs.look('job-1', { pattern: /never/, wait: 600_000 }, abort.signal);
  abort.abort();
  const report = await waiting;
  assert.ok('output' in report && report.matched === false && report.state === 'running');
  await jobs.type('job-1', 'it\n');
  assert.equal((await look('job-1', /got it/)).output, 'got it\n');
});

test('a pattern is found across pieces, colours and what is left out', async (t) => {
  const { start, look, jobs } = makeJobs(t, 'none');
  const script = [
    'read x',
    String.raw`printf 'list\033[1mening\033[0m o'; sleep 0.1; printf 'n é'; sleep 0.1; printf '\n'`,
    'read x',
    'head -c 5000000 /dev/zero | tr "\\0" x; echo needle; head -c 5000000 /dev/zero | tr "\\0" y; read x',
  ].join('\n');
  await start(script);
  await jobs.type('job-1', '\n');
  assert.equal((await look('job-1', /listening on é$/m)).matched, true);
  const waiting = look('job-1', /needle/);
  await jobs.type('job-1', '\n');
  const found = await waiting;
  assert.equal(found.matched, true);
  assert.match(found.output, /^\n?x/);
});

test('a pattern that would take for ever is refused, quickly, and costs no output', async (t) => {
  const { start, look, jobs } = makeJobs(t, 'none');
  await start(`for i in 1 2; do read x; printf '%050d!' 0 | tr 0 a; done; read x`);
  await jobs.type('job-1', '\n');
  await look('job-1', /a!/);
  const hostile = [/^(a+)+$/, /(a|aa)+$/, /(.*)*x/s, /(?:a?){50}a{50}$/];
  const began = performance.now();
  const waiting = jobs.look('job-1', { pattern: hostile[0]!, wait: soon }, never);
  await jobs.type('job-1', '\n');
  assert.match(refusal(await waiting), /takes too long/);
  for (const pattern of hostile) {
    const answer = await jobs.look('job-1', { pattern, wait: 0 }, never);
    assert.ok('refused' in answer || answer.matched === false, String(pattern));
  }
  assert.ok(performance.now() - began < soon);
});

test('patterns keep no memory of an earlier search', async (t) => {
  const { start, look, jobs } = makeJobs(t, 'none');
  await start('while read x; do echo "a"; done');
  const pattern = /a/g;
  for (let round = 0; round < 3; round += 1) {
    await jobs.type('job-1', '\n');
    assert.equal((await look('job-1', pattern)).matched, true);
  }
});

test('output is harmless, and no character or escape is torn between two looks', async (t) => {
  const { start, look, touch } = makeJobs(t, 'none');
  const parts = [String.raw`a\303`, String.raw`\251b\033[3`, String.raw`1mred\033[0m\r`, String.raw`\nc\233\000`];
  await start(parts.map((part, index) => `${awaiting(`go${index}`)}; printf '${part}'; touch said${index}`).join('; '));
  let all = '';
  for (const index of parts.keys()) {
    touch(`go${index}`);
    all += (await look('job-1', index < parts.length - 1 ? 300 : soon)).output;
  }
  assert.equal(all, 'aébred\nc\\x9B\\x00');
});

test('much output is told as head and tail with the exact gap, kept in a blob', async (t) => {
  const blobs = new MemoryBlobs();
  const { start, look, jobs } = makeJobs(t, 'none', { blobs });
  await start('read x; seq 200000; read x; seq 5; read x; seq 300000 | tail -c 250000');
  await jobs.type('job-1', '\n');
  const all = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join('');
  const first = await look('job-1', /^200000$/m);
  const [, left, bytes, blob] =
    /^1\n2\n.*\n\[\.\.\. (\d+) of (\d+) bytes left out here; kept in blob ([0-9a-f]{64}) \.\.\.\]\n.*\n199999\n200000\n$/s.exec(
      first.output,
    ) ?? [];
  assert.equal(Number(bytes), all.length);
  assert.equal(Number(left), first.omitted);
  const shown = first.output.replace(/\[\.\.\..*\.\.\.\]\n/, '');
  // The line feed before the gap may be one of its own.
  assert.ok([0, 1].includes(shown.length - (all.length - first.omitted)));
  assert.equal(blobs.kept.get(blob ?? '')?.toString(), all);
  await jobs.type('job-1', '\n');
  assert.equal((await look('job-1', /^5$/m)).output, '1\n2\n3\n4\n5\n', 'the next portion is a whole of its own');
  await jobs.type('job-1', '\n');
  assert.match((await look('job-1', soon)).output, /left out here; kept in blob [0-9a-f]{64}/);
});

test('the caps of a command hold for all portions of a job together', async (t) => {
  const blobs = new MemoryBlobs();
  const { start, look, jobs } = makeJobs(t, 'none', { blobs, caps: { command: 1_000_000, session: 10_000_000 } });
  await start('while read x; do head -c 700000 /dev/zero | tr "\\0" x; echo; echo done; done');
  const portions = [];
  for (let round = 0; round < 3; round += 1) {
    await jobs.type('job-1', '\n');
    portions.push(await look('job-1', /done/));
  }
  assert.deepEqual(
    [...blobs.kept.values()].map(({ length }) => length),
    [700_006, 299_994],
  );
  assert.match(portions[1]?.output ?? '', /kept in blob [0-9a-f]{64}, but for 400012 bytes/);
  assert.match(portions[2]?.output ?? '', /it was not kept/);
});

test('a job that floods is ended, and costs little memory', async (t) => {
  const { start, look } = makeJobs(t, 'none', { caps: { command: 0, session: 0, flood: 300_000_000 } });
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  await start('yes', { timeout: 1 });
  const report = await look('job-1', 60_000);
  clearInterval(watch);
  assert.equal(report.state, 'ended');
  assert.match(report.output, /\[After more than 300000000 bytes of output everything .* was ended: .*yes.*\]$/);
  assert.ok(report.omitted > 290_000_000);
  assert.ok(most - before < 200_000_000, `grew by ${(most - before) / 1e6} MB`);
});

test('of ended jobs a hundred are remembered', async (t) => {
  const { start, jobs, look } = makeJobs(t, 'none', { shell: { earlierJobs: 0 } });
  for (let round = 0; round < 102; round += 1) {
    await start('read x', { timeout: 1 });
    await jobs.type(`job-${round + 1}`, '\n');
    await look(`job-${round + 1}`, soon);
  }
  await start('sleep 60', { timeout: 1 });
  const ids = (await jobs.list()).map(({ id }) => id);
  assert.equal(ids.length, 101);
  assert.deepEqual([ids[0], ids.at(-1)], ['job-3', 'job-103']);
  assert.match(refusal(await jobs.look('job-1', { wait: 0 }, never)), /no job "job-1"/);
});
