/** The door of the core. */
export * from './decide.ts';
export * from './errors.ts';
export * from './estimate.ts';
export * from './events.ts';
export * from './ledger.ts';
export * from './loop.ts';
export * from './messages.ts';
export * from './ports.ts';
export * from './recorder.ts';
export * from './routing.ts';
export * from './run.ts';
export * from './setup.ts';
export * from './step.ts';
export * from './target.ts';
export * from './tokens.ts';
export * from './transcript.ts';
export * from './view.ts';
export { defaultRules, offeredOutput } from './rules/index.ts';
