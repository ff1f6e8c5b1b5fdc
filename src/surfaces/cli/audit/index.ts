/** The door of the audit as people and spreadsheets see it; loaded with its command alone. */
export { auditLines, chainLines } from './lines.ts';
export { auditTable, cellOf } from './table.ts';
