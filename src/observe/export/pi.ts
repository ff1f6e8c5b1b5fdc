/** The lines of `pi --mode json`. */
import type { Usage } from '../../core/index.ts';
import { callsOf, isError, isoTime, saidText, type Call, type Step, type Trajectory, type Turn } from './trajectory.ts';

const line = (value: object): string => `${JSON.stringify(value)}\n`;

export function* asPi({ session, workspace, startedAt, steps }: Trajectory): Generator<string> {
  yield line({ type: 'session', version: 3, id: session, timestamp: isoTime(startedAt), cwd: workspace });
  yield line({ type: 'agent_start' });
  const messages: object[] = [];
  for (const step of steps) {
    const made = messagesOf(step);
    messages.push(...made);
    yield* step.kind === 'turn' ? turnLines(step, made) : made.flatMap(messageLines);
  }
  yield line({ type: 'agent_end', messages, willRetry: false });
}

function messageLines(message: object): string[] {
  return [line({ type: 'message_start', message }), line({ type: 'message_end', message })];
}

function* turnLines(turn: Turn, [message = {}, ...toolResults]: object[]): Generator<string> {
  yield line({ type: 'turn_start' });
  yield* messageLines(message);
  for (const { id, name, arguments: args, result } of callsOf(turn)) {
    const call = { toolCallId: id, toolName: name };
    yield line({ type: 'tool_execution_start', ...call, args });
    if (result === undefined) continue;
    const told = { content: [textBlock(saidText(result))], details: { outcome: result.outcome } };
    yield line({ type: 'tool_execution_end', ...call, result: told, isError: isError(result) });
  }
  yield* toolResults.flatMap(messageLines);
  yield line({ type: 'turn_end', message, toolResults });
}

const textBlock = (text: string) => ({ type: 'text', text });

function messagesOf(step: Step): object[] {
  switch (step.kind) {
    case 'said':
      return [{ role: 'user', content: [textBlock(saidText(step))], timestamp: step.at }];
    case 'turn':
      return [assistantMessage(step), ...callsOf(step).flatMap(toolResult)];
    case 'compaction':
      if (step.text === '') return [];
      return [{ role: 'compactionSummary', summary: step.text, tokensBefore: step.before, timestamp: step.at }];
    default:
      return [];
  }
}

function toolResult({ id, name, result }: Call): object[] {
  if (result === undefined) return [];
  const content = [textBlock(saidText(result))];
  return [
    { role: 'toolResult', toolCallId: id, toolName: name, content, isError: isError(result), timestamp: result.at },
  ];
}

function assistantMessage({ source, parts, stop, usage, cost, at }: Turn): object {
  const content = parts.flatMap((part): object[] => {
    if (part.type === 'sealed') return [];
    if (part.type === 'text') return [textBlock(part.text)];
    if (part.type === 'thinking') return [{ type: 'thinking', thinking: part.text }];
    return [{ type: 'toolCall', id: part.call.id, name: part.call.name, arguments: part.call.arguments }];
  });
  const maker = {
    api: source.wire,
    ...(source.provider !== undefined && { provider: source.provider }),
    model: source.model,
  };
  const used = usage === undefined ? {} : { usage: usageOf(usage, cost) };
  const hasCalls = parts.some(({ type }) => type === 'call');
  const ended = hasCalls ? 'toolUse' : 'stop';
  return {
    role: 'assistant',
    content,
    ...maker,
    ...used,
    stopReason: stop === 'length' ? 'length' : ended,
    timestamp: at,
  };
}

function usageOf({ input, output, cacheRead, cacheWrite }: Usage, cost: number | undefined): object {
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(cost !== undefined && { cost: { total: cost } }),
  };
}
