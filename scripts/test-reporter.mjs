// A test reporter that writes what scripts/test.mjs needs at the end as one line of JSON:
// the totals, the tests that were skipped or marked as to do, and what the tests left open.
import { relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a test can forget to close; a stream that only waits to be flushed is no such thing. */
const HANDLE = /^(Timeout|Immediate|TCP|UDP|TLS|ProcessWrap|MessagePort|FSEvent|StatWatcher|PipeServer)/;
/** How long what is closing may take for it. */
const CLOSING_MS = 2000;
/** A run without any event for so long hangs on a file that does not end. */
const STALL_MS = 150_000;

/** @param {AsyncIterable<{type: string, data: any}>} source */
export default async function* report(source) {
  const marked = [];
  const empty = [];
  const running = new Set();
  const stall = setTimeout(interrupt, STALL_MS, running).unref();
  let totals;
  for await (const { type, data } of source) {
    stall.refresh();
    if (type === 'test:dequeue' && data.nesting === 0 && data.file) running.add(data.file);
    if (type === 'test:summary' && data.file) running.delete(data.file);
    const isEnd = type === 'test:pass' || type === 'test:fail';
    const kind = isMarked(data.skip) ? 'skipped' : isMarked(data.todo) ? 'todo' : undefined;
    if (isEnd && kind !== undefined) {
      const why = kind === 'skipped' ? data.skip : data.todo;
      const file = data.file === undefined ? '' : relative(process.cwd(), data.file);
      marked.push({ kind, name: data.name, file, reason: typeof why === 'string' ? why : '' });
    }
    // A file stands for itself only if it reported no test, as when it left by process.exit.
    if (type === 'test:pass' && data.nesting === 0 && data.file && resolve(data.name) === data.file) {
      empty.push(data.name);
    }
    // A summary with a file belongs to that file; the one without covers the whole run.
    if (type === 'test:summary' && data.file === undefined) {
      totals = { ...data.counts, duration_ms: data.duration_ms, success: data.success };
    }
  }
  yield `${JSON.stringify({ totals, marked, empty, open: await findOpen() })}\n`;
}

/** Ends a run that hangs; the test runner takes its children along. */
function interrupt(running) {
  const files = [...running].map((file) => relative(process.cwd(), file));
  process.stderr.write(`\nno progress for ${STALL_MS / 1000} seconds, still running: ${files.join(', ')}\n`);
  process.kill(process.pid, 'SIGINT');
}

function isMarked(value) {
  return value !== undefined && value !== false;
}

/** The kinds of handles that are still open, once those that are being closed had their time. */
async function findOpen() {
  const until = performance.now() + CLOSING_MS;
  for (;;) {
    const open = process.getActiveResourcesInfo().filter((kind) => HANDLE.test(kind));
    if (open.length === 0 || performance.now() > until) return open;
    await sleep(20);
  }
}
