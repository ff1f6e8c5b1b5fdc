// Builds dist/: the library with its declarations (TypeScript) and the command line as one bundle.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The folder to build into: dist/ unless another one is named. */
const folder = resolve(process.argv[2] ?? join(root, 'dist'));
process.chdir(root);
rmSync(folder, { recursive: true, force: true });

const library = spawnSync(
  process.execPath,
  ['node_modules/typescript-native/bin/tsc', '--project', 'tsconfig.build.json', '--outDir', folder],
  { stdio: 'inherit' },
);
if (library.status !== 0) process.exit(library.status ?? 1);

const { files, bytes } = await bundle(folder);
console.log(`cli.js and ${files.length - 1} lazy parts, ${Math.round(bytes / 1024)} kB in all`);
