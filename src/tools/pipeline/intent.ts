/** Step 7: the intent is durable before the effect. */
import type { JsonObject, PreparedCall, Record as RecordEvent } from '../../core/index.ts';

export async function recordIntent(
  call: { key: string; tool: string; arguments: JsonObject },
  record: RecordEvent,
): Promise<PreparedCall> {
  await record({ kind: 'start', data: { call: call.key, tool: call.tool } });
  return { key: call.key, tool: call.tool, arguments: call.arguments };
}
