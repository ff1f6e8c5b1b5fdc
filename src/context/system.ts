/** The standing part of the prompt, in layers: what changes least comes first, so that caches hold as long as they can. */
import type { Mode } from '../core/index.ts';
import { checksText, fragments, modeTexts, placeText, sandboxText, sandboxTexts, type Place } from './prompt/index.ts';

export interface SystemContext extends Place {
  mode: Mode;
  /** Whether commands run in a sandbox that was proven to hold. */
  sandbox: boolean;
  /** Hosts that commands in it may reach. */
  hosts?: readonly string[];
  /** The commands of the checks, or that the user waived them. */
  checks: readonly string[] | 'waived';
  /** The layer of instruction files. */
  instructions?: string | undefined;
}

const staticLayer = Object.values(fragments)
  .map(({ text }) => text)
  .join('\n\n');

/** The layers of the system prompt: the static one is the same for every user and day, the standing one for a run. */
export function systemFor(context: SystemContext): string[] {
  const { mode, sandbox, hosts, checks, instructions } = context;
  const lines = [placeText(context), modeTexts[mode], sandbox ? sandboxText(hosts) : sandboxTexts.off];
  // Where nothing can be written there is nothing to check.
  if (mode !== 'plan') lines.push(checksText(checks));
  return [staticLayer, lines.join('\n'), ...(instructions === undefined ? [] : [instructions])];
}
