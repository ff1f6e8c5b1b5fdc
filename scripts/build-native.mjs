// Builds each native/*.c as a static program for x64 and arm64 into native/<arch>/, and writes their SHA-256 to src/exec/native-pins.ts.
// Needs the Debian packages musl-tools and gcc-aarch64-linux-gnu on an x64 machine. What is built here is committed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'native');
const compilers = { arm64: 'aarch64-linux-gnu-gcc', x64: 'musl-gcc' };
const options = ['-static', '-Os', '-s', '-Wall', '-Wextra', '-Werror', '-Wl,--build-id=none'];

const sources = readdirSync(folder)
  .filter((name) => name.endsWith('.c'))
  .toSorted();
const pins = [];
for (const [arch, compiler] of Object.entries(compilers)) {
  mkdirSync(join(folder, arch), { recursive: true });
  for (const source of sources) {
    const name = source.slice(0, -2);
    const program = join(folder, arch, name);
    execFileSync(compiler, [...options, '-o', program, source], { cwd: folder, stdio: 'inherit' });
    const hash = createHash('sha256').update(readFileSync(program)).digest('hex');
    pins.push(`  '${arch}/${name}': '${hash}',`);
  }
}
writeFileSync(
  join(root, 'src/exec/native-pins.ts'),
  `/** SHA-256 of the programs in native/, written by scripts/build-native.mjs. */\nexport const nativePins: { readonly [program: string]: string } = {\n${pins.join('\n')}\n};\n`,
);
console.log(pins.join('\n'));
