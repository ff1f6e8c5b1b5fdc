/** The edit engine: exact replacement on the bytes of a file, every other byte kept. */
export { applyEdits, type Replacement } from './apply.ts';
export { findText, linesAt, lineSpans, lineText, openDocument, textOf, type TextDocument } from './document.ts';
export type { Span } from './match.ts';
export { linesAround, type EditPlace } from './places.ts';
export { replaceSpans, type Replaced } from './replace.ts';
export {
  applyHunks,
  excerptOf,
  isProblem,
  linesOfDocument,
  parsePatch,
  replaceLines,
  type FileLines,
  type LineReplacement,
  type Operation,
} from './patch/index.ts';
export { lineName, tagOf } from './tags.ts';
