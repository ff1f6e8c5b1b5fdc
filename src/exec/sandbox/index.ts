/** The inner door to sandboxes. */
import { createBubblewrap } from './bubblewrap.ts';
import type { SandboxParts } from './session-ground.ts';
import { chooseSandbox as choose, type Chosen } from './choose.ts';
import { createNoSandbox } from './none.ts';
import type { Sandbox, SandboxName } from './sandbox.ts';

export { bytesText } from './limits.ts';
export type { Chosen } from './choose.ts';
export type { CommandEnd, Obstacle, Passage, Sandbox, SandboxName, SandboxReport } from './sandbox.ts';
export { makePrivateFolder, removeScratch } from './scratch.ts';

export interface SandboxOptions extends SandboxParts {
  kind: 'bubblewrap' | 'none';
}

/** A sandbox for one workspace. Whether it works here is told by its `probe`. */
export function createSandbox({ kind, ...options }: SandboxOptions): Sandbox {
  return kind === 'none' ? createNoSandbox(options) : createBubblewrap(options);
}

/** The same for all kinds; those that are rarely used are loaded when they are. */
export async function loadSandbox({ kind, ...options }: SandboxParts & { kind: SandboxName }): Promise<Sandbox> {
  if (kind === 'landlock') return (await import('./landlock.ts')).createLandlock(options);
  if (kind === 'seatbelt') return (await import('./seatbelt.ts')).createSeatbelt(options);
  return createSandbox({ kind, ...options });
}

/** The tightest sandbox of this machine that works for a workspace, and what was seen of it; else none, and why. */
export function chooseSandbox(options: SandboxParts): Promise<Chosen> {
  return choose(options, (kind) => loadSandbox({ ...options, kind }));
}
