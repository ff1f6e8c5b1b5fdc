/** The inner door to sandboxes. */
import { createBubblewrap, type BubblewrapOptions } from './bubblewrap.ts';
import { createNoSandbox } from './none.ts';
import type { Sandbox } from './sandbox.ts';

export type { Obstacle, Passage, Sandbox, SandboxReport } from './sandbox.ts';
export { makePrivateFolder, removeScratch } from './scratch.ts';

export interface SandboxOptions extends BubblewrapOptions {
  kind: 'bubblewrap' | 'none';
}

/** A sandbox for one workspace. Whether it works here is told by its `probe`. */
export function createSandbox({ kind, ...options }: SandboxOptions): Sandbox {
  return kind === 'none' ? createNoSandbox(options) : createBubblewrap(options);
}
