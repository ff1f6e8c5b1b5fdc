// The standard spec reporter without its closing totals: scripts/test.mjs prints one set for all its runs.
import { Readable } from 'node:stream';
import { spec } from 'node:test/reporters';

const TOTAL = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d/;

/** @param {AsyncIterable<{type: string, data: any}>} source */
export default async function* report(source) {
  yield* Readable.from(withoutTotals(source)).compose(spec());
}

async function* withoutTotals(source) {
  for await (const event of source) {
    const isTotal = event.type === 'test:diagnostic' && event.data.nesting === 0 && TOTAL.test(event.data.message);
    if (!isTotal) yield event;
  }
}
