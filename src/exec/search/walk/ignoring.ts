/** Which entries of a folder are ignored: by the rules of its own files and those of the folders that it lies in. */
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BytePath, Place } from '../engine.ts';
import { bytePath, pathIn } from '../paths-as-bytes.ts';
import { ruleKinds, rulesOf, type FolderRules, type RuledFolder, type RuleKind } from './ignore-files.ts';
import type { Verdict } from './rules.ts';

/** What one folder says, and how a path that is judged (from the searched folder on) looks from there. */
interface Level extends FolderRules {
  /** What comes before such a path, where the folder lies above. */
  before: BytePath;
  /** How many of its characters lead to the folder, where it lies below. */
  skip: number;
  parent: Level | undefined;
}

/** The rules that hold in a folder. Undefined: those of no folder at all. */
export type Ignoring = Level | undefined;

/** The rules of the folders above the one that is searched. */
export function ignoringAbove(place: Place): Ignoring {
  const { root, base, inRepository } = place;
  const above: string[] = [];
  for (let folder = root; folder !== '/'; above.push(folder)) folder = dirname(folder);
  let level: Ignoring;
  for (const folder of above.toReversed()) {
    const ruled: RuledFolder = {
      pathOf: (name) => join(folder, name),
      has: (name) =>
        existsSync(join(folder, name)) || lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined,
    };
    const gitCounts = inRepository || `${folder}/`.startsWith(`${base}/`);
    const before = bytePath(`${root.slice(folder === '/' ? 1 : folder.length + 1)}/`);
    const { rules, isRepository } = rulesOf(ruled, place, gitCounts);
    level = { rules, isRepository: inRepository && isRepository, before, skip: 0, parent: level };
  }
  return level;
}

/** The rules in a folder, given by its path from the searched one on and by the names in it. */
export function ignoringIn(place: Place, folder: BytePath, names: ReadonlySet<string>, parent: Ignoring): Ignoring {
  const inside = folder === '' ? '' : `${folder}/`;
  if (!['.rgignore', '.ignore', '.gitignore', '.git', '.jj'].some((name) => names.has(name))) return parent;
  const ruled: RuledFolder = { pathOf: (name) => pathIn(place.root, inside + name), has: (name) => names.has(name) };
  return { ...rulesOf(ruled, place, true), before: '', skip: inside.length, parent };
}

/** Whether a path, from the searched folder on, is ignored. */
export function isIgnored(ignoring: Ignoring, path: BytePath, isFolder: boolean): boolean {
  const said = new Map<RuleKind, Verdict>();
  let isOutside = false;
  for (let level = ignoring; level !== undefined; level = level.parent) {
    for (const kind of ruleKinds) {
      const rules = level.rules[kind];
      if (rules === undefined || said.has(kind)) continue;
      if (isOutside && (kind === '.gitignore' || kind === 'exclude')) continue;
      const verdict = rules.judge(level.before + path.slice(level.skip), isFolder);
      if (verdict !== undefined) said.set(kind, verdict);
    }
    isOutside ||= level.isRepository;
  }
  const strongest = ruleKinds.find((kind) => said.has(kind));
  return strongest !== undefined && said.get(strongest) === 'ignore';
}
