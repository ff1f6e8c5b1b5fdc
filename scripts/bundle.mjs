// The command line as one bundle (esbuild). Splitting keeps what is imported lazily in files of its own, so that a run loads only
// what it uses.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles into `folder`, as cli.js and what belongs to it; gives the files and how many bytes they hold. Runs in the package's folder. */
export async function bundle(folder) {
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
  return { files: outputs.map(([file]) => file), bytes: outputs.reduce((sum, [, output]) => sum + output.bytes, 0) };
}

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
