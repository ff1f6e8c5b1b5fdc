/** The inner door to instruction files. */
export type { LeftOut, Place } from './find.ts';
export { Instructions, type InstructionOptions, type News, type Standing } from './instructions.ts';
