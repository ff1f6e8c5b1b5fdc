/** The door of the model server. */
export { startModelServer, type ModelServer } from './server.ts';
export { type Answer, type Handler, type Refusal, type ServiceOptions as ModelServerOptions } from './service.ts';
export type { RecordedRequest, RequestOutcome } from './record.ts';
export type { Hold } from './holds.ts';
export type { PrefixBreak } from './prefix.ts';
export { serveRecording } from './recording.ts';
