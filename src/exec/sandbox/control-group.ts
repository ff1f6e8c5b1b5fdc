/**
 * A control group in which the kernel bounds how many processes there are. For root alone: others are bounded by a limit of their
 * own, which the kernel doesn't apply to root, and have no right to make one.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../process/index.ts';

/** Where the controller of processes is found: in the one tree of version 2, or in a tree of its own. */
const roots = ['/sys/fs/cgroup', '/sys/fs/cgroup/pids'];
const groupName = /^reins-(\d+)-/;

interface ControlGroup {
  /** In front of a program and its arguments: it and all that it starts belong to the group. */
  around: string[];
  /** Removes it, if nothing is in it any more. */
  remove(): void;
}

/** That of a session: made with the first command, gone with the last. */
export class SessionGroup {
  readonly #tasks: number;
  #group: ControlGroup | null | undefined;

  constructor(tasks: number) {
    this.#tasks = tasks;
  }

  /** What to start instead of a program, so that it belongs to the group; the program itself where there is none. */
  into(program: string, words: string[]): { program: string; arguments: string[] } {
    this.#group ??= makeControlGroup(this.#tasks) ?? null;
    const [first, ...rest] = [...(this.#group?.around ?? []), program, ...words];
    return { program: first ?? program, arguments: rest };
  }

  close(): void {
    this.#group?.remove();
    this.#group = undefined;
  }
}

/** A new one; undefined where none can be made. `tasks`: processes and threads of all commands of a session together. */
function makeControlGroup(tasks: number): ControlGroup | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const root of roots) {
    if (!countsProcesses(root)) continue;
    const folder = join(root, `reins-${process.pid}-${randomUUID().slice(0, 8)}`);
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, 'pids.max'), String(tasks));
      const enter = `echo $$ >"$0" && exec "$@"`;
      return {
        around: ['/bin/sh', '-c', enter, join(folder, 'cgroup.procs')],
        remove: () => removeGroups(root, folder),
      };
    } catch {
      removeGroup(folder); // read-only, in a container: the watch over commands is left
    }
  }
  return undefined;
}

function countsProcesses(root: string): boolean {
  if (root.endsWith('/pids')) return readText(join(root, 'cgroup.procs')) !== undefined;
  return readText(join(root, 'cgroup.subtree_control'))?.split(/\s/).includes('pids') === true;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // there is no such tree here
  }
}

/** It, and those of sessions that were killed before they could. */
function removeGroups(root: string, own: string): void {
  removeGroup(own);
  for (const name of readdirSync(root)) {
    const [, maker] = groupName.exec(name) ?? [];
    if (maker !== undefined && !isAlive(Number(maker))) removeGroup(join(root, name));
  }
}

function removeGroup(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is still in it, or it is gone.
  }
}
