/** What is in files that aren't plain text, made fit for a model. */
export type { Fitted, Library, Size } from './fit.ts';
export { fitImage, measure, type ImageOptions, type ImageReport } from './image.ts';
export { anyCommands, binaryKindOf, imageTypeOf, isPdf, type BinaryKind, type ImageType } from './kinds.ts';
export { parseNotebook, type Cell, type Notebook, type Output } from './notebook.ts';
export { readPdf, type PdfText } from './pdf.ts';
