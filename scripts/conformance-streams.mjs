// Plays recorded streams through the decoders of the wires: node scripts/conformance-streams.mjs DIR [--json]
// Exit 0 when all are exact, 1 when any differs or failed, 2 when there is nothing to play.
import { parseArgs } from 'node:util';
import { linesOf, playRecordings } from '../src/testing/conformance/index.ts';

const usage = 'usage: npm run conformance:streams -- DIR [--json]';

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { json: { type: 'boolean', default: false } } });
  } catch (error) {
    return { error: error.message };
  }
}

async function main() {
  const { positionals = [], values, error } = readArguments();
  const [place, ...others] = positionals;
  if (error !== undefined || place === undefined || others.length > 0) {
    console.error([error, usage].filter(Boolean).join('\n'));
    return 2;
  }
  let report;
  try {
    report = await playRecordings(place);
  } catch (failure) {
    console.error(`conformance: ${place}: ${failure.message}`.replace(/\p{Cc}/gu, (found) => JSON.stringify(found)));
    return 2;
  }
  console.log(values.json ? JSON.stringify(report, null, 2) : linesOf(report).join('\n'));
  if (report.files.length === 0) return 2;
  return report.totals.differing + report.totals.failed === 0 ? 0 : 1;
}

process.exitCode = await main();
