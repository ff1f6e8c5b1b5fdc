/** The processes of this machine, as far as they can be seen. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** A signal has stopped it (SIGSTOP and its kin), and only another one lets it go on. */
  isStopped: boolean;
  /** The kernel's short name, at most 15 bytes, with only plain characters left. */
  name: string;
}

/** All processes that haven't ended yet and whose number is above `after`. */
export function listProcesses(after = 0): ProcessEntry[] {
  const pids = processIds();
  if (pids === undefined) return listByCommand();
  return pids.filter((pid) => pid > after).flatMap((pid) => readProcess(pid) ?? []);
}

function processIds(): number[] | undefined {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return undefined; // no /proc here: macOS
  }
}

function readProcess(pid: number): ProcessEntry | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined; // it ended meanwhile
  }
  // The name may hold anything, spaces and brackets too: the fields begin after the last bracket.
  const nameEnd = text.lastIndexOf(')');
  const [state, parent, group, session] = text.slice(nameEnd + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const name = plainName(text.slice(text.indexOf('(') + 1, nameEnd));
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    isStopped: state === 'T',
    name,
  };
}

/** What a process is called, harmless to show. */
export function plainName(name: string): string {
  return name.replace(/[^\w.+@:-]/g, '_').slice(0, 15) || 'unnamed';
}

function listByCommand(): ProcessEntry[] {
  const table = execFileSync('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,comm='], { encoding: 'latin1' });
  return table.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, path] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (path === undefined || state?.startsWith('Z')) return [];
    const name = plainName(path.slice(path.lastIndexOf('/') + 1));
    // This table has no session that could be compared; the group stands in for it.
    const ids = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group) };
    return { ...ids, isStopped: state?.startsWith('T') === true, name };
  });
}

/** The processes that descend from one, without itself, parents before children. */
export function descendants(table: ProcessEntry[], root: number): ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings === undefined) children.set(entry.parent, [entry]);
    else siblings.push(entry);
  }
  const found = [...(children.get(root) ?? [])];
  const seen = new Set([root]);
  // Grows while it is gone through; a number that is given anew meanwhile could make a circle.
  for (const { pid } of found) {
    if (seen.has(pid)) continue;
    seen.add(pid);
    for (const child of children.get(pid) ?? []) if (!seen.has(child.pid)) found.push(child);
  }
  return found;
}

/** The processes that one has started and that are not over. */
export function childrenOf(parent: number): ProcessEntry[] {
  return listProcesses().filter((entry) => entry.parent === parent);
}

/** Whether there is a process of this number that isn't over. */
export function isRunning(pid: number): boolean {
  return readProcess(pid) !== undefined;
}

/** The number of the youngest process of this machine; undefined where it can't be told. */
export function youngestProcess(): number | undefined {
  try {
    return Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1));
  } catch {
    return undefined; // no /proc here
  }
}

/** Whether this is a process whose environment (as it was at its start) holds a text. */
export function hasInEnvironment(pid: number, text: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(text);
  } catch {
    return false; // it ended meanwhile, or belongs to someone else
  }
}

/** When a process started, in ticks since the machine did; '0' when there is none of this number. */
export function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
  } catch {
    return '0'; // no such process
  }
}

/** Whether there is such a process, of whatever user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
