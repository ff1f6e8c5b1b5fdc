/** The inner door to processes. */
export { endLaunch, endLeftovers, kill, type Bounds, type Ended } from './end.ts';
export { Launch } from './launch.ts';
export { findShell, supervisorArguments } from './supervisor.ts';
