/** The way of a call, one step a file, in this order (docs/tools.md). */
export { createCalls, type ReadyCalls } from './way.ts';
export { shownAsData } from './content.ts';
export type { CallsOptions } from './options.ts';
export type { CallHook, HookedCall } from './hooks.ts';
