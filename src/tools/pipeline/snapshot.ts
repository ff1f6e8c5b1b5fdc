/** The workspace as it is right before a call and right after it: what differs is the call's. */
import type { Checkpoints, Effects } from '../needs.ts';
import { messageOf } from '../outcome.ts';
import { onlyReads } from './analyse.ts';

/** What can't be kept can't be brought back: then the call isn't run. */
export async function keepBefore(
  checkpoints: Checkpoints | undefined,
  effects: Effects,
): Promise<{ snapshot?: string } | { refused: string }> {
  if (onlyReads(effects)) return {};
  try {
    const snapshot = await checkpoints?.before(effects);
    return snapshot === undefined ? {} : { snapshot };
  } catch (error) {
    return { refused: `Nothing was run, because the workspace could not be kept as it is: ${messageOf(error)}` };
  }
}

export async function keepAfter(
  checkpoints: Checkpoints | undefined,
  effects: Effects,
): Promise<{ snapshot?: string }> {
  if (onlyReads(effects)) return {};
  try {
    const snapshot = await checkpoints?.after(effects);
    return snapshot === undefined ? {} : { snapshot };
  } catch {
    return {}; // The next snapshot shows the same; only whose change it was is not known then.
  }
}
