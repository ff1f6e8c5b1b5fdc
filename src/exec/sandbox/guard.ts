/**
 * Puts back what must stay as it is in a workspace where no layer can keep commands from it: Landlock’s rules only add up, so below a
 * writable folder nothing can be left out. What is there is remembered before a command and put back after it. Everything goes
 * through folders that are held open, so that a command which still runs can’t lead us elsewhere by links.
 */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, relative } from 'node:path';
import { isWithin, statusOf } from '../paths.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/** O_PATH of Linux, on all machines that the helper is built for: Node has no name for it. */
const onlyPath = 0o10000000;

/** More than this in what is protected is no longer held in memory. */
const mostBytes = 16 * 1024 * 1024;
const mostEntries = 4000;

type Node =
  | { kind: 'file'; bytes: Buffer; mode: number }
  | { kind: 'link'; target: string }
  | { kind: 'folder'; entries: Map<string, Node> };

interface Budget {
  bytes: number;
  entries: number;
}

export class Guard {
  readonly #root: string;
  readonly #kept: { path: string; node: Node }[];

  /** Remembers paths below a root that no command can replace. Throws where they hold too much. */
  constructor(root: string, paths: readonly string[]) {
    this.#root = root;
    const budget = { bytes: mostBytes, entries: mostEntries };
    const outer = paths.filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));
    this.#kept = outer
      .filter((path) => isWithin(path, root))
      .flatMap((path) => {
        const node = look(path, budget);
        return node === undefined ? [] : [{ path, node }];
      });
  }

  /** Gives the paths that were changed and are now as before. */
  restore(): string[] {
    return this.#kept.filter(({ path, node }) => this.#putBack(path, node)).map(({ path }) => path);
  }

  #putBack(path: string, node: Node): boolean {
    const steps = relative(this.#root, dirname(path)).split('/').filter(Boolean);
    const held = [openFolder(this.#root)];
    try {
      for (const step of steps) held.push(enter(at(held), step));
      return settle(at(held), path.slice(path.lastIndexOf('/') + 1), node);
    } finally {
      for (const descriptor of held) closeSync(descriptor);
    }
  }
}

const at = (held: number[]): string => `/proc/self/fd/${held.at(-1)}`;

function openFolder(path: string): number {
  return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

/** Opens a folder of a folder; what isn't one by now is put aside, and one that was closed to us is opened. */
function enter(folder: string, name: string): number {
  const path = `${folder}/${name}`;
  const status = statusOf(path);
  if (status?.isDirectory() !== true) {
    putAside(folder, name);
    mkdirSync(path);
  } else if ((status.mode & 0o700) !== 0o700) openUp(path);
  return openFolder(path);
}

/** Of this very folder, whatever takes its place meanwhile. */
function openUp(path: string): void {
  const descriptor = openSync(path, onlyPath | O_DIRECTORY | O_NOFOLLOW);
  try {
    chmodSync(`/proc/self/fd/${descriptor}`, 0o755);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes an entry what it was; says whether it was anything else. */
function settle(folder: string, name: string, node: Node): boolean {
  const path = `${folder}/${name}`;
  if (node.kind === 'folder') return settleFolder(folder, name, node.entries);
  const status = statusOf(path);
  if (node.kind === 'link') {
    if (status?.isSymbolicLink() === true && readlinkSync(path) === node.target) return false;
    putAside(folder, name);
    symlinkSync(node.target, path);
    return true;
  }
  if (status?.isFile() === true && (status.mode & 0o7777) === node.mode && readPlain(path)?.equals(node.bytes) === true)
    return false;
  putAside(folder, name);
  const descriptor = openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, node.mode);
  writeFileSync(descriptor, node.bytes);
  closeSync(descriptor);
  return true;
}

function settleFolder(parent: string, name: string, entries: Map<string, Node>): boolean {
  const wasFolder = statusOf(`${parent}/${name}`)?.isDirectory() === true;
  const descriptor = enter(parent, name);
  try {
    const folder = at([descriptor]);
    const foreign = readdirSync(folder).filter((entry) => !entries.has(entry));
    // Beside the folder and not in it, where a program of that name would still be run.
    for (const entry of foreign) putAside(folder, entry, parent);
    const changed = [...entries].filter(([entry, node]) => settle(folder, entry, node));
    return !wasFolder || foreign.length > 0 || changed.length > 0;
  } finally {
    closeSync(descriptor);
  }
}

/** Takes what is there out of the way: a file or link for good, a folder under another name. */
function putAside(folder: string, name: string, to = folder): void {
  const status = statusOf(`${folder}/${name}`);
  if (status === undefined) return;
  if (status.isDirectory()) renameSync(`${folder}/${name}`, `${to}/.removed-${randomUUID()}`);
  else unlinkSync(`${folder}/${name}`);
}

function readPlain(path: string): Buffer | undefined {
  try {
    const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined; // it isn't what it was, then
  }
}

function look(path: string, budget: Budget): Node | undefined {
  const status = statusOf(path);
  if (status === undefined) return undefined;
  budget.entries -= 1;
  budget.bytes -= status.isFile() ? status.size : 0;
  if (budget.entries < 0 || budget.bytes < 0) throw new Error(`${path} holds too much to be watched`);
  if (status.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) };
  if (status.isFile()) return { kind: 'file', bytes: readFileSync(path), mode: status.mode & 0o7777 };
  if (!status.isDirectory()) throw new Error(`${path} is neither a file nor a folder`);
  const entries = readdirSync(path).flatMap((name) => {
    const node = look(`${path}/${name}`, budget);
    return node === undefined ? [] : [[name, node] as const];
  });
  return { kind: 'folder', entries: new Map(entries) };
}
