/** Disasters by what is written, for lines that can’t be told apart: best effort, since a command can be spelled in endless ways. */

const wholeTrees =
  /^(?:\/+|\/+\*|~|~\/+|~\/\*|\$\{?HOME\}?|\$\{?HOME\}?\/+|\$\{?HOME\}?\/\*|\.\.(?:\/\.\.)*\/?|\.\/\.git\/?|\.git\/?)$/;
const systemFolders =
  /^\/(?:bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var|Users|System|Library)\/?\*?$/;
const device = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|dm-|md|loop|mapper\/)/;

/** A function that starts itself more than once, through a pipe or in the background. */
export function isForkBomb(line: string): boolean {
  const functions = line.matchAll(
    /(?:function\s+([\w:]+)\s*(?:\(\))?|(?<![\w:])([A-Za-z_:][\w:]*)\s*\(\))\s*[{(]([^})]*)[})]/g,
  );
  for (const [, spoken, named, body = ''] of functions) {
    const name = spoken ?? named ?? '';
    const calls = body.split(/[;|&\s]+/).filter((word) => word === name).length;
    if (calls > 1 && /[|&]/.test(body)) return true;
  }
  return false;
}

/** What would be destroyed, in words, or nothing. */
export function disasterOf(line: string): string | undefined {
  for (const part of line.split(/[;&|\n()`]+/)) {
    const words = part
      .split(/[\s<>,[\]]+/)
      .map((word) => word.replaceAll(/["'\\]/g, ''))
      // A setting or an editor’s command: what stands behind the sign is run.
      .map((word) => word.replace(/^(?:.*=|[+:@]*!)(?=\w)/, ''));
    const found = disasterIn(words) ?? deviceRedirection(part);
    if (found !== undefined) return found;
  }
  return removalInCode(line);
}

/** Calls of the usual languages that remove a tree, with a place that is written out. */
const removing =
  /\b(?:rmtree|remove_tree|rm_rf|rm_r|remove_entry_secure|rmSync|rmdirSync|removeSync|emptyDirSync|rimraf|rimrafSync|remove_dir_all|del|Remove-Item|fs\.rm|fs\.promises\.rm|Deno\.remove)\b(?:[\s(]|-\w+\s)*(?:os\.path\.expanduser\(|Path\()?\s*["'`]?([^"'`,)\s]+)/g;

function removalInCode(code: string): string | undefined {
  for (const [, place = ''] of code.matchAll(removing)) {
    if (wholeTrees.test(place) || systemFolders.test(place) || place === '.') return `the removal of ${place}`;
  }
  return undefined;
}

function disasterIn(words: string[]): string | undefined {
  const has = (name: string) => words.some((word) => word.slice(word.lastIndexOf('/') + 1) === name);
  const tree = words.find((word) => wholeTrees.test(word) || systemFolders.test(word));
  const recursive = words.some((word) => /^-[a-zA-Z]*[rR]|^--r(?:e(?:c|$)|$)/.test(word));
  if (has('rm') && recursive && tree !== undefined) return `the removal of ${tree}`;
  if (has('find') && tree !== undefined && words.some((word) => word === '-delete' || word === 'rm')) {
    return `the removal of what is in ${tree}`;
  }
  if ((has('chmod') || has('chown')) && recursive && tree !== undefined) return `new rights for all of ${tree}`;
  const written = words.find((word) => device.test(word.replace(/^of=/, '')));
  const writes = words.some((word) =>
    /^(?:mkfs(?:\..*)?|wipefs|shred|dd|blkdiscard)$/.test(word.slice(word.lastIndexOf('/') + 1)),
  );
  if (written === undefined || !writes) return undefined;
  // Reading a device with dd is no disaster.
  return has('dd') && !written.startsWith('of=') ? undefined : `writing to ${written.replace(/^of=/, '')}`;
}

function deviceRedirection(part: string): string | undefined {
  const target = />\s*["']?(\/dev\/\S+)/.exec(part)?.[1];
  return target !== undefined && device.test(target) ? `writing to ${target}` : undefined;
}
