/** Files of a scenario: made from what a case says, looked at afterwards, compared. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { shown } from './scenario-match.ts';
import type { FileExpectation, FileSpec } from './scenario-schema.ts';

/** What stands at a path, without following links or opening pipes. */
export type Entry = { kind: 'file'; bytes: Buffer; mode: number } | { kind: 'link'; to: string } | { kind: 'other' };
export type Tree = Map<string, Entry>;

export function putFiles(root: string, files: { [path: string]: FileSpec }): void {
  for (const [path, spec] of Object.entries(files)) {
    const copies = typeof spec === 'string' ? 1 : (spec.copies ?? 1);
    for (let n = 1; n <= copies; n += 1) putFile(join(root, path.replaceAll('{n}', String(n))), spec);
  }
}

function putFile(path: string, spec: FileSpec): void {
  const parts = typeof spec === 'string' ? { text: spec } : spec;
  if (parts.folder === true) return void mkdirSync(path, { recursive: true });
  mkdirSync(dirname(path), { recursive: true });
  if (parts.link !== undefined) {
    rmSync(path, { force: true });
    return symlinkSync(parts.link, path);
  }
  if (parts.pipe === true) {
    const { status } = spawnSync('mkfifo', [path]);
    if (status !== 0) throw new Error(`mkfifo ${path} failed`);
    return;
  }
  writeFileSync(path, bytesOf(spec));
  if (parts.mode !== undefined) chmodSync(path, Number.parseInt(parts.mode, 8));
}

/** The content that a case gives to a file. */
export function bytesOf(spec: FileSpec): Buffer {
  if (typeof spec === 'string') return Buffer.from(spec, 'utf8');
  if (spec.hex !== undefined) return Buffer.from(spec.hex.replaceAll(' ', ''), 'hex');
  if (spec.bytes !== undefined) return oneByteEach(spec.bytes);
  if (spec.text !== undefined) return Buffer.from(spec.text, 'utf8');
  const { lines = 0, line = '', ends = ['\n'] } = spec;
  const made = Array.from({ length: lines }, (_, index) => {
    return line.replaceAll('{n}', String(index + 1)) + (ends[index % ends.length] ?? '\n');
  });
  return oneByteEach(made.join(''));
}

function oneByteEach(text: string): Buffer {
  if (/[^\0-\xff]/.test(text)) throw new TypeError(`One character a byte: ${shown(text)} has others.`);
  return Buffer.from(text, 'latin1');
}

/** Everything below a folder but what is in `.git`, by path. */
export function readTree(root: string, leave: readonly string[] = []): Tree {
  const tree: Tree = new Map();
  const walk = (folder: string): void => {
    for (const name of readdirSync(join(root, folder)).toSorted()) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (name === '.git' || leave.includes(join(root, path))) continue;
      const status = lstatSync(join(root, path));
      if (status.isDirectory()) walk(path);
      else tree.set(path, entryAt(join(root, path)));
    }
  };
  if (existsSync(root)) walk('');
  return tree;
}

function entryAt(path: string): Entry {
  const status = lstatSync(path);
  if (status.isSymbolicLink()) return { kind: 'link', to: readlinkSync(path) };
  if (!status.isFile()) return { kind: 'other' };
  return { kind: 'file', bytes: readFileSync(path), mode: status.mode & 0o777 };
}

/** What isn't as expected: a tree ends as it began, but for what is said of some files. */
export function treeProblems(before: Tree, after: Tree, expected: { [path: string]: FileExpectation }): string[] {
  const paths = new Set([...before.keys(), ...after.keys(), ...Object.keys(expected)]);
  const problems = [...paths].toSorted().flatMap((path) => {
    const problem = fileProblem(before.get(path), after.get(path), expected[path] ?? 'unchanged');
    return problem === undefined ? [] : [`${path} ${problem}`];
  });
  return problems.length <= mostShown ? problems : [...problems.slice(0, mostShown), `and ${problems.length} in all`];
}

const mostShown = 8;

function fileProblem(
  before: Entry | undefined,
  after: Entry | undefined,
  expected: FileExpectation,
): string | undefined {
  if (expected === 'any') return undefined;
  if (expected === 'absent') return after === undefined ? undefined : `is there: ${described(after)}`;
  if (expected === 'unchanged') return isSame(before, after) ? undefined : unlike(before, after);
  if (expected.is !== undefined) return isAs(expected.is, after) ? undefined : unlike(madeOf(expected.is), after);
  if (after?.kind !== 'file') return `is no file: ${described(after)}`;
  const { replaced, sha256, contains = [], lacks = [] } = expected;
  if (replaced !== undefined) {
    const wanted = { kind: 'file', bytes: withReplacements(before, replaced), mode: after.mode } as const;
    return isSame(wanted, after) ? undefined : unlike(wanted, after);
  }
  const found = createHash('sha256').update(after.bytes).digest('hex');
  if (sha256 !== undefined && found !== sha256) return `has the hash ${found}`;
  const missing = contains.find((text) => !after.bytes.includes(text));
  if (missing !== undefined) return `lacks ${shown(missing)}: ${described(after)}`;
  const present = lacks.find((text) => after.bytes.includes(text));
  return present === undefined ? undefined : `has ${shown(present)}: ${described(after)}`;
}

function isAs(spec: FileSpec, after: Entry | undefined): boolean {
  const wanted = madeOf(spec);
  if (wanted.kind !== 'file' || after?.kind !== 'file') return isSame(wanted, after);
  const modeIsAsked = typeof spec !== 'string' && spec.mode !== undefined;
  return wanted.bytes.equals(after.bytes) && (!modeIsAsked || wanted.mode === after.mode);
}

function madeOf(spec: FileSpec): Entry {
  if (typeof spec !== 'string' && spec.link !== undefined) return { kind: 'link', to: spec.link };
  if (typeof spec !== 'string' && spec.pipe === true) return { kind: 'other' };
  const mode = typeof spec === 'string' ? undefined : spec.mode;
  return { kind: 'file', bytes: bytesOf(spec), mode: Number.parseInt(mode ?? '644', 8) };
}

function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a?.kind === 'file' && b?.kind === 'file') return a.mode === b.mode && a.bytes.equals(b.bytes);
  if (a?.kind === 'link' && b?.kind === 'link') return a.to === b.to;
  return a?.kind === b?.kind;
}

function withReplacements(before: Entry | undefined, pairs: readonly (readonly string[])[]): Buffer {
  if (before?.kind !== 'file') throw new TypeError('Only what was a file before can have parts replaced.');
  let text = before.bytes.toString('latin1');
  for (const [old = '', made = ''] of pairs) {
    const parts = text.split(old);
    if (parts.length !== 2) throw new TypeError(`${shown(old)} stands there ${parts.length - 1} times, not once.`);
    text = parts.join(made);
  }
  return oneByteEach(text);
}

function unlike(wanted: Entry | undefined, found: Entry | undefined): string {
  if (wanted?.kind === 'file' && found?.kind === 'file' && !wanted.bytes.equals(found.bytes)) {
    let at = 0;
    while (at < wanted.bytes.length && wanted.bytes[at] === found.bytes[at]) at += 1;
    const from = Math.max(0, at - 20);
    const part = (bytes: Buffer): string => shown(bytes.subarray(from, at + 60).toString('latin1'));
    const sizes = `${found.bytes.length} bytes instead of ${wanted.bytes.length}`;
    return `differs at byte ${at} (${sizes}): ${part(found.bytes)} instead of ${part(wanted.bytes)}`;
  }
  return `is ${described(found)} instead of ${described(wanted)}`;
}

function described(entry: Entry | undefined): string {
  if (entry === undefined) return 'absent';
  if (entry.kind === 'link') return `a link to ${entry.to}`;
  if (entry.kind === 'other') return 'no file';
  return `a file (${entry.mode.toString(8)}) ${shown(entry.bytes.toString('latin1'))}`;
}
