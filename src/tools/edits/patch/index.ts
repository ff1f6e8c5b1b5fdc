/** Patches in the `*** Begin Patch` format: read strictly, applied exactly. */
export { applyHunks } from './apply.ts';
export { excerptOf } from './excerpt.ts';
export { linesOfDocument, type FileLines } from './file-lines.ts';
export { replaceLines, type LineReplacement } from './lines.ts';
export { isProblem, type Operation } from './operations.ts';
export { parsePatch } from './parse.ts';
