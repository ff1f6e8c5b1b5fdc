/** The inner door to undo. */
export { sessionDiff, type SessionDiff } from './diff.ts';
export { rewindToTurn, type RewindOptions } from './rewind.ts';
export {
  redoSession,
  undoableTurns,
  undoSession,
  type RedoOptions,
  type UndoableTurn,
  type UndoOptions,
  type UndoReport,
} from './undo.ts';
