/** The door of the exchange: sessions in the formats of others. */
export { exportSession, type ExportOptions, type SessionExport } from './export.ts';
export { importSession, type ImportOptions, type SessionImport } from './import.ts';
