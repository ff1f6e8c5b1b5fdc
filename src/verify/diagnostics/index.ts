/** The inner door to diagnostics. */
export { createDiagnostics, type Diagnostics, type DiagnosticsOptions } from './diagnostics.ts';
export type { Program, StartProgram } from './server/index.ts';
