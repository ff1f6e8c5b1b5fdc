/** Sees to it that what is measured is what the sources say: builds when the bundle is missing or older than they are. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './contenders.ts';

const bundle = join(root, 'dist', 'cli.js');

/** Throws when the build fails. */
export function buildIfStale(say: (text: string) => void): void {
  const built = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs;
  if (built !== undefined && built >= newest()) return;
  say(
    built === undefined
      ? 'Building: there is no dist/cli.js yet.'
      : 'Building: the sources are newer than dist/cli.js.',
  );
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('npm run build failed; there is nothing to measure.');
}

function newest(): number {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = [...sources, ...['package-lock.json', 'scripts/build.mjs'].map((name) => join(root, name))];
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}
