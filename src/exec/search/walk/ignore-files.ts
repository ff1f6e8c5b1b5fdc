/** The ignore files of one folder. */
import { constants, closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseRules, type Rules } from './rules.ts';

/** The kinds of rules, strongest first: what one says holds, wherever a weaker one says it. */
export const ruleKinds = ['.rgignore', '.ignore', '.gitignore', 'exclude'] as const;
export type RuleKind = (typeof ruleKinds)[number];

export interface FolderRules {
  rules: { [K in RuleKind]?: Rules };
  /** Here begins a repository, as ripgrep sees it: what `.gitignore` files above say doesn't hold. */
  isRepository: boolean;
}

/** A folder as its ignore files are looked for. */
export interface RuledFolder {
  pathOf(name: string): string | Buffer;
  /** Whether it has such an entry; a link that leads nowhere is one. */
  has(name: string): boolean;
}

export interface RuleOptions {
  /** Real path of the folder that is searched. */
  root: string;
  /** It lies in a repository; else `.gitignore` files count as they are. */
  inRepository: boolean;
}

/** Bytes of the largest ignore file that is read. */
const largest = 16 * 1024 * 1024;

/** `gitCounts`: whether its `.gitignore` is read. */
export function rulesOf(folder: RuledFolder, { root, inRepository }: RuleOptions, gitCounts: boolean): FolderRules {
  const rules: FolderRules['rules'] = {};
  for (const kind of ['.rgignore', '.ignore', '.gitignore'] as const) {
    if (!folder.has(kind) || (kind === '.gitignore' && !gitCounts)) continue;
    keep(rules, kind, read(folder.pathOf(kind)));
  }
  const git = folder.has('.git') ? kindOf(folder.pathOf('.git')) : undefined;
  if (git !== undefined && gitCounts) keep(rules, 'exclude', excluded(folder, git === 'file' && inRepository, root));
  const isJujutsu = folder.has('.jj') && kindOf(folder.pathOf('.jj')) !== undefined;
  return { rules, isRepository: (inRepository && git !== undefined) || isJujutsu };
}

function keep(rules: FolderRules['rules'], kind: RuleKind, bytes: Buffer | undefined): void {
  const parsed = bytes === undefined ? undefined : parseRules(bytes);
  if (parsed !== undefined) rules[kind] = parsed;
}

/** Git's own list in a repository; that of a linked working tree lies in the repository it belongs to. */
function excluded(folder: RuledFolder, isLinked: boolean, root: string): Buffer | undefined {
  if (!isLinked) return read(folder.pathOf('.git/info/exclude'));
  const target = /^gitdir: (.*)$/.exec(firstLine(read(folder.pathOf('.git'))) ?? '')?.[1];
  if (target === undefined) return undefined;
  const place = resolve(root, target);
  const shared = firstLine(read(`${place}/commondir`));
  if (shared === undefined) return undefined;
  return read(resolve(shared.startsWith('.') ? place : root, shared, 'info/exclude'));
}

function firstLine(bytes: Buffer | undefined): string | undefined {
  return bytes?.toString('utf8').split(/\r?\n/, 1)[0];
}

function kindOf(path: string | Buffer): 'file' | 'other' | undefined {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    return status.isFile() ? 'file' : 'other';
  } catch {
    return undefined; // what can't be looked at says nothing
  }
}

/** A file's bytes; undefined where there is no file of a sensible size that can be read. */
function read(path: string | Buffer): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    return status.isFile() && status.size <= largest ? readFileSync(descriptor) : undefined;
  } catch {
    return undefined; // rules that can't be read say nothing
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
