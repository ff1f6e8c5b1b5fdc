/** Step 11: the one result of a call. */
import type { CallOutcome, EventData, FailureKind, Outcome, Record as RecordEvent } from '../../core/index.ts';
import { visible, withoutMiddle } from '../text/index.ts';
import { defaultResultLimit } from '../tool.ts';

/** Records the result of a call that was executed. */
export async function recordOutcome(
  call: { key: string; tool: string },
  outcome: CallOutcome & { snapshot?: string },
  elapsed: number,
  record: RecordEvent,
): Promise<void> {
  const { outcome: kind, text, ...rest } = outcome;
  const data: EventData['result'] = { call: call.key, tool: call.tool, outcome: kind, text, elapsed };
  if (rest.blob !== undefined) data.blob = rest.blob;
  if (rest.bytes !== undefined) data.bytes = rest.bytes;
  if (rest.changes !== undefined && rest.changes.length > 0) data.changes = rest.changes;
  if (rest.mayHaveChanged !== undefined) data.mayHaveChanged = rest.mayHaveChanged;
  if (rest.exit !== undefined) data.exit = rest.exit;
  if (rest.images !== undefined && rest.images.length > 0) data.images = rest.images;
  if (kind === 'error') data.failed = rest.failed ?? 'failed';
  if (rest.tries !== undefined) data.tries = rest.tries;
  if (rest.snapshot !== undefined) data.snapshot = rest.snapshot;
  if (rest.facts !== undefined) data.facts = rest.facts;
  await record({ kind: 'result', data });
}

/** Records the result of a call that was not executed, or whose outcome isn't known. */
export async function recordRefusal(
  call: { key: string; tool: string },
  outcome: Extract<Outcome, 'error' | 'denied' | 'interrupted'>,
  text: string,
  record: RecordEvent,
  failed?: FailureKind,
): Promise<void> {
  const unknown = outcome === 'interrupted' ? { mayHaveChanged: true } : {};
  const kind = failed === undefined ? {} : { failed };
  // It may repeat what the call said, which has no limit of its own.
  const shown = withoutMiddle(visible(text), defaultResultLimit);
  const data = { call: call.key, tool: call.tool, outcome, text: shown, ...unknown, ...kind };
  await record({ kind: 'result', data });
}
