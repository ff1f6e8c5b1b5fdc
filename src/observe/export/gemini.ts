/** The lines of `gemini -p --output-format stream-json`. */
import {
  isError,
  isoTime,
  promptTokens,
  saidText,
  type Call,
  type Step,
  type Trajectory,
  type TurnPart,
} from './trajectory.ts';

export function* asGemini(trajectory: Trajectory): Generator<string> {
  const { session, startedAt, endedAt, setup, steps } = trajectory;
  const line = ({ type, ...rest }: Line, at: number): string =>
    `${JSON.stringify({ type, timestamp: isoTime(at), ...rest })}\n`;
  const model = setup === undefined ? {} : { model: setup.model };
  yield line({ type: 'init', session_id: session, ...model }, startedAt);
  for (const step of steps) for (const value of linesOf(step)) yield line(value, step.at);
  yield line(result(trajectory), endedAt);
}

type Line = { type: string } & { [key: string]: unknown };

function linesOf(step: Step): Line[] {
  if (step.kind === 'said') return [{ type: 'message', role: 'user', content: saidText(step) }];
  return step.kind === 'turn' ? step.parts.flatMap(partLines) : [];
}

/** Thinking isn't in them. */
function partLines(part: TurnPart): Line[] {
  if (part.type === 'text') return [{ type: 'message', role: 'assistant', content: part.text, delta: true }];
  return part.type === 'call' ? callLines(part.call) : [];
}

function callLines({ id, name, arguments: parameters, result: ended }: Call): Line[] {
  const use = { type: 'tool_use', tool_name: name, tool_id: id, parameters };
  if (ended === undefined) return [use];
  const output = saidText(ended);
  const failed = isError(ended);
  const error = failed ? { error: { type: ended.outcome, message: output } } : {};
  return [use, { type: 'tool_result', tool_id: id, status: failed ? 'error' : 'success', output, ...error }];
}

function result({ stop, totals: { usage, calls }, startedAt, endedAt }: Trajectory): Line {
  const prompt = promptTokens(usage);
  const failed = stop !== undefined && stop.reason !== 'completed';
  const total = prompt === undefined || usage.output === undefined ? {} : { total_tokens: prompt + usage.output };
  const stats = {
    ...total,
    ...(prompt !== undefined && { input_tokens: prompt }),
    ...(usage.output !== undefined && { output_tokens: usage.output }),
    ...(usage.cacheRead !== undefined && { cached: usage.cacheRead }),
    duration_ms: endedAt - startedAt,
    tool_calls: calls,
  };
  const error = failed ? { error: { type: stop.code ?? stop.reason, message: stop.detail } } : {};
  return { type: 'result', status: failed ? 'error' : 'success', ...error, stats };
}
