import type { Rule } from '../decide.ts';
import type { Ledger } from '../ledger.ts';
import { wantsModel } from '../transcript.ts';

/** Refusals in one run before it stops. */
const denialsAtMost = 20;
/** Refusers that are named, those of most refusals first. */
const named = 5;

/** When everything that the model tries is refused, more turns only cost money. */
export const denied: Rule = ({ ledger, transcript }) => {
  if (ledger.denialsInRun < denialsAtMost || !wantsModel(transcript)) return undefined;
  const last = ledger.denials.at(-1);
  const words = last === undefined ? '' : `; the last (${last.tool}) by ${last.by}: ${last.reason}`;
  const detail = `${ledger.denialsInRun} calls were refused: ${tally(ledger)}${words}`;
  return { do: 'stop', reason: 'denied', code: 'denials', detail };
};

/** What was refused in the run, by tool and by who refused it. */
function tally({ denials, denialsInRun }: Ledger): string {
  const counts = new Map<string, number>();
  for (const { tool, by } of denials.slice(-denialsInRun)) {
    const what = `${tool} by ${by}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const more = sorted.length > named ? [`${sorted.length - named} more kinds`] : [];
  return [...sorted.slice(0, named).map(([what, count]) => `${count} x ${what}`), ...more].join(', ');
}
