/** The way of calls, scripted: tools are functions, decisions are written down. For loops without a workspace. */
import {
  interruptedText,
  type CallKey,
  type CallOutcome,
  type Calls,
  type Clock,
  type EventData,
  type JsonObject,
  type Notify,
  type OpenCall,
  type PreparedCall,
  type Record as RecordEvent,
  type Resource,
} from '../core/index.ts';

export interface CallContext {
  key: CallKey;
  signal: AbortSignal;
  /** Shows output while the tool runs. */
  output(delta: string): void;
}

/** What a tool gives: text for an ordinary result, or a whole outcome. */
export type ToolFunction = (
  args: JsonObject,
  context: CallContext,
) => string | CallOutcome | Promise<string | CallOutcome>;

export interface ScriptedTool {
  run: ToolFunction;
  /** The verdict on its calls; default allow. */
  decision?: 'allow' | 'ask' | 'deny';
  /** The shape that an "always" would grant. */
  shape?: string;
  /** What its calls touch; default unknown. */
  resources?: Resource[];
}

export interface ScriptedCalls extends Calls {
  /** Every call that was executed, in order: one that is there twice ran twice. */
  readonly executed: CallKey[];
}

/**
 * Calls by a table of tools. They run one after another in their order, and once the signal is aborted no further one starts. A call
 * of no known tool, and one with malformed arguments, has an error for its result. `clock` gives the times that results carry.
 */
export function scriptedCalls(
  tools: { [name: string]: ScriptedTool | ToolFunction },
  clock: Pick<Clock, 'now'> = Date,
): ScriptedCalls {
  return new TableOfTools(tools, clock);
}

class TableOfTools implements ScriptedCalls {
  readonly executed: CallKey[] = [];
  readonly #tools: Map<string, ScriptedTool>;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(tools: { [name: string]: ScriptedTool | ToolFunction }, clock: Pick<Clock, 'now'>) {
    const entries = Object.entries(tools);
    this.#tools = new Map(entries.map(([name, tool]) => [name, typeof tool === 'function' ? { run: tool } : tool]));
    this.#clock = clock;
  }

  async prepare(call: OpenCall, record: RecordEvent, signal: AbortSignal): Promise<PreparedCall | undefined> {
    if (signal.aborted) return undefined;
    const settle = async (outcome: EventData['result']['outcome'], text: string): Promise<undefined> => {
      await record({ kind: 'result', data: { call: call.key, tool: call.name, outcome, text } });
    };
    if (call.started) return settle('interrupted', interruptedText);
    if (call.malformed !== undefined) return settle('error', `The arguments aren’t a JSON object: ${call.malformed}`);
    const tool = this.#tools.get(call.name);
    if (!tool) return settle('error', `There is no tool ${call.name}. Tools: ${[...this.#tools.keys()].join(', ')}.`);
    const verdict = call.verdict ?? (await recordVerdict(call, tool, record));
    if (verdict.decision === 'deny') return settle('denied', `Denied: ${verdict.reason}`);
    if (verdict.decision === 'ask' && !call.answer) {
      if (call.ask === undefined) await record({ kind: 'ask', data: question(call, tool) });
      return undefined;
    }
    if (call.answer?.decision === 'no') return settle('denied', `Denied by ${call.answer.by}.`);
    if (signal.aborted) return undefined;
    await record({ kind: 'start', data: { call: call.key, tool: call.name } });
    return { key: call.key, tool: call.name, arguments: verdict.arguments };
  }

  async execute(call: PreparedCall, signal: AbortSignal, notify: Notify): Promise<CallOutcome> {
    const tool = this.#tools.get(call.tool);
    if (!tool) return { outcome: 'error', text: `There is no tool ${call.tool}.` };
    this.executed.push(call.key);
    try {
      const output = (delta: string) => notify({ type: 'output', call: call.key, delta });
      const outcome = await tool.run(call.arguments, { key: call.key, signal, output });
      return typeof outcome === 'string' ? { outcome: 'ok', text: outcome } : outcome;
    } catch (error) {
      // What a tool throws is its result, as with real tools: the model may learn from it.
      return { outcome: 'error', text: error instanceof Error ? error.message : String(error) };
    }
  }

  async finish(call: PreparedCall, outcome: CallOutcome, elapsed: number, record: RecordEvent): Promise<void> {
    await record({ kind: 'result', data: { call: call.key, tool: call.tool, ...outcome, elapsed } });
  }

  async run(calls: OpenCall[], record: RecordEvent, signal: AbortSignal, notify: Notify): Promise<void> {
    for (const call of calls) {
      const prepared = await this.prepare(call, record, signal);
      if (!prepared) continue;
      const began = this.#clock.now();
      const outcome = await this.execute(prepared, signal, notify);
      await this.finish(prepared, outcome, this.#clock.now() - began, record);
    }
  }
}

async function recordVerdict(call: OpenCall, tool: ScriptedTool, record: RecordEvent): Promise<EventData['verdict']> {
  const data: EventData['verdict'] = {
    call: call.key,
    tool: call.name,
    decision: tool.decision ?? 'allow',
    by: 'script',
    reason: 'The script says so.',
    arguments: call.arguments,
    resources: tool.resources ?? 'unknown',
    ...(tool.shape === undefined ? {} : { shape: tool.shape }),
  };
  await record({ kind: 'verdict', data });
  return data;
}

function question(call: OpenCall, tool: ScriptedTool): EventData['ask'] {
  const text = `Run ${call.name} ${JSON.stringify(call.arguments)}?`;
  return {
    call: call.key,
    tool: call.name,
    question: text,
    ...(tool.shape === undefined ? {} : { shape: tool.shape }),
  };
}
