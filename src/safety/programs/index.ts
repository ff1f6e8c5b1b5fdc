/** The table of programs: what a simple command would do. */
export { isHarmlessVariable, tellsPrograms } from './assignments.ts';
export { beginning, beginsCommand, isOneWord } from './options.ts';
export { describe } from './describe.ts';
export type { Findings, Input, Invocation, Place, Redirection, Word } from './invocation.ts';
