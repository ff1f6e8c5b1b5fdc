// Loaded in front of the product by `npm run bench -- --profile`: notes when the process did something that takes others' time.
// Times are microseconds of the system's monotonic clock, which the benchmark reads too.
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const now = () => Number(process.hrtime.bigint()) / 1000;
const origin = now() - performance.now() * 1000;
const notes = [];
const note = (what, at = now()) => notes.push({ at, what });

note('Node has started', origin + performance.nodeTiming.bootstrapComplete * 1000);
note('this preload runs (its loading is not in an ordinary run)');
let spawned = 0;
subscribe('child_process', ({ process: child }) => {
  const name = `process ${(spawned += 1)}`;
  note(`${name} starts`);
  // Only its object exists yet; what it runs is known when it has been spawned.
  queueMicrotask(() => {
    const words = (child.spawnargs ?? []).map((word) => (word.length > 40 ? `${word.slice(0, 40)}...` : word));
    note(`${name} runs: ${words.slice(0, 6).join(' ').replaceAll('\n', ' ')}${words.length > 6 ? ' ...' : ''}`);
  });
  child.once('exit', () => note(`${name} has ended`));
});
subscribe('net.client.socket', () => note('a connection is opened'));
subscribe('http.client.request.start', () => note('a request is sent'));
subscribe('http.client.response.finish', () => note('an answer begins'));
subscribe('module.import:start', ({ url }) => note(`import of ${url} begins`));
subscribe('module.import:asyncEnd', ({ url }) => note(`import of ${url} is done`));
process.once('exit', () => writeFileSync(process.env.BENCH_TIMELINE, JSON.stringify(notes)));
