/** Step 7: the intent is durable before the effect. */
import type { JsonObject, PreparedCall, Record as RecordEvent } from '../../core/index.ts';

/** A call that only reads has no effect that a lost record could hide; all others wait for the disk. */
export async function recordIntent(
  call: { key: string; tool: string; arguments: JsonObject },
  snapshot: string | undefined,
  record: RecordEvent,
  beforeEffect: (() => Promise<void>) | undefined,
): Promise<PreparedCall> {
  await record({
    kind: 'start',
    data: { call: call.key, tool: call.tool, ...(snapshot !== undefined && { snapshot }) },
  });
  await beforeEffect?.();
  return { key: call.key, tool: call.tool, arguments: call.arguments };
}
