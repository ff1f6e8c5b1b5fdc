/** Which processes belong to a command, with and without a namespace around it. */
import { descendants, hasInEnvironment, listProcesses, youngestProcess, type ProcessEntry } from './table.ts';

/**
 * What a command without a namespace has started: its process group and session, everything below them, and what carries the
 * command's mark in its environment (children that left group and parent). What cleared its environment *and* left all three is not found.
 * `watch`: the process of Reins's own among them, which isn't meant.
 */
export function markedProcesses(leader: number, mark: string, watch: number | undefined): ProcessEntry[] {
  const known = new Set([leader, ...(watch === undefined ? [] : [watch])]);
  const found: ProcessEntry[] = [];
  const candidates = startedSince(leader);
  for (let last = -1; last !== found.length;) {
    last = found.length;
    for (const entry of candidates) {
      if (known.has(entry.pid)) continue;
      const belongs = entry.group === leader || entry.session === leader || known.has(entry.parent);
      if (!belongs && !hasInEnvironment(entry.pid, mark)) continue;
      known.add(entry.pid);
      found.push(entry);
    }
  }
  return found;
}

/** Processes numbered after the leader: only these can be its own, unless the numbers have started anew. */
function startedSince(leader: number): ProcessEntry[] {
  const youngest = youngestProcess();
  return listProcesses(youngest === undefined || youngest < leader ? 0 : leader);
}

/** The relay that leads out of a sandbox isn't the command's: it goes on as long as the sandbox does. */
const relayName = 'egress-relay';

/** What runs in the namespace that a sandbox program has made, without the program's own parts (itself, its first process and the supervising shell). */
export function enclosedProcesses(sandbox: number): ProcessEntry[] {
  const inside = descendants(listProcesses(), sandbox).filter(({ name }) => name !== relayName);
  const first = inside.find(({ parent }) => parent === sandbox);
  const shell = inside.find(({ parent }) => parent === first?.pid);
  return inside.filter(({ pid }) => pid !== first?.pid && pid !== shell?.pid);
}

/**
 * Whether all of a command has stopped itself, so that nothing of it can go on: its supervisor, or else everything but that. `leader`:
 * the supervisor, or the sandbox program around it. `watch`: given where there is no sandbox.
 */
export function isStalled(leader: number, watch: number | undefined): boolean {
  const all = startedSince(leader - 1);
  const inside = descendants(all, leader).filter(({ name }) => watch !== undefined || name !== relayName);
  const first = watch ?? inside.find(({ parent }) => parent === leader)?.pid;
  const supervisor =
    watch === undefined ? inside.find(({ parent }) => parent === first) : all.find(({ pid }) => pid === leader);
  const others = inside.filter(({ pid }) => pid !== first && pid !== supervisor?.pid);
  if (supervisor === undefined || !others.every(({ isStopped }) => isStopped)) return false;
  return supervisor.isStopped || others.length > 0;
}

/** Sends a signal to processes that may have ended meanwhile. */
export function signalAll(entries: ProcessEntry[], signal: NodeJS.Signals): void {
  for (const { pid } of entries) sendSignal(pid, signal);
}

/** Sends a signal to a process, or to a group when the number is negative. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended by itself, or took another user's identity, over which we have no power: both are told by who is left.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
