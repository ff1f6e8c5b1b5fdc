/** The door of programs: which commands check what. */
export { commandsOf } from './command-line.ts';
export { memberFolders, scriptsHash, scriptsOf } from './package-scripts.ts';
export { settingOptions } from './options.ts';
export { isAbout, proofOf, type Judgement, type Proof } from './proof.ts';
export { programs, sourceFiles, testFiles, type CheckProgram } from './table.ts';
