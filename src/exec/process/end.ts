/** Ends what a command has started, all of it, within a bounded time. */
import type { Launch } from './launch.ts';
import { enclosedProcesses, markedProcesses, sendSignal, signalAll } from './members.ts';
import { childrenOf, isRunning, type ProcessEntry } from './table.ts';

/** Milliseconds between the polite signal and the one that can't be refused. */
const grace = 1000;
/** Milliseconds that background processes get when the command itself has ended by itself. */
const leftoverGrace = 200;
/** Milliseconds in which what is about to end anyway may do so. */
const settling = 150;
/** Milliseconds to wait for what the kernel has been told to kill. */
const lastWait = 2000;
const poll = 10;

/** How a launch is bounded: by a namespace that ends with it, or by group, descent and a mark in the environment. */
export type Bounds = { enclosed: true } | { enclosed: false; mark: string };

export interface Ended {
  /** Names of the processes that were ended. */
  names: string[];
  /** Names of those that could not be. */
  survivors: string[];
}

/** Ends a launch in mid-run. Resolves when everything is gone, or after a bounded time. */
export async function endLaunch(launch: Launch, bounds: Bounds): Promise<Ended> {
  const members = membersOf(launch, bounds);
  const names = namesOf(members);
  signalAll(members, 'SIGTERM');
  // What has stopped gets no other signal before it goes on.
  signalAll(members, 'SIGCONT');
  if (launch.pid !== undefined) sendSignal(-launch.pid, 'SIGCONT');
  const isGone = await within(
    grace,
    () => !launch.alive && (bounds.enclosed || membersOf(launch, bounds).length === 0),
  );
  // A look at the processes can miss one that is just being forked; a signal to the group can't.
  if (isGone) killGroup(launch);
  return isGone ? { names, survivors: [] } : { names, survivors: await kill(launch, bounds) };
}

function killGroup({ pid }: Launch): void {
  if (pid !== undefined) sendSignal(-pid, 'SIGKILL');
}

/** Ends a launch at once. Gives the names of what withstood. */
export async function kill(launch: Launch, bounds: Bounds): Promise<string[]> {
  if (launch.pid === undefined) return [];
  // The namespace ends with its first process, a moment after the program around it, and that one only when all others are gone.
  const first = bounds.enclosed && launch.alive ? childrenOf(launch.pid) : [];
  killGroup(launch);
  const isGone = await within(lastWait, () => {
    const members = bounds.enclosed ? first.filter(({ pid }) => isRunning(pid)) : membersOf(launch, bounds);
    // Again and again: what forks while it is being killed leaves a child that the last look didn't see.
    signalAll(members, 'SIGKILL');
    return !launch.alive && members.length === 0;
  });
  return isGone ? [] : namesOf(membersOf(launch, bounds));
}

/** Ends what a command without a namespace left running after its own end. */
export async function endLeftovers(launch: Launch, bounds: Bounds): Promise<Ended> {
  const none: Ended = { names: [], survivors: [] };
  if (bounds.enclosed || membersOf(launch, bounds).length === 0) return none;
  if (await within(settling, () => membersOf(launch, bounds).length === 0)) return none;
  const members = membersOf(launch, bounds);
  signalAll(members, 'SIGTERM');
  signalAll(members, 'SIGCONT');
  const isGone = await within(leftoverGrace, () => membersOf(launch, bounds).length === 0);
  killGroup(launch);
  return { names: namesOf(members), survivors: isGone ? [] : await kill(launch, bounds) };
}

function membersOf(launch: Launch, bounds: Bounds): ProcessEntry[] {
  if (launch.pid === undefined) return [];
  if (!bounds.enclosed) return markedProcesses(launch.pid, bounds.mark, launch.watch);
  return launch.alive ? enclosedProcesses(launch.pid) : [];
}

function namesOf(entries: ProcessEntry[]): string[] {
  return [...new Set(entries.map(({ name }) => name))];
}

/** Looks again and again until something holds or the time is over. */
async function within(milliseconds: number, holds: () => boolean): Promise<boolean> {
  const end = performance.now() + milliseconds;
  for (;;) {
    if (holds()) return true;
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, poll));
  }
}
