// Runs the parts named as arguments, or all: node scripts/test.mjs [types|lint|format|knip|unit|process]...
// Parts do not depend on each other: all run, and a part that fails makes the whole fail.
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { mkdtempSync, readFileSync, rmSync } = fs;
if (fs.globSync === undefined) {
  console.error(`Node ${process.versions.node} is too old to run this directly: npm test brings its own.`);
  process.exit(2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const bin = (name) => join('node_modules', '.bin', name);
const checks = {
  types: [process.execPath, ['node_modules/typescript-native/bin/tsc', '--noEmit']],
  lint: [bin('oxlint'), ['--type-aware', '--deny-warnings']],
  format: [bin('oxfmt'), ['--check']],
  knip: [bin('knip'), ['--no-progress', '--no-config-hints']],
};

const UNIT_TEST_LIMIT_MS = 30_000;
const PROCESS_TEST_LIMIT_MS = 120_000;
/** A whole run of tests that takes longer than this is ended and has failed. */
const RUN_LIMIT_MS = 15 * 60_000;

const isProcessTest = (file) => file.endsWith('.process.test.ts');
const testFiles = fs
  .globSync('test/**/*.test.ts', {
    exclude: ['**/fixtures/**', 'test/golden/**', 'test/scenarios/**/workspace/**', 'test/scenarios/**/expected/**'],
  })
  .sort();
const suites = {
  unit: {
    files: testFiles.filter((file) => !isProcessTest(file)),
    // One forgotten timer would keep the shared process alive for ever: it ends by force, and the report names
    // what was left open.
    options: [
      '--test-isolation=none',
      '--test-force-exit',
      `--test-timeout=${UNIT_TEST_LIMIT_MS}`,
      '--max-semi-space-size=4',
    ],
    // To start a program, a process first copies the table of its memory: 30 ms for each GB. So it is kept small, in large pages.
    environment: { MALLOC_ARENA_MAX: '2', GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' },
    // A process has one core: those that take about half of the time have one of their own.
    apart: (file) => /^test\/(scenarios|session)\//.test(file),
  },
  process: {
    files: testFiles.filter(isProcessTest),
    options: ['--test-concurrency=3', `--test-timeout=${PROCESS_TEST_LIMIT_MS}`],
  },
};

/** Runs a check with its output held back, so that parallel checks do not mix theirs. */
function runCheck(name) {
  const [command, options] = checks[name];
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, options, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => output.push(Buffer.from(`${error.message}\n`)));
    child.on('close', (code) => {
      const ok = code === 0;
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${ok ? '✔' : '✖'} ${name} (${seconds} s)`);
      if (!ok) process.stdout.write(Buffer.concat(output));
      resolve({ name, ok, note: ok ? '' : `exit ${code}` });
    });
  });
}

/** Runs two checks at a time. */
async function runChecks(names) {
  const waiting = [...names];
  const results = [];
  const worker = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) results.push(await runCheck(name));
  };
  await Promise.all([worker(), worker()]);
  return results;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // the process died before its end
  }
}

/** Runs suites one after the other. What starts the command line starts a bundle of it, as users do: it is there three times as fast. */
async function runSuites(names) {
  if (names.length === 0) return [];
  // In the package's folder, where its dependencies are found.
  const program = mkdtempSync(join(root, '.tested-'));
  try {
    const { bundle } = await import('./bundle.mjs');
    await bundle(program);
    process.env.REINS_TESTED_PROGRAM = join(program, 'cli.js');
    const tested = [];
    for (const name of names) tested.push(...(await runSuite(name)));
    return tested;
  } finally {
    rmSync(program, { recursive: true, force: true });
  }
}

/** Runs one suite, in one process or in two at the same time. */
async function runSuite(name) {
  const { files, apart = () => false } = suites[name];
  console.log(`\n${name} tests: ${files.length} files`);
  const [first, second] = [files.filter((file) => !apart(file)), files.filter(apart)];
  const runs = [runFiles(name, first, suites[name], false)];
  if (second.length > 0) runs.push(runFiles(`${name}, the others`, second, suites[name], true));
  return Promise.all(runs);
}

/** What it reports is undefined if the process died before its end. `isHeld`: its output is shown when all of it is there. */
async function runFiles(name, files, { options, environment }, isHeld) {
  if (files.length === 0) return { name, ok: true, note: 'no test files', report: undefined };
  const folder = mkdtempSync(join(tmpdir(), 'reins-test-'));
  const destination = join(folder, 'report.json');
  const child = spawn(
    process.execPath,
    [
      '--test',
      ...options,
      '--test-reporter=./scripts/spec-reporter.mjs',
      '--test-reporter-destination=stdout',
      '--test-reporter=./scripts/test-reporter.mjs',
      `--test-reporter-destination=${destination}`,
      ...files,
    ],
    { stdio: ['ignore', isHeld ? 'pipe' : 'inherit', 'inherit'], env: { ...process.env, ...environment } },
  );
  const output = [];
  child.stdout?.on('data', (chunk) => output.push(chunk));
  let ended;
  const limit = setTimeout(() => {
    ended = `ended after ${RUN_LIMIT_MS / 60_000} minutes`;
    child.kill('SIGKILL');
  }, RUN_LIMIT_MS);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (status, signal) => resolve(status ?? signal));
  });
  clearTimeout(limit);
  process.stdout.write(Buffer.concat(output));
  const report = readReport(destination);
  rmSync(folder, { recursive: true, force: true });
  return { name, report, ...judge(code, ended, report) };
}

function judge(code, ended, report) {
  if (ended) return { ok: false, note: ended };
  if (!report?.totals) return { ok: false, note: `the process ended before its tests (${code})` };
  if (report.open.length > 0) return { ok: false, note: `left open after the last test: ${report.open.join(', ')}` };
  if (report.empty.length > 0) return { ok: false, note: `no test ran in ${report.empty.join(', ')}` };
  if (report.totals.tests === 0) return { ok: false, note: 'no test ran' };
  if (code !== 0) return { ok: false, note: `exit ${code}` };
  return { ok: true, note: '' };
}

/** Prints why tests failed, the skipped and todo tests by name, then the closing lines of node:test, summed over the suites. */
function printTotals(results) {
  const reports = results.flatMap((result) => result.report ?? []);
  for (const kind of ['skipped', 'todo']) {
    const marked = reports.flatMap((report) => report.marked).filter((test) => test.kind === kind);
    console.log(`\n${kind} tests: ${marked.length}`);
    for (const { name, file, reason } of marked) {
      console.log(`  ${file}: ${name}${reason ? ` (${reason})` : ''}`);
    }
  }
  printFailed(reports.flatMap((report) => report.failed));
  console.log('');
  const sum = (key) => reports.reduce((total, report) => total + (report.totals?.[key] ?? 0), 0);
  // A suite that failed without a failing test (it crashed, or left something open) counts as one.
  const broken = results.filter(({ ok, report }) => !ok && !(report?.totals?.failed > 0)).length;
  const lines = {
    tests: sum('tests') + broken,
    suites: sum('suites'),
    pass: sum('passed'),
    fail: sum('failed') + broken,
    cancelled: sum('cancelled'),
    skipped: sum('skipped'),
    todo: sum('todo'),
    duration_ms: Math.round(sum('duration_ms')),
  };
  for (const [key, value] of Object.entries(lines)) console.log(`ℹ ${key} ${value}`);
}

/** Once more at the end, where a log that was cut still has it. */
function printFailed(failed) {
  if (failed.length > 0) console.log(`\nfailed tests: ${failed.length}`);
  for (const { name, file, reason } of failed) console.log(`  ${file}: ${name}\n${reason.replaceAll(/^/gm, '    ')}`);
}

const known = [...Object.keys(checks), ...Object.keys(suites)];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`unknown part: ${unknown.join(', ')} (parts: ${known.join(', ')})`);
  process.exit(2);
}
const chosen = asked.length > 0 ? known.filter((name) => asked.includes(name)) : known;

// The programs that tests start have homes of their own: without this each would compile all of its code anew.
const compiled = mkdtempSync(join(tmpdir(), 'reins-compiled-'));
process.env.NODE_COMPILE_CACHE = compiled;

const results = await runChecks(chosen.filter((name) => name in checks));
const tested = await runSuites(chosen.filter((name) => name in suites));
if (tested.length > 0) printTotals(tested);

rmSync(compiled, { recursive: true, force: true });

const all = [...results, ...tested];
console.log(`\n${all.map(({ name, ok, note }) => `${ok ? '✔' : '✖'} ${name}${note ? `: ${note}` : ''}`).join('\n')}`);
process.exitCode = all.every((result) => result.ok) ? 0 : 1;
