/** Memory of a process and everything it started, and the processor time that it took, read from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

export interface TreeMemory {
  /** Greatest sum of the resident memory of all processes, in MB. */
  tree: number;
  /** Greatest resident memory of the first process alone, in MB, as the kernel kept it. */
  main: number;
  /** The most processes at once. */
  processes: number;
}

export interface Watch {
  peak: TreeMemory;
  stop(): void;
}

/** Other systems have no /proc. */
export const canSample = process.platform === 'linux';

/**
 * Samples until it is stopped. A process counts from the second sample on that sees it: between its fork and its exec a child
 * seems to hold all the memory of its parent, which it only shares.
 */
export function watchTree(pid: number, interval = 10): Watch {
  const peak: TreeMemory = { tree: 0, main: 0, processes: 0 };
  let seen = new Set<number>();
  const sample = () => {
    const family = familyOf(pid);
    const counted = [...family].filter((member) => member === pid || seen.has(member));
    seen = family;
    const memories = counted.map((member) => memoryOf(member, 'VmRSS'));
    peak.tree = Math.max(
      peak.tree,
      memories.reduce((sum, memory) => sum + memory, 0),
    );
    peak.main = Math.max(peak.main, memoryOf(pid, 'VmHWM'));
    peak.processes = Math.max(peak.processes, counted.length);
  };
  const timer = setInterval(sample, interval);
  sample();
  return { peak, stop: () => clearInterval(timer) };
}

/**
 * Milliseconds that the threads of a process, its children left out, have been on a processor: unlike the time that passes, it
 * hardly depends on what else the machine does. NaN where it can't be read.
 */
export function processorTime(pid: number): number {
  if (!canSample) return NaN;
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) => Number((read(`/proc/${pid}/task/${thread}/schedstat`) ?? '0').split(' ')[0]));
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}

function familyOf(root: number): Set<number> {
  const parents = readdirSync('/proc').flatMap((name): [number, number][] => {
    const parent = /^\d+$/.test(name) ? parentOf(name) : undefined;
    return parent === undefined ? [] : [[Number(name), parent]];
  });
  const family = new Set([root]);
  // Ids are handed out in order only until they wrap: go on until nobody is added.
  for (let before = 0; before < family.size;) {
    before = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  return family;
}

function parentOf(name: string): number | undefined {
  const text = read(`/proc/${name}/stat`);
  // The name of the program may hold anything; behind it come the state and the parent.
  return text === undefined ? undefined : Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
}

/** In MB; 0 when the process has ended meanwhile. */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const found = new RegExp(`${field}:\\s+(\\d+) kB`).exec(read(`/proc/${pid}/status`) ?? '');
  return Number(found?.[1] ?? 0) / 1024;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined; // the process has ended meanwhile
  }
}
