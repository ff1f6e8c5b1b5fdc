/** The joint between notes that outlive a session and what a run shows of them and takes into them. */
export { memoryFor, memoryLayerFor } from './notes.ts';
export type { MemoryReport, MemoryOutcome, MemoryRow } from './desk.ts';
export const loadDesk = () => import('./desk.ts');
