/** Which files a call means by its glob and type. Judged here for both engines, so that they can't differ. */
import type { NameGlobs } from './engine.ts';
import { fileTypes } from './file-types.ts';
import { compileGlob, parseGlob } from './globs/index.ts';
import { isRefusal, type Refusal } from './requests.ts';

export interface Filter {
  /** Whether a path, relative to the folder that is searched, is meant. */
  accepts(path: string): boolean;
  /** What a name must match at least, where that can be said; an engine that knows it has less to look at. */
  names?: NameGlobs;
}

/** `root`: real path of the folder that is searched. */
export function createFilter(asked: { glob?: string; type?: string }, root: string): Filter | Refusal {
  const byType = asked.type === undefined ? undefined : typeFilter(asked.type);
  if (isRefusal(byType)) return byType;
  const byGlob = asked.glob === undefined ? undefined : globFilter(asked.glob, root);
  if (isRefusal(byGlob)) return byGlob;
  const names = byType?.names ?? byGlob?.names;
  return {
    accepts: (path) => (byType?.accepts(path) ?? true) && (byGlob?.accepts(path) ?? true),
    ...(names !== undefined && { names }),
  };
}

function typeFilter(type: string): Filter | Refusal {
  const globs = Object.hasOwn(fileTypes, type) ? fileTypes[type] : undefined;
  if (globs === undefined) return { refused: `there is no file type ${JSON.stringify(type)}${nearTypes(type)}` };
  const names = globs.split(' ');
  const expression = new RegExp(`^(?:${names.map(sourceOf).join('|')})$`, 'su');
  return { accepts: (path) => expression.test(nameOf(path)), names };
}

function sourceOf(glob: string): string {
  const tokens = parseGlob(glob, 'asked');
  return 'problem' in tokens ? '(?!)' : compileGlob(tokens, false);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What some types are called elsewhere. */
const otherNames: { readonly [name: string]: string } = {
  bash: 'sh',
  'c++': 'cpp',
  golang: 'go',
  javascript: 'js',
  shell: 'sh',
  text: 'txt',
};

/** The types that are probably meant: those that have this ending, then those whose names begin so. */
function nearTypes(type: string): string {
  const lower = type.toLowerCase().replace(/^[*.]+/, '');
  if (lower === '') return '; types are ts, py, rust and the like';
  const wanted = Object.hasOwn(otherNames, lower) ? (otherNames[lower] ?? lower) : lower;
  const types = Object.entries(fileTypes);
  const byEnding = types.filter(([, globs]) => globs.split(' ').includes(`*.${wanted}`));
  const byName = types.filter(([name]) => name.startsWith(wanted) || (name.length > 2 && wanted.startsWith(name)));
  const near = [...new Map([...byEnding, ...byName])];
  if (near.length === 0) return '; use a glob instead, such as *.ext';
  return `; near it are ${near
    .map(([name]) => name)
    .slice(0, 6)
    .join(', ')}`;
}

function globFilter(asked: string, root: string): Filter | Refusal {
  const isNegated = asked.startsWith('!');
  const glob = wholePath(isNegated ? asked.slice(1) : asked, root);
  const tokens = parseGlob(glob, 'asked');
  if ('problem' in tokens) return { refused: `${JSON.stringify(asked)} is no glob: ${tokens.problem}` };
  const expression = new RegExp(`^(?:${compileGlob(tokens, false)})$`, 'su');
  if (isNegated) return { accepts: (path) => !withFolders(path).some((part) => expression.test(part)) };
  const name = nameOf(glob);
  return { accepts: (path) => expression.test(path), ...(isPlainName(name) && { names: [name] }) };
}

/** The glob over paths from the root on: one without a slash holds at any depth, one that ends with a slash for all in a folder. */
function wholePath(glob: string, root: string): string {
  const inside = glob.startsWith(`${root}/`) ? glob.slice(root.length) : glob;
  const body = inside.replace(/\/+$/, '');
  const anchored = body.includes('/') ? body.replace(/^(?:\.?\/+)+/, '') : `**/${body}`;
  return body === inside ? anchored : `${anchored}/**`;
}

/** The path and the folders that it lies in. */
function withFolders(path: string): string[] {
  const steps = path.split('/');
  return steps.map((_, index) => steps.slice(0, index + 1).join('/'));
}

/** Names for which every reader of globs means the same. */
function isPlainName(name: string): boolean {
  return /^(?:[\w.*+@-]|\{[\w.*-]+(?:,[\w.*-]+)*\})+$/.test(name) && !name.includes('**');
}
