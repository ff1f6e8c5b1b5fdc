/** Steps 3 and 9: functions of the embedder that may block or rewrite a call before it is judged, and add to its result. */
import type { CallKey, CallOutcome, JsonObject } from '../../core/index.ts';
import { messageOf } from '../outcome.ts';

export interface HookedCall {
  key: CallKey;
  tool: string;
  arguments: JsonObject;
}

export interface CallHook {
  /** Named in the log and to the model. */
  name: string;
  /** Before the verdict. Nothing: go on. What it throws blocks the call. */
  before?(call: HookedCall): Promise<{ block: string } | { arguments: JsonObject } | undefined>;
  /** After execution. What it appends stands at the end of the result. What it throws is said there. */
  after?(call: HookedCall, outcome: CallOutcome): Promise<{ append: string } | undefined>;
}

export type Hooked = { arguments: JsonObject; changedBy: string[] } | { blockedBy: string; reason: string };

/** Runs the hooks in order, each on what the one before made of the arguments. */
export async function runBefore(hooks: readonly CallHook[], call: HookedCall): Promise<Hooked> {
  const changedBy: string[] = [];
  let args = call.arguments;
  for (const hook of hooks) {
    if (hook.before === undefined) continue;
    try {
      const said = await hook.before({ ...call, arguments: args });
      if (said === undefined) continue;
      if ('block' in said) return { blockedBy: hook.name, reason: said.block };
      args = said.arguments;
      changedBy.push(hook.name);
    } catch (error) {
      // A guard that can't say yes has said no.
      return { blockedBy: hook.name, reason: `the hook failed: ${messageOf(error)}` };
    }
  }
  return { arguments: args, changedBy };
}

export async function runAfter(
  hooks: readonly CallHook[],
  call: HookedCall,
  outcome: CallOutcome,
): Promise<CallOutcome> {
  const added: string[] = [];
  for (const hook of hooks) {
    if (hook.after === undefined) continue;
    try {
      const said = await hook.after(call, outcome);
      if (said !== undefined) added.push(said.append);
    } catch (error) {
      added.push(`[The hook ${hook.name} failed: ${messageOf(error)}]`);
    }
  }
  return added.length === 0 ? outcome : { ...outcome, text: [outcome.text, ...added].join('\n') };
}
