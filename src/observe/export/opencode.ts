/** The lines of `opencode run --format json`. What was said to the model isn't in them. */
import { callsOf, isError, saidText, type Call, type Trajectory, type Turn, type TurnPart } from './trajectory.ts';

export function* asOpencode({ session, steps, stop, endedAt }: Trajectory): Generator<string> {
  const line = (type: string, timestamp: number, rest: object): string =>
    `${JSON.stringify({ type, timestamp, sessionID: session, ...rest })}\n`;
  for (const step of steps) {
    if (step.kind !== 'turn') continue;
    const owner = { sessionID: session, messageID: step.id };
    const part = (index: string, value: object) => ({ part: { id: `${step.id}/${index}`, ...owner, ...value } });
    yield line('step_start', step.at - (step.elapsed ?? 0), part('start', { type: 'step-start' }));
    for (const [index, each] of step.parts.entries()) {
      const made = partOf(each, step);
      if (made !== undefined) yield line(made.line, step.at, part(String(index), made.part));
    }
    yield line('step_finish', step.at, part('finish', finish(step)));
  }
  if (stop === undefined || stop.reason === 'completed') return;
  const error = { name: stop.code ?? stop.reason, data: { message: stop.detail } };
  yield line('error', endedAt, { error });
}

function partOf(part: TurnPart, { at }: Turn): { line: string; part: object } | undefined {
  if (part.type === 'sealed') return undefined;
  const time = { start: at, end: at };
  if (part.type === 'text') return { line: 'text', part: { type: 'text', text: part.text, time } };
  if (part.type === 'thinking') return { line: 'reasoning', part: { type: 'reasoning', text: part.text, time } };
  const { id, name } = part.call;
  return { line: 'tool_use', part: { type: 'tool', tool: name, callID: id, state: stateOf(part.call, at) } };
}

function stateOf({ arguments: input, result, startedAt }: Call, at: number): object {
  const start = startedAt ?? at;
  if (result === undefined) return { status: 'running', input, time: { start } };
  const time = { start, end: result.at };
  if (isError(result))
    return { status: 'error', input, error: saidText(result), metadata: { outcome: result.outcome }, time };
  const metadata = result.exit === undefined ? {} : { exit: result.exit };
  return { status: 'completed', input, output: saidText(result), title: '', metadata, time };
}

function finish(turn: Turn): object {
  const { usage = {}, cost, stop } = turn;
  const { input, output, reasoning, cacheRead, cacheWrite } = usage;
  const cache = {
    ...(cacheRead !== undefined && { read: cacheRead }),
    ...(cacheWrite !== undefined && { write: cacheWrite }),
  };
  const tokens = {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(reasoning !== undefined && { reasoning }),
    cache,
  };
  const ended = callsOf(turn).length > 0 ? 'tool-calls' : 'stop';
  const reason = stop === 'length' ? 'length' : ended;
  return { type: 'step-finish', reason, tokens, ...(cost !== undefined && { cost }) };
}
