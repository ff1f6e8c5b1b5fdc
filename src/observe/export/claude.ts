/** The lines of `claude -p --output-format stream-json`. */
import type { Mode, Usage } from '../../core/index.ts';
import {
  callsOf,
  isError,
  isoTime,
  saidText,
  textOf,
  type Call,
  type Step,
  type Trajectory,
  type Turn,
} from './trajectory.ts';

const modes: { readonly [mode in Mode]: string } = {
  plan: 'plan',
  ask: 'default',
  edit: 'acceptEdits',
  auto: 'auto',
  unsafe: 'bypassPermissions',
};

export function* asClaude(trajectory: Trajectory): Generator<string> {
  const { session, workspace, setup } = trajectory;
  const line = (value: object, id: string): string =>
    `${JSON.stringify({ ...value, session_id: session, uuid: id })}\n`;
  yield line(
    {
      type: 'system',
      subtype: 'init',
      cwd: workspace,
      tools: setup?.tools.map(({ name }) => name) ?? [],
      mcp_servers: [],
      ...(setup !== undefined && { model: setup.model, permissionMode: modes[setup.mode] }),
      slash_commands: [],
      agents: [],
      skills: [],
      plugins: [],
    },
    session,
  );
  for (const step of trajectory.steps) {
    for (const [index, value] of linesOf(step).entries())
      yield line(value, index === 0 ? step.id : `${step.id}/${index}`);
  }
  yield line(result(trajectory), `${session}/result`);
}

function linesOf(step: Step): object[] {
  const about = { parent_tool_use_id: null, timestamp: isoTime(step.at) };
  switch (step.kind) {
    case 'said':
      return [
        {
          type: 'user',
          message: userMessage([textBlock(saidText(step))]),
          ...about,
          isSynthetic: step.by === 'harness',
        },
      ];
    case 'turn': {
      const results = callsOf(step).flatMap((call) => toolResult(call));
      const answered = results.length === 0 ? [] : [{ type: 'user', message: userMessage(results), ...about }];
      return [{ type: 'assistant', message: assistantMessage(step), ...about }, ...answered];
    }
    case 'compaction': {
      const metadata = { trigger: step.why === 'manual' ? 'manual' : 'auto', pre_tokens: step.before };
      const boundary = { type: 'system', subtype: 'compact_boundary', compact_metadata: metadata };
      const message = userMessage([textBlock(step.text)]);
      return step.text === '' ? [boundary] : [boundary, { type: 'user', message, ...about, isSynthetic: true }];
    }
    default:
      return [];
  }
}

const textBlock = (text: string) => ({ type: 'text', text });
const userMessage = (content: object[]) => ({ role: 'user', content });

function toolResult({ id, result }: Call): object[] {
  if (result === undefined) return [];
  return [{ type: 'tool_result', tool_use_id: id, content: saidText(result), is_error: isError(result) }];
}

function assistantMessage(turn: Turn): object {
  const content = turn.parts.flatMap((part): object[] => {
    if (part.type === 'sealed') return [];
    if (part.type === 'text') return [textBlock(part.text)];
    if (part.type === 'thinking') return [{ type: 'thinking', thinking: part.text }];
    return [{ type: 'tool_use', id: part.call.id, name: part.call.name, input: part.call.arguments }];
  });
  const head = { id: turn.id, type: 'message', role: 'assistant', model: turn.source.model, content };
  return { ...head, stop_reason: stopReason(turn), stop_sequence: null, ...usageOf(turn.usage) };
}

function stopReason({ stop, parts }: Turn): string {
  if (stop === 'length') return 'max_tokens';
  if (stop === 'refusal') return 'refusal';
  if (stop === 'pause') return 'pause_turn';
  return parts.some(({ type }) => type === 'call') ? 'tool_use' : 'end_turn';
}

function usageOf(usage: Usage | undefined): object {
  if (usage === undefined) return {};
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    usage: {
      ...(input !== undefined && { input_tokens: input }),
      ...(cacheWrite !== undefined && { cache_creation_input_tokens: cacheWrite }),
      ...(cacheRead !== undefined && { cache_read_input_tokens: cacheRead }),
      ...(output !== undefined && { output_tokens: output }),
    },
  };
}

const limits: { readonly [code: string]: string } = {
  'limit-turns': 'error_max_turns',
  'limit-cost': 'error_max_budget_usd',
};

function result({ stop, steps, totals, startedAt, endedAt }: Trajectory): object {
  const last = steps.findLast((step) => step.kind === 'turn');
  const isDone = stop?.reason === 'completed';
  return {
    type: 'result',
    subtype: isDone ? 'success' : (limits[stop?.code ?? ''] ?? 'error_during_execution'),
    is_error: !isDone,
    num_turns: totals.turns,
    duration_ms: endedAt - startedAt,
    result: stop?.answer ?? (last === undefined ? '' : textOf(last)),
    ...(totals.cost !== undefined && { total_cost_usd: totals.cost }),
    ...usageOf(totals.usage),
    permission_denials: steps.flatMap((step) => (step.kind === 'turn' ? callsOf(step).flatMap(denial) : [])),
  };
}

function denial({ id, name, arguments: input, result: ended }: Call): object[] {
  return ended?.outcome === 'denied' ? [{ tool_name: name, tool_use_id: id, tool_input: input }] : [];
}
