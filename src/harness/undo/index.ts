/** The inner door to undo. */
export { hashIn } from './changes.ts';
export { sessionDiff, type SessionDiff } from './diff.ts';
export { historyIn, type Operation } from './operations.ts';
export { rewindTo, type RewindOptions } from './rewind.ts';
export {
  redoSession,
  undoableTurns,
  undoSession,
  type RedoOptions,
  type UndoableTurn,
  type UndoOptions,
  type UndoReport,
} from './undo.ts';
