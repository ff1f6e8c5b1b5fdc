import { readFileSync } from 'node:fs';

/** The version of Reins, from its package. */
export const version: string = readVersion();

function readVersion(): string {
  // From src/harness, dist/harness and dist alike, the package is one or two folders up.
  for (const place of ['../package.json', '../../package.json']) {
    try {
      const { name, version: found } = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (name === 'reins' && found !== undefined) return found;
    } catch {
      continue; // Not there: the next place has it.
    }
  }
  return 'unknown';
}
