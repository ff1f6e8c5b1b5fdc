/** The door of compaction: the summary of older turns, by a model where one can be asked. */
export { compactNow, compactSession, type CompactOptions, type CompactReport } from './manual.ts';
export { summariserFor } from './summariser.ts';
