// A test reporter that writes what scripts/test.mjs needs at the end as one line of JSON:
// the totals, the tests that failed, that were skipped or marked as to do, and what the tests left open.
import { relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a test can forget to close; a stream that only waits to be flushed is no such thing. */
const HANDLE = /^(Timeout|Immediate|TCP|UDP|TLS|ProcessWrap|MessagePort|FSEvent|StatWatcher|PipeServer)/;
/** How long what is closing may take for it. */
const CLOSING_MS = 2000;
/** A run without any event for so long hangs on a file that does not end. */
const STALL_MS = 150_000;
/** Characters that are told of why a test failed. */
const LONGEST_REASON = 3_000;

/** @param {AsyncIterable<{type: string, data: any}>} source */
export default async function* report(source) {
  const marked = [];
  const failed = [];
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
      marked.push({ kind, name: data.name, file: fileOf(data), reason: typeof why === 'string' ? why : '' });
    }
    // One that failed only because of a test in it is named by that test.
    if (type === 'test:fail' && kind === undefined && data.details?.error?.failureType !== 'subtestsFailed')
      failed.push({ name: data.name, file: fileOf(data), reason: reasonOf(data.details?.error) });
    // A file stands for itself only if it reported no test, as when it left by process.exit.
    if (type === 'test:pass' && data.nesting === 0 && data.file && resolve(data.name) === data.file) {
      empty.push(data.name);
    }
    // A summary with a file belongs to that file; the one without covers the whole run.
    if (type === 'test:summary' && data.file === undefined) {
      totals = { ...data.counts, duration_ms: data.duration_ms, success: data.success };
    }
  }
  yield `${JSON.stringify({ totals, failed, marked, empty, open: await findOpen() })}\n`;
}

/** Ends a run that hangs; the test runner takes its children along. */
function interrupt(running) {
  const files = [...running].map((file) => relative(process.cwd(), file));
  process.stderr.write(`\nno progress for ${STALL_MS / 1000} seconds, still running: ${files.join(', ')}\n`);
  process.kill(process.pid, 'SIGINT');
}

function fileOf({ file }) {
  return file === undefined ? '' : relative(process.cwd(), file);
}

/** What went wrong, with its stack; for a property the seed and the counterexample too. */
function reasonOf(error) {
  const cause = error?.cause ?? error;
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return text.slice(0, LONGEST_REASON);
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
