/** The small programs that come with Reins, built from native/ (scripts/build-native.mjs): used only if they are what was shipped. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nativePins } from './native-pins.ts';

/** Path of a program for this machine, or why it can't be used. */
export function nativeProgram(name: string): { path: string } | { missing: string } {
  const place = `${process.arch}/${name}`;
  const pin = process.platform === 'linux' ? nativePins[place] : undefined;
  if (pin === undefined) return { missing: `${name} isn’t built for ${process.platform} on ${process.arch}` };
  const path = join(packageFolder(), 'native', place);
  try {
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    return hash === pin ? { path } : { missing: `${path} isn’t the program that was shipped` };
  } catch (error) {
    return { missing: `${path} can’t be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})` };
  }
}

/** This file lies at different depths in the source and in a bundle. */
function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'native')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
