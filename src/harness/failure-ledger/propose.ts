/** What of a session belongs into the ledger: its log says it, and nobody has to remember. */
import type { Damage, Event, EventData, EventId, StopReason } from '../../core/index.ts';
import { attemptsIn } from '../handoff/index.ts';
import { RunRecord, shortened } from '../run-report/index.ts';
import { longestText } from './file.ts';
import { keyOf } from './fold.ts';

/** So often makes the same failing call a failure of its own. */
const repeated = 3;
const most = 30;
const stops: readonly StopReason[] = ['unverified', 'stuck', 'denied'];

export interface Found {
  symptom: string;
  times: number;
}

/** Symptoms say nothing of one session alone (counts, ids, times), so that they read the same when they come back. */
export function failuresOf(items: Iterable<Event | Damage>): { found: Found[]; model?: string } {
  const record = new RunRecord();
  const counts = new Map<string, Found>();
  const count = (text: string, times = 1): void => {
    const symptom = shortened(text.replaceAll(/\s+/g, ' ').trim(), longestText);
    const known = counts.get(keyOf(symptom)) ?? { symptom, times: 0 };
    known.times += times;
    counts.set(keyOf(symptom), known);
  };
  let model: string | undefined;
  const asks = new Map<EventId, EventData['ask']>();
  for (const item of items) {
    if ('damage' in item) continue;
    record.take(item);
    if (item.kind === 'setup') model = `${item.data.provider}/${item.data.model}`;
    if (item.kind === 'ask') asks.set(item.id, item.data);
    for (const symptom of symptomsOf(item, record, asks)) count(symptom);
  }
  for (const { kind, tool, what, times } of attemptsIn(record.calls.calls.values())) {
    if (kind !== 'taken-back' && times >= repeated)
      count(`The same call failed again and again: ${tool} ${what}`, times);
  }
  return { found: [...counts.values()].slice(0, most), ...(model !== undefined && { model }) };
}

function symptomsOf(event: Event, record: RunRecord, asks: ReadonlyMap<EventId, EventData['ask']>): string[] {
  switch (event.kind) {
    case 'evidence': {
      const { command, passed, early, advisory, redefined = [] } = event.data;
      const failed = !passed && early !== true && advisory !== true;
      return [
        ...(failed ? [`Said to be done although a check failed: ${command}`] : []),
        ...redefined.map(({ path, how = 'changed' }) => `Changed what defines a check: ${path} (${how})`),
      ];
    }
    case 'own-checks':
      return (event.data.redefined ?? []).map(
        ({ path, how = 'changed' }) => `Changed what defines a check: ${path} (${how})`,
      );
    case 'verdict': {
      const { decision, by, call, tool } = event.data;
      return decision === 'deny' ? [refusal(by, tool, beginning(record, call))] : [];
    }
    case 'answer': {
      const ask = asks.get(event.data.ask);
      // No to a question of the model is an answer; to a call it is a refusal.
      if (event.data.decision === 'yes' || ask === undefined || ask.options !== undefined) return [];
      return [refusal(`answer:${event.data.by}`, ask.tool, beginning(record, ask.call))];
    }
    case 'stop':
      return stops.includes(event.data.reason) ? [`Ended ${event.data.reason} (${event.data.code ?? 'no code'})`] : [];
    default:
      return [];
  }
}

function refusal(by: string, tool: string, what: string): string {
  return `Tried what is refused (${by}): ${tool} ${what}`;
}

/** Program and sub-command: another argument makes no other failure. */
function beginning(record: RunRecord, call: string): string {
  const what = record.calls.calls.get(call)?.what ?? '';
  return what.split(/\s+/).slice(0, 2).join(' ');
}
