/** Turns the cases of a folder into tests. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createSandbox } from '../../src/exec/index.ts';
import { placeProblems, runProblems } from './scenario-checks.ts';
import { makePlace } from './scenario-place.ts';
import { runOnce } from './scenario-run.ts';
import type { RunSpec } from './scenario-schema.ts';
import type { CaseGroup, LoadedCase, Ran } from './scenario-types.ts';

/**
 * Registers a test for each case, so many at a time (they mostly wait), and a skipped one for each part that can't be tried yet.
 */
export async function registerCases(name: string, groups: readonly CaseGroup[], concurrency: number): Promise<void> {
  const needed = new Set(groups.flatMap(({ cases }) => cases.flatMap(({ needs }) => needs)));
  const missing = new Map<string, string>();
  for (const need of needed) {
    const why = await whyNot(need);
    if (why !== undefined) missing.set(need, why);
  }
  describe(name, { concurrency }, () => {
    for (const { title, cases, skips } of groups) {
      for (const loaded of cases) {
        const skip = loaded.needs.flatMap((need) => missing.get(need) ?? [])[0] ?? false;
        test(loaded.title, { skip }, () => tryCase(loaded));
      }
      for (const [part, reason] of Object.entries(skips)) test(`${title}: ${part}`, { skip: reason });
    }
  });
}

/** Runs a case in a place of its own and looks at everything that came of it. */
export async function tryCase(loaded: LoadedCase): Promise<void> {
  const place = await makePlace(loaded);
  try {
    const { runs = [{}], run: common = {}, expect = {} } = loaded.filled(place.values);
    const done: Ran[] = [];
    for (const spec of runs) {
      const whole: RunSpec = { ...common, ...spec, expect: { ...common.expect, ...spec.expect } };
      const ran = await runOnce(whole, { loaded, place, runs: done });
      done.push(ran);
      report(loaded, done, runProblems(ran, loaded));
    }
    report(loaded, done, await placeProblems(loaded, place, done));
    if (expect.script === undefined) return;
    const step = loaded.script.checks?.[expect.script];
    assert.ok(step, `script.ts has no check ${expect.script}`);
    await step(place, done);
  } finally {
    await place.close();
  }
}

function report({ title }: LoadedCase, runs: readonly Ran[], problems: string[]): void {
  if (problems.length === 0) return;
  const items = runs.at(-1)?.items ?? [];
  const told = items.map((item) => `  ${JSON.stringify(item).slice(0, 400)}`).slice(-25);
  assert.fail(`${title}\n${problems.join('\n')}\nThe last of run ${runs.length}:\n${told.join('\n')}`);
}

/** Why something that a case needs isn't there; undefined when it is. */
async function whyNot(need: string): Promise<string | undefined> {
  if (need !== 'bubblewrap') {
    const { status } = spawnSync('sh', ['-c', `command -v "$0" && "$0" --version`, need], { stdio: 'ignore' });
    return status === 0 ? undefined : `${need} is not installed`;
  }
  const workspace = mkdtempSync(join(realpathSync(tmpdir()), 'reins-scenario-'));
  const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const sandbox = createSandbox({ kind: 'bubblewrap', workspace, environment });
  try {
    const { works, obstacle, reason } = await sandbox.probe();
    if (works) return undefined;
    return obstacle === 'not-installed' ? 'bubblewrap is not installed' : `no sandbox: ${reason}`;
  } finally {
    await sandbox.close();
    rmSync(workspace, { recursive: true });
  }
}
