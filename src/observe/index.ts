/** The door of observe. */
export { labelOf, type Label } from './label.ts';
export { exportFormats, type ExportFormat } from './export-formats.ts';
export { loadExports } from './on-demand.ts';
export { layersOf, shareOut, weightOf, type SentLayer } from './sent-layers.ts';
export { PieceReader, type Piece, type PieceKind, type SentPart } from './sent-pieces.ts';
