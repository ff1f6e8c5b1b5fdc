/** The inner door to diagnostics. */
export { createDiagnostics, type Diagnostics, type DiagnosticsOptions } from './diagnostics.ts';
export type { Program } from './server/index.ts';
