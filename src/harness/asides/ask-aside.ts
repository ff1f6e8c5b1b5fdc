/** One question beside the conversation, from its recorded intent to its recorded end. */
import type { AsidePurpose, EventData, EventId } from '../../core/index.ts';
import type { OpenRecord } from '../record.ts';
import { spendingOf, textIn, type SideModel, type SideQuestion } from './side-model.ts';

export interface AsideQuestion extends SideQuestion {
  purpose: AsidePurpose;
  /** Milliseconds. */
  timeout: number;
}

/** What was said, or why there is nothing to go by; `aside` names the recorded question where it was asked. */
export type AsideAnswer = { aside: EventId; text: string } | { aside?: EventId; problem: string };

/** Asks, records and settles. Never rejects for what the model or its provider does; a log that can't be written rejects. */
export async function askAside(
  model: SideModel,
  { session, recorder }: OpenRecord,
  { purpose, timeout, ...question }: AsideQuestion,
  signal: AbortSignal,
): Promise<AsideAnswer> {
  const request = await model.prepare(question);
  if (!model.isAffordable(request)) return { problem: 'the money limit has no room for it' };
  const { source, bytes, reserved } = request.data;
  const blob = await session.blobs.put(Buffer.from(request.body));
  const { id } = await recorder.record({ kind: 'aside', data: { purpose, source, blob, bytes, reserved } });
  await recorder.sync();
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const { outcome, elapsed } = await model.send(id, request, within);
  const said = textIn(outcome);
  const data: EventData['aside-end'] = {
    aside: id,
    ...('text' in said ? { text: said.text } : { failed: said.problem }),
    ...spendingOf(outcome),
    elapsed,
  };
  await recorder.record({ kind: 'aside-end', data });
  return { aside: id, ...said };
}
