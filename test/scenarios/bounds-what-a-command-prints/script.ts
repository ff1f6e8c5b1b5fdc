import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandLine } from '../../support/compiled.ts';
import { processesOf } from '../../support/scenario-place.ts';
import type { Place, Script } from '../../support/scenario-types.ts';

/** Milliseconds between two looks. */
const often = 60;
/** Mebibytes: before the command ran, and the most while it ran and afterwards. */
const seen = new Map<string, { before: number; most: number }>();

/** Mebibytes of all processes of a place that are Reins's own; what is shared between them counts once. */
function memoryOf({ root }: Place): number {
  const own = processesOf(root).filter((line) => line.includes(dirname(commandLine)) || line.includes('/src/'));
  return own.reduce((sum, line) => sum + proportionOf(line.split(' ')[0] ?? ''), 0) / 1024;
}

function proportionOf(pid: string): number {
  try {
    const [, kibibytes = '0'] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kibibytes);
  } catch {
    return 0; // It has ended meanwhile, or there is no /proc.
  }
}

export const deeds: Script['deeds'] = {
  watchMemory(place) {
    const amounts = { before: 0, most: 0 };
    seen.set(place.root, amounts);
    const timer = setInterval(() => {
      const now = memoryOf(place);
      if (place.server.requests.length === 0) amounts.before = Math.max(amounts.before, now);
      amounts.most = Math.max(amounts.most, now);
      if (place.server.requests.length >= 3) clearInterval(timer);
    }, often);
    timer.unref();
  },
};

export const checks: Script['checks'] = {
  memory(place) {
    const { before, most } = seen.get(place.root) ?? { before: 0, most: 0 };
    const limit = Number(place.values['growth']);
    assert.ok(before > 0 || !existsSync('/proc/self/smaps_rollup'), 'nothing was measured');
    assert.ok(most - before < limit, `from ${before} to ${most} MiB`);
    // What is shown and what is kept are bounded too.
    const sessions = join(place.environment['XDG_STATE_HOME'] ?? '', 'reins', 'sessions');
    const blobs = readdirSync(sessions).flatMap((id) => {
      const folder = join(sessions, id, 'blobs');
      return readdirSync(folder).map((name) => readFileSync(join(folder, name)).length);
    });
    assert.ok(Math.max(...blobs) <= 64 * 1024 * 1024, `a blob of ${Math.max(...blobs)} bytes`);
  },
};
