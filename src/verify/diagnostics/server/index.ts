/** The inner door to language servers. */
export { LanguageServer, type ServerSettings } from './language-server.ts';
export type { Program, StartProgram } from './program.ts';
