/** The inner door to instruction files. */
export type { LeftOut, Place } from './find.ts';
export { inForce } from './in-force.ts';
export { Instructions, type InstructionOptions, type News, type Standing } from './instructions.ts';
export { slotsFor } from './names.ts';
