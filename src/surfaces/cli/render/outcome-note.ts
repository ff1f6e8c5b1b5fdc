/** What a line says of the outcome of a call. */
import type { EventData } from '../../../harness/index.ts';
import { oneLine } from '../printable.ts';

export const hasFailed = (data: EventData['result']): boolean => typeof data.exit === 'number' && data.exit !== 0;

/** What a person should know of a result besides that it is there. */
export function outcomeNote(data: EventData['result'], refusal: string | undefined): string {
  if (data.outcome === 'denied') return `denied: ${oneLine(refusal ?? data.text)}`;
  if (hasFailed(data)) return `exit ${data.exit}`;
  if (data.outcome === 'error' || data.outcome === 'not-run') return oneLine(data.text);
  return data.outcome === 'ok' ? '' : data.outcome;
}
