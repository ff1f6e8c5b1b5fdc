/** Throw-away folders: a home for all runs, a small repository for each contender, and folders of its own for each run. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Place {
  root: string;
  /** Kept over the runs, so that caches are as warm as a user's. */
  home: string;
  remove(): void;
}

export interface RunFolders {
  home: string;
  workspace: string;
  /** XDG_STATE_HOME and XDG_CONFIG_HOME of this run alone. */
  state: string;
  config: string;
  /** What the contender prints. */
  output: string;
}

export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'reins-bench-')));
  const home = join(root, 'home');
  mkdirSync(home);
  return { root, home, remove: () => rmSync(root, { recursive: true, force: true }) };
}

let count = 0;

export function makeRun(place: Place, contender: string, home = place.home): RunFolders {
  const run = join(place.root, `run-${(count += 1)}`);
  const folders = {
    home,
    workspace: workspaceOf(place, contender),
    state: join(run, 'state'),
    config: join(run, 'config'),
  };
  for (const folder of [home, folders.state, folders.config]) mkdirSync(folder, { recursive: true });
  return { ...folders, output: join(run, 'output.txt') };
}

const made = new Map<string, string>();

/** A small repository, the same for everyone. */
function workspaceOf(place: Place, contender: string): string {
  const folder = join(place.root, `workspace-${contender}`);
  if (made.has(folder)) return folder;
  made.set(folder, contender);
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'README.md'), '# A small project\n\nIt adds numbers.\n');
  writeFileSync(join(folder, 'package.json'), '{ "name": "small", "type": "module", "private": true }\n');
  writeFileSync(join(folder, 'src', 'sum.js'), 'export const sum = (a, b) => a + b;\n');
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: folder, env: { PATH: process.env['PATH'], HOME: place.home }, stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '--quiet', '--message', 'Begin');
  return folder;
}
