/** The processes of this machine, as far as they can be seen. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  session: number;
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
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), name };
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
    return { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group), name };
  });
}

/** The processes that descend from one, without itself, parents before children. */
export function descendants(table: ProcessEntry[], root: number): ProcessEntry[] {
  const found: ProcessEntry[] = [];
  const seen = new Set([root]);
  for (let last = 0; last < seen.size;) {
    last = seen.size;
    for (const entry of table) {
      if (seen.has(entry.pid) || !seen.has(entry.parent)) continue;
      seen.add(entry.pid);
      found.push(entry);
    }
  }
  return found;
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
