/** The map of a repository of five thousand files. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bench, Line, Row } from '../measure/bench.ts';
import { environment, root } from '../measure/contenders.ts';
import { makeRun, type RunFolders } from '../measure/place.ts';
import { makeRepository } from '../measure/repository.ts';
import { figure, median } from '../measure/statistics.ts';

const files = 5_000;
/** Milliseconds. */
const budgets = { cold: 3_000, warm: 200 };

interface Made {
  /** Milliseconds of the map, and of the whole command. */
  elapsed: number;
  command: number;
  /** Files that were looked at anew. */
  anew: number;
}

export const mapRow: Row = {
  name: 'map',
  about: 'the map of a repository of 5,000 files',
  async measure(bench) {
    const folder = join(bench.place.root, 'large');
    const bytes = makeRepository(folder, files);
    const { cold, warm, edited } = await measured(bench, folder);
    const size = `${(bytes / 1e6).toFixed(1)} MB in five languages`;
    return [
      lineOf('nothing is known yet', cold, budgets.cold, size),
      lineOf('nothing has changed since', warm, budgets.warm),
      lineOf('ten files have changed since', edited),
    ];
  },
};

async function measured(bench: Bench, folder: string) {
  const [cold, warm, edited]: [Made[], Made[], Made[]] = [[], [], []];
  for (let run = 0; run < bench.runs(3); run += 1) {
    const folders = makeRun(bench.place, 'map');
    cold.push(await mapOf(bench, folder, folders));
    // What was written just before is looked at once more.
    await mapOf(bench, folder, folders);
    for (let again = 0; again < 5; again += 1) warm.push(await mapOf(bench, folder, folders));
    edit(folder);
    edited.push(await mapOf(bench, folder, folders));
  }
  const strange = warm.find(({ anew }) => anew > 0);
  if (strange !== undefined) throw new Error(`${strange.anew} files that had not changed were looked at anew.`);
  return { cold, warm, edited };
}

/** By the product as users get it. */
async function mapOf({ server }: Bench, folder: string, folders: RunFolders): Promise<Made> {
  const env = environment(folders, server.url);
  const begun = performance.now();
  const { stdout } = await promisify(execFile)(join(root, 'bin', 'reins'), ['map', '-C', folder, '--json'], { env });
  const { elapsed, anew } = JSON.parse(stdout) as Omit<Made, 'command'>;
  return { elapsed, anew, command: performance.now() - begun };
}

/** As a turn of an agent may. */
function edit(folder: string): void {
  const part = join(folder, 'area0', 'part0');
  for (const name of readdirSync(part).toSorted().slice(0, 10)) {
    const path = join(part, name);
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n`);
  }
}

function lineOf(state: string, made: readonly Made[], budget?: number, note?: string): Line {
  const map = figure(
    'map',
    made.map(({ elapsed }) => elapsed),
  );
  const command = figure(
    'command',
    made.map((each) => each.command),
  );
  const found = median(map.samples);
  return {
    title: `Map of ${files.toLocaleString('en')} files, ${state}`,
    unit: 'ms',
    figures: [map, command],
    verdicts: budget === undefined ? [] : [{ text: `${found.toFixed(0)} ms, under ${budget} ms`, met: found < budget }],
    notes: note === undefined ? [] : [note],
  };
}
