import type { Rule } from '../decide.ts';
import { planCode, planText } from '../plan.ts';
import { openCalls, wantsModel } from '../transcript.ts';

/** Turns after which a plan counts as long unseen. */
const unseenAfter = 15;

/** The plan is shown again where the model last saw it long ago: each showing costs tokens, and none may break the prefix. */
export const plan: Rule = ({ plan: known, ledger, transcript }) => {
  if (known === undefined || !wantsModel(transcript) || openCalls(transcript).length > 0) return undefined;
  if (known.items.every(({ state }) => state === 'done')) return undefined;
  if (ledger.turns - known.shown < unseenAfter) return undefined;
  const text = `Your plan, as you left it:\n${planText(known.items)}\nBring it up to date when it no longer fits.`;
  return { do: 'note', code: planCode, text };
};
