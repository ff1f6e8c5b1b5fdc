/** ATIF v1.7: a trajectory of steps by the system, the user and the agent, as evaluation tools read it. */
import { plural, type ToolSpec } from '../../core/index.ts';
import { modelName } from './titles.ts';
import {
  callsOf,
  isoTime,
  promptTokens,
  saidText,
  textOf,
  thinkingOf,
  type Call,
  type Said,
  type Step,
  type Trajectory,
  type Turn,
} from './trajectory.ts';

export function* asAtif(trajectory: Trajectory): Generator<string> {
  const { session, title, reins, setup, stop } = trajectory;
  const steps = trajectory.steps.flatMap(stepOf).map((step, index) => ({ step_id: index + 1, ...step }));
  const root = {
    schema_version: 'ATIF-v1.7',
    session_id: session,
    trajectory_id: session,
    agent: {
      name: 'reins',
      version: reins,
      ...(setup !== undefined && { model_name: modelName(setup), tool_definitions: setup.tools.map(definition) }),
    },
    steps,
    final_metrics: finalMetrics(trajectory, steps.length),
    ...(title !== '' && { notes: title }),
    ...(stop !== undefined && { extra: { stop: stop.reason, ...(stop.code !== undefined && { code: stop.code }) } }),
  };
  yield `${JSON.stringify(root)}\n`;
}

function definition({ name, description, input }: ToolSpec): object {
  return { type: 'function', function: { name, description, parameters: input } };
}

/** A check and the end of a run were told to nobody: they are no steps. */
function stepOf(step: Step): object[] {
  const common = { timestamp: isoTime(step.at), ...(step.copied === true && { is_copied_context: true }) };
  switch (step.kind) {
    case 'said':
      return [{ ...common, ...saidStep(step) }];
    case 'turn':
      return [{ ...common, ...agentStep(step) }];
    case 'compaction': {
      const { why, elided, before, after, text } = step;
      const message = text === '' ? `Compaction: the results of ${plural(elided, 'call')} were shortened.` : text;
      const extra = { compaction: { why, elided, tokens_before: before, tokens_after: after } };
      return [{ ...common, source: 'system', message, extra }];
    }
    default:
      return [];
  }
}

function saidStep(said: Said): object {
  const extra = said.by === 'harness' || said.from !== 'user' ? { extra: { from: said.code ?? said.from } } : {};
  return { source: said.by === 'person' ? 'user' : 'system', message: saidText(said), ...extra };
}

function agentStep(turn: Turn): object {
  const calls = callsOf(turn);
  const thinking = thinkingOf(turn);
  const results = calls.flatMap(observed);
  return {
    source: 'agent',
    model_name: modelName(turn.source),
    message: textOf(turn),
    ...(thinking !== '' && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
    ...(results.length > 0 && { observation: { results } }),
    ...metrics(turn),
    llm_call_count: 1,
  };
}

function toolCall({ id, name, arguments: given, malformed }: Call): object {
  const extra = malformed === undefined ? {} : { extra: { malformed } };
  return { tool_call_id: id, function_name: name, arguments: given, ...extra };
}

function observed({ id, result }: Call): object[] {
  if (result === undefined) return [];
  const { outcome, exit } = result;
  const extra = { outcome, ...(exit !== undefined && { exit }) };
  return [{ source_call_id: id, content: saidText(result), extra }];
}

function metrics({ usage = {}, cost }: Turn): object {
  const prompt = promptTokens(usage);
  const figures = {
    ...(prompt !== undefined && { prompt_tokens: prompt }),
    ...(usage.output !== undefined && { completion_tokens: usage.output }),
    ...(usage.cacheRead !== undefined && { cached_tokens: usage.cacheRead }),
    ...(cost !== undefined && { cost_usd: cost }),
  };
  return Object.keys(figures).length === 0 ? {} : { metrics: figures };
}

function finalMetrics({ totals: { usage, cost } }: Trajectory, steps: number): object {
  const prompt = promptTokens(usage);
  return {
    ...(prompt !== undefined && { total_prompt_tokens: prompt }),
    ...(usage.output !== undefined && { total_completion_tokens: usage.output }),
    ...(usage.cacheRead !== undefined && { total_cached_tokens: usage.cacheRead }),
    ...(cost !== undefined && { total_cost_usd: cost }),
    total_steps: steps,
  };
}
