/** The inner door to undo. */
export { sessionDiff } from './diff.ts';
export { rewindToTurn, type RewindOptions } from './rewind.ts';
export {
  redoSession,
  undoableTurns,
  undoSession,
  type UndoableTurn,
  type UndoOptions,
  type UndoReport,
} from './undo.ts';
