/** The door of compaction: the summary of older turns, by a model where one can be asked. */
export { summariserFor } from './summariser.ts';
