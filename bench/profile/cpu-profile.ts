/** Reads a CPU profile of V8: what ran in some windows of time, by function and by the module that it came from. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

interface CpuProfile {
  nodes: ProfileNode[];
  /** Microseconds of the monotonic clock. */
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

/** From and to, in microseconds of the monotonic clock. */
export type Window = [number, number];

export interface Spent {
  name: string;
  /** Milliseconds in it alone, and with everything that it called. */
  self: number;
  total: number;
}

export interface Analysis {
  /** Milliseconds in all windows together, and how much of it the program waited. */
  elapsed: number;
  idle: number;
  functions: Spent[];
  modules: Spent[];
}

interface Frame {
  name: string;
  module: string;
}

/** One profile of a run, and the windows of that run that count. */
export interface Recording {
  file: string;
  windows: Window[];
}

/** The sum over all recordings. */
export function analyse(recordings: Recording[]): Analysis {
  const sum: Sum = { elapsed: 0, idle: 0, functions: new Tally(), modules: new Tally() };
  for (const recording of recordings) add(sum, recording);
  const { elapsed, idle, functions, modules } = sum;
  return { elapsed, idle, functions: functions.sorted(), modules: modules.sorted() };
}

interface Sum {
  elapsed: number;
  idle: number;
  functions: Tally;
  modules: Tally;
}

function add(sum: Sum, { file, windows }: Recording): void {
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const places = new Places();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const stacks = new Map<number, Frame[]>();
  const stackOf = (id: number): Frame[] => {
    const known = stacks.get(id);
    if (known !== undefined) return known;
    const node = nodes.get(id);
    const parent = parents.get(id);
    const above = parent === undefined ? [] : stackOf(parent);
    const stack = node === undefined ? above : [places.frameOf(node.callFrame), ...above];
    stacks.set(id, stack);
    return stack;
  };
  let at = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    at += profile.timeDeltas[index] ?? 0;
    const spent = within(windows, at, at + (profile.timeDeltas[index + 1] ?? 0)) / 1000;
    if (spent === 0) continue;
    sum.elapsed += spent;
    const stack = stackOf(id);
    if (stack[0]?.name === '(idle)') sum.idle += spent;
    sum.functions.add(
      stack.map(({ name, module }) => `${name} ${module}`),
      spent,
    );
    sum.modules.add(
      stack.map(({ module }) => module),
      spent,
    );
  }
}

/** How much of a span lies in the windows. */
function within(windows: Window[], from: number, to: number): number {
  return windows.reduce((sum, [start, end]) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)), 0);
}

class Tally {
  readonly #spent = new Map<string, Spent>();

  /** The names of a stack, the innermost first. */
  add(stack: string[], milliseconds: number): void {
    for (const name of new Set(stack)) {
      const spent = this.#spent.get(name) ?? { name, self: 0, total: 0 };
      spent.total += milliseconds;
      this.#spent.set(name, spent);
    }
    const innermost = this.#spent.get(stack[0] ?? '');
    if (innermost !== undefined) innermost.self += milliseconds;
  }

  sorted(): Spent[] {
    return [...this.#spent.values()].toSorted((a, b) => b.self - a.self);
  }
}

/** The bundle names the source of each part of it in a comment in front of that part. */
class Places {
  readonly #marks = new Map<string, { line: number; source: string }[]>();

  frameOf({ functionName, url, lineNumber }: ProfileNode['callFrame']): Frame {
    const name = functionName || (url === '' ? '' : '(top level)');
    if (!url.startsWith('file:')) return { name, module: url || '(engine)' };
    const marks = this.#marksOf(url);
    const source = marks.findLast(({ line }) => line <= lineNumber)?.source;
    return { name, module: source ?? url.slice(url.lastIndexOf('/') + 1) };
  }

  #marksOf(url: string): { line: number; source: string }[] {
    const known = this.#marks.get(url);
    if (known !== undefined) return known;
    const lines = readFileSync(fileURLToPath(url), 'utf8').split('\n');
    const marks = lines.flatMap((text, line) => {
      const source = /^\s*\/\/ ((?:src|node_modules)\/\S+)$/.exec(text)?.[1];
      return source === undefined ? [] : [{ line, source }];
    });
    this.#marks.set(url, marks);
    return marks;
  }
}
