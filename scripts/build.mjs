// Builds dist/: the library with its declarations (TypeScript) and the command line as one bundle (esbuild).
// Splitting keeps what is imported lazily in files of its own, so that a run loads only what it uses.
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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

const result = await build({
  entryPoints: { cli: 'src/surfaces/cli/main.ts' },
  outdir: folder,
  chunkNames: 'cli/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  // Packages that have an ES module are taken as one: it can be cut to what is used.
  conditions: ['module'],
  mainFields: ['module', 'main'],
  // Native parts, and those whose other files are looked up beside them, stay packages.
  external:
    '@lydell/node-pty @napi-rs/image @vscode/ripgrep @vscode/tree-sitter-wasm chardet iconv-lite image-size mvdan-sh unpdf web-tree-sitter'.split(
      ' ',
    ),
  legalComments: 'linked',
  metafile: true,
  logLevel: 'warning',
});
const outputs = Object.entries(result.metafile.outputs).filter(([file]) => file.endsWith('.js'));
for (const [file] of outputs) writeFileSync(file, withBuiltinsAsked(readFileSync(file, 'utf8')));
chmodSync(join(folder, 'cli.js'), 0o755);

const bytes = outputs.reduce((sum, [, output]) => sum + output.bytes, 0);
console.log(`cli.js and ${outputs.length - 1} lazy parts, ${Math.round(bytes / 1024)} kB in all`);

/**
 * Node's own modules are asked for and not imported: making the ES module of one evaluates everything that it offers, and with
 * node:http comes Node's fetch, with node:util half of the rest. That is 25 milliseconds of a start for things that nobody uses.
 */
function withBuiltinsAsked(code) {
  const lazily = code.replace(/\bimport\("(node:[^"]+)"\)/g, 'Promise.resolve(process.getBuiltinModule("$1"))');
  return lazily.replace(
    /^import (?:(\w+)(?:, )?)?(?:\* as (\w+)|\{([^}]*)\})? ?from "(node:[^"]+)";$/gm,
    (_, whole, all, names, module) => {
      const asked = `process.getBuiltinModule("${module}")`;
      const some = names === undefined ? [] : [`const {${names.replaceAll(' as ', ': ')}} = ${asked};`];
      return [whole, all]
        .flatMap((name) => (name === undefined ? [] : [`const ${name} = ${asked};`]))
        .concat(some)
        .join(' ');
    },
  );
}
