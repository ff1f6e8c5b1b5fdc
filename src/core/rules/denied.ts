import type { Rule } from '../decide.ts';
import { wantsModel } from '../transcript.ts';

/** Refusals in one run before it stops. */
const denialsAtMost = 20;

/** When everything that the model tries is refused, more turns only cost money. */
export const denied: Rule = (view) => {
  if (view.ledger.denialsInRun < denialsAtMost || !wantsModel(view.transcript)) return undefined;
  const last = view.ledger.denials.at(-1);
  const detail = `${view.ledger.denialsInRun} calls were refused; the last by ${last?.by ?? 'a rule'}: ${last?.reason ?? ''}`;
  return { do: 'stop', reason: 'denied', code: 'denials', detail };
};
