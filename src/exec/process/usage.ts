/** What a command uses of the machine, looked at from outside, cheaply as long as the machine as a whole has enough. */
import { readFileSync } from 'node:fs';
import { descendants, listProcesses } from './table.ts';

export interface Bound {
  /** Bytes of all processes together. */
  memory: number;
  processes: number;
}

interface Machine {
  /** Processes and threads of all users. */
  tasks: number;
  /** Bytes. */
  total: number;
  available: number;
}

/** Bytes of a page: the same on all machines that are looked at like this, but for some with larger ones, where less is counted. */
const pageBytes = 4096;
/** The part of the machine's memory that has to be left. */
const reserve = 0.05;
/** Below this part of the machine's memory, a bound is looked at closely each so many times. */
const smallShare = 0.25;
const closeLook = 5;

export class Usage {
  readonly #bound: Bound;
  readonly #atBegin = lookAtMachine();
  #looks = 0;

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  /** Which bound a command is beyond by now; `leader` is the process that all of its own descend from. */
  exceeded(leader: number): keyof Bound | undefined {
    const before = this.#atBegin;
    const now = lookAtMachine();
    if (before === undefined || now === undefined) return undefined;
    const { memory, processes } = this.#bound;
    const taken = before.available - now.available;
    // What others began or ended meanwhile is in these numbers too: they only say whether to look closer.
    const isShort = now.available < now.total * reserve;
    this.#looks += 1;
    // Small bounds drown in them.
    const isDue = memory < now.total * smallShare && this.#looks % closeLook === 0;
    const isLarge = taken > memory / 2 || isShort || isDue;
    if (now.tasks - before.tasks <= processes / 2 && !isLarge) return undefined;
    const own = descendants(listProcesses(), leader);
    if (own.length > processes) return 'processes';
    if (!isLarge) return undefined;
    // What no process has for itself (files in memory, say) shows only in what the machine has left.
    if (isShort && taken > memory / 2) return 'memory';
    return own.reduce((sum, { pid }) => sum + ownBytes(pid), 0) > memory ? 'memory' : undefined;
  }
}

/** Processes and threads of all users; where that can't be told, so many that it is no bound. */
export function tasksOfMachine(): number {
  return lookAtMachine()?.tasks ?? 100_000;
}

/** Memory that a process shares with nobody. */
function ownBytes(pid: number): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number);
    return Math.max(0, resident - shared) * pageBytes;
  } catch {
    return 0; // it ended meanwhile
  }
}

function lookAtMachine(): Machine | undefined {
  try {
    const memory = readFileSync('/proc/meminfo', 'latin1');
    const tasks = Number(readFileSync('/proc/loadavg', 'latin1').split(' ')[3]?.split('/')[1]);
    const [total, available] = ['MemTotal', 'MemAvailable'].map((name) => kibibytes(memory, name) * 1024);
    return total === undefined || available === undefined ? undefined : { tasks, total, available };
  } catch {
    return undefined; // no /proc here
  }
}

function kibibytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]);
}
