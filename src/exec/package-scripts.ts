/** Scripts that packages name, by folder. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stampOf } from './git/index.ts';

type Scripts = { readonly [name: string]: string };

/** Bytes of the largest file that is read. */
const largest = 1024 * 1024;

/** The scripts of the package that a folder is in; undefined where there is none that can be read. A file is read anew when it has changed. */
export function packageScripts(): (folder: string) => Scripts | undefined {
  const known = new Map<string, { stamp: string; scripts: Scripts | undefined }>();
  return (folder) => {
    for (let at = folder; ; at = dirname(at)) {
      const path = join(at, 'package.json');
      const stamp = stampOf(path);
      if (stamp !== undefined) {
        const found = known.get(path);
        if (found?.stamp === stamp) return found.scripts;
        const scripts = scriptsIn(path);
        known.set(path, { stamp, scripts });
        return scripts;
      }
      if (at === dirname(at)) return undefined;
    }
  };
}

function scriptsIn(path: string): Scripts | undefined {
  try {
    if (statSync(path).size > largest) return undefined;
    const { scripts = {} } = JSON.parse(readFileSync(path, 'utf8')) as { scripts?: unknown };
    if (typeof scripts !== 'object' || scripts === null) return undefined;
    const named = Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return Object.assign(Object.create(null) as { [name: string]: string }, Object.fromEntries(named));
  } catch {
    return undefined; // no package that could be read: its scripts can't be told
  }
}

/** Whether there is a folder, through links too. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false; // not to be seen by us
  }
}
