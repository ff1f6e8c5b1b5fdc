// Loaded in front of the product by `npm run bench -- --profile`: notes when the process waits for something outside of it, such as
// other processes and the disk. Times are microseconds of the system's monotonic clock, which the benchmark reads too.
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';

const now = () => Number(process.hrtime.bigint()) / 1000;
const origin = now() - performance.now() * 1000;
const notes = [];
const note = (what, at = now()) => notes.push({ at, what });

note('Node has started', origin + performance.nodeTiming.bootstrapComplete * 1000);
note('(this preload, which an ordinary run does not have)');

let spawned = 0;
subscribe('child_process', ({ process: child }) => {
  const name = `process ${(spawned += 1)}`;
  note(`${name} is being started`);
  // Only its object exists yet; what it runs is known when it has been spawned.
  queueMicrotask(() => {
    const words = (child.spawnargs ?? []).slice(0, 4).map((word) => word.slice(0, 40).replaceAll('\n', ' '));
    note(`${name} runs: ${words.join(' ')} ...`);
    for (const [index, stream] of (child.stdio ?? []).entries()) {
      if (index > 2) stream?.on?.('data', (chunk) => note(`${name} reports: ${String(chunk).trim().slice(0, 60)}`));
    }
  });
  child.once('exit', () => note(`${name} has ended`));
  child.once('close', () => note(`${name} has ended, and its output is read`));
});
subscribe('net.client.socket', () => note('a connection is opened'));
subscribe('http.client.request.start', () => note('a request is sent'));
subscribe('http.client.response.finish', () => note('an answer begins'));

let synced = 0;
for (const name of ['fsync', 'fdatasync']) {
  const original = fs[name];
  fs[name] = (descriptor, done) => {
    const which = `${name} ${(synced += 1)}`;
    note(`${which} begins`);
    original(descriptor, (...given) => {
      note(`${which} is done`);
      done(...given);
    });
  };
}
for (const name of ['fsyncSync', 'fdatasyncSync', 'mkdirSync', 'renameSync', 'linkSync']) {
  const original = fs[name];
  fs[name] = (...given) => {
    const began = now();
    const result = original(...given);
    const took = (now() - began) / 1000;
    if (took > 0.2) note(`${name} blocked for ${took.toFixed(2)} ms`);
    return result;
  };
}
syncBuiltinESMExports();

process.once('exit', () => fs.writeFileSync(process.env.BENCH_TIMELINE, JSON.stringify(notes)));
