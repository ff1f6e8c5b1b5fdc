/** The inner door to globs: those that a call gives, and those of ignore files. */
export { compileGlob } from './compile.ts';
export { parseGlob, type GlobToken } from './parse.ts';
