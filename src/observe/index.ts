/** The door of observe. */
export { labelOf, type Label } from './label.ts';
export { layersOf, shareOut, weightOf, type SentLayer } from './sent-layers.ts';
export { PieceReader, type Piece, type PieceKind, type SentPart } from './sent-pieces.ts';
