/** `npm run bench`: measures Reins against the floor, and against other agents where they are installed. docs/bench.md explains it. */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { start, type Bench, type Line, type Row } from './measure/bench.ts';
import { buildIfStale } from './measure/build.ts';
import { floor, product, type Contender } from './measure/contenders.ts';
import { startMeasuringServer } from './measure/model-server.ts';
import { findPeers } from './measure/peers.ts';
import { makePlace } from './measure/place.ts';
import { printLine } from './measure/table.ts';
import { profileRow, profiles } from './profile/index.ts';
import { rows } from './rows/index.ts';

const usage = `npm run bench -- [options]
  --row NAME      only this row (repeatable): ${rows.map(({ name }) => name).join(', ')}
  --quick         fewer runs, and without: ${rows.flatMap(({ name, slow }) => (slow ? name : [])).join(', ')}
  --profile ROW   instead of measuring: where the product's time goes (${profiles.join(', ')})
  --json          the results as JSON on standard output
  --help
Exit code 0: everything was measured, met or not. 1: something could not be measured. 2: wrong arguments.
`;

interface Result {
  row: string;
  lines: Line[];
  /** Why it could not be measured. */
  unmeasured?: string;
}

process.exitCode = await main(process.argv.slice(2));

async function main(words: string[]): Promise<number> {
  const options = read(words);
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n${usage}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const place = makePlace();
  const server = await startMeasuringServer();
  try {
    buildIfStale(say);
    const { contenders: peers, absent } = findPeers();
    const quick = options.quick === true;
    const runs = (usual: number) => Math.max(1, Math.round(quick ? usual / 3 : usual));
    const wanted: Bench = { place, server, floor, product: product('auto'), peers, quick, runs, say };
    const { bench, mode } = await withMode(wanted);
    if (options.profile !== undefined) {
      process.stdout.write(await profileRow(bench, options.profile));
      return 0;
    }
    const about = `node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores, mode ${mode}`;
    say(`${about}\n`);
    const results = await measureAll(bench, chosenRows(options.row ?? [], quick), options.json !== true);
    const load = loadavg()[0]?.toFixed(1);
    if (options.json) process.stdout.write(`${JSON.stringify({ about, load, results, absent }, null, 2)}\n`);
    else process.stdout.write(closing(results, absent, load));
    return results.some(({ unmeasured }) => unmeasured !== undefined) ? 1 : 0;
  } catch (error) {
    say(`bench: ${(error as Error).message}`);
    return 1;
  } finally {
    await server.close();
    place.remove();
  }
}

function read(words: string[]) {
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        row: { type: 'string', multiple: true },
        quick: { type: 'boolean' },
        profile: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    const unknown = values.row?.find((name) => rows.every((row) => row.name !== name));
    if (unknown !== undefined) return `There is no row ${unknown}.`;
    if (values.profile !== undefined && !profiles.includes(values.profile)) {
      return `There is no profile of ${values.profile}.`;
    }
    return values;
  } catch (error) {
    return (error as Error).message; // it names the option
  }
}

function chosenRows(names: string[], quick: boolean): Row[] {
  if (names.length > 0) return rows.filter(({ name }) => names.includes(name));
  return rows.filter(({ slow }) => !(quick && slow));
}

/** Mode auto where its sandbox works, as a user would have it; the first run also fills the cache of compiled code. */
async function withMode(bench: Bench): Promise<{ bench: Bench; mode: string }> {
  const rehearsal = { command: 'true', turns: 1, thinking: 0 };
  const works = async (contender: Contender) => start(bench, contender, { rehearsal }).ended;
  try {
    await works(bench.product);
    return { bench, mode: 'auto' };
  } catch (error) {
    const unsafe = product('unsafe');
    await works(unsafe);
    bench.say(`Mode auto doesn't work here, so commands run without a sandbox. ${(error as Error).message}`);
    return { bench: { ...bench, product: unsafe }, mode: 'unsafe (no sandbox here)' };
  }
}

async function measureAll(bench: Bench, chosen: Row[], isPrinted: boolean): Promise<Result[]> {
  const results: Result[] = [];
  for (const row of chosen) {
    bench.say(`${row.name}: ${row.about} ...`);
    const result = await row.measure(bench).then(
      (lines): Result => ({ row: row.name, lines }),
      (error: Error): Result => ({ row: row.name, lines: [], unmeasured: error.message }),
    );
    results.push(result);
    if (!isPrinted) continue;
    for (const line of result.lines) process.stdout.write(`${printLine(line)}\n`);
    if (result.unmeasured !== undefined) process.stdout.write(`  not measured: ${result.unmeasured}\n`);
  }
  return results;
}

function closing(results: Result[], absent: string[], load: string | undefined): string {
  const verdicts = results.flatMap(({ lines }) => lines.flatMap((line) => line.verdicts));
  const over = verdicts.filter(({ met }) => !met).length;
  const unmeasured = results.filter((result) => result.unmeasured !== undefined).map(({ row }) => row);
  return [
    '',
    `budgets: ${verdicts.length - over} met, ${over} over`,
    ...(unmeasured.length > 0 ? [`not measured: ${unmeasured.join(', ')}`] : []),
    `peers: ${absent.length > 0 ? absent.join('; ') : 'all measured'}`,
    `load of the machine at the end: ${load}`,
    '',
  ].join('\n');
}
