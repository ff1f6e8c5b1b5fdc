// A test reporter that writes what scripts/test.mjs needs at the end as one line of JSON:
// the totals, and the tests that were skipped or marked as to do, with their reasons.
import { relative } from 'node:path';

/** @param {AsyncIterable<{type: string, data: any}>} source */
export default async function* report(source) {
  const marked = [];
  let totals;
  for await (const { type, data } of source) {
    const isEnd = type === 'test:pass' || type === 'test:fail';
    const kind = isMarked(data.skip) ? 'skipped' : isMarked(data.todo) ? 'todo' : undefined;
    if (isEnd && kind !== undefined) {
      const why = kind === 'skipped' ? data.skip : data.todo;
      const file = data.file === undefined ? '' : relative(process.cwd(), data.file);
      marked.push({ kind, name: data.name, file, reason: typeof why === 'string' ? why : '' });
    }
    // A summary with a file belongs to that file; the one without covers the whole run.
    if (type === 'test:summary' && data.file === undefined) {
      totals = { ...data.counts, duration_ms: data.duration_ms, success: data.success };
    }
  }
  yield `${JSON.stringify({ totals, marked })}\n`;
}

function isMarked(value) {
  return value !== undefined && value !== false;
}
