/** The inner door to processes. */
export { endLaunch, endLeftovers, kill, type Bounds, type Ended } from './end.ts';
export { Launch } from './launch.ts';
export { isStalled, sendSignal } from './members.ts';
export { Pipes } from './pipes.ts';
export { findShell, supervisorArguments } from './supervisor.ts';
export { connect, disconnect, type Input } from './wires.ts';
export { tasksOfMachine, Usage, type Bound } from './usage.ts';
export { isAlive, startOf } from './table.ts';
