import type { Rule } from '../decide.ts';
import { wantsModel } from '../transcript.ts';

/** Refusals in one run before it stops. */
const denialsAtMost = 20;
/** Kinds of refusals that are named. */
const named = 5;

/** When everything that the model tries is refused, more turns only cost money. */
export const denied: Rule = ({ ledger, transcript }) => {
  const { denialsInRun: count, denials } = ledger;
  if (count < denialsAtMost || !wantsModel(transcript)) return undefined;
  const kinds = [...new Set(denials.slice(-count).map(({ tool, by }) => `${tool} by ${by}`))].slice(0, named);
  const detail = `${count} calls were refused (${kinds.join(', ')}); the last: ${denials.at(-1)?.reason ?? ''}`;
  return { do: 'stop', reason: 'denied', code: 'denials', detail };
};
