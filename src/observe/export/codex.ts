/** The lines of `codex exec --json`. What was said to the model isn't in them. */
import { isError, saidText, type Call, type Step, type Trajectory, type Turn } from './trajectory.ts';
import { promptTokens } from './trajectory.ts';

const line = (value: object): string => `${JSON.stringify(value)}\n`;

export function* asCodex({ session, steps, totals, stop }: Trajectory): Generator<string> {
  yield line({ type: 'thread.started', thread_id: session });
  yield line({ type: 'turn.started' });
  let count = 0;
  for (const item of steps.flatMap(itemsOf)) {
    yield line({ type: 'item.completed', item: { id: `item_${count}`, ...item } });
    count += 1;
  }
  if (stop !== undefined && stop.reason !== 'completed') {
    yield line({ type: 'turn.failed', error: { message: stop.detail || stop.reason } });
    return;
  }
  const { usage } = totals;
  const prompt = promptTokens(usage);
  const used = {
    ...(prompt !== undefined && { input_tokens: prompt }),
    ...(usage.cacheRead !== undefined && { cached_input_tokens: usage.cacheRead }),
    ...(usage.output !== undefined && { output_tokens: usage.output }),
    ...(usage.reasoning !== undefined && { reasoning_output_tokens: usage.reasoning }),
  };
  yield line({ type: 'turn.completed', usage: used });
}

function itemsOf(step: Step): object[] {
  if (step.kind !== 'turn') return [];
  return (step satisfies Turn).parts.flatMap((part): object[] => {
    if (part.type === 'sealed') return [];
    if (part.type === 'text') return [{ type: 'agent_message', text: part.text }];
    if (part.type === 'thinking') return [{ type: 'reasoning', text: part.text }];
    return [callItem(part.call), ...fileChange(part.call)];
  });
}

/** A command is one there; every other tool counts as a server's. */
function callItem(call: Call): object {
  const { name, arguments: given, result } = call;
  const { command } = given;
  const status = statusOf(call);
  if (name === 'shell' && typeof command === 'string') {
    const exit = result?.exit ?? null;
    return { type: 'command_execution', command, aggregated_output: outputOf(call), exit_code: exit, status };
  }
  const ended = result === undefined ? {} : endedCall(call);
  return {
    type: 'mcp_tool_call',
    server: 'reins',
    tool: name,
    arguments: given,
    result: null,
    error: null,
    ...ended,
    status,
  };
}

function endedCall(call: Call): object {
  if (call.result !== undefined && isError(call.result)) return { error: { message: outputOf(call) } };
  return { result: { content: [{ type: 'text', text: outputOf(call) }] } };
}

function outputOf({ result }: Call): string {
  return result === undefined ? '' : saidText(result);
}

function statusOf({ result }: Call): string {
  if (result === undefined) return 'in_progress';
  if (result.outcome === 'denied') return 'declined';
  return isError(result) ? 'failed' : 'completed';
}

function fileChange({ result }: Call): object[] {
  const changes = result?.changes ?? [];
  if (changes.length === 0) return [];
  const kinds = changes.map(({ path, before, after }) => {
    if (before === null) return { path, kind: 'add' };
    return { path, kind: after === null ? 'delete' : 'update' };
  });
  return [{ type: 'file_change', changes: kinds, status: 'completed' }];
}
