/** The steps of a call in their order, continued from wherever its fold stands. */
import {
  interruptedText,
  type Approver,
  type CallKey,
  type CallOutcome,
  type Calls,
  type Change,
  type Clock,
  type JsonObject,
  type Notify,
  type OpenCall,
  type PreparedCall,
  type Question,
  type Record as RecordEvent,
} from '../../core/index.ts';
import type { Known } from '../known.ts';
import type { Blobs, Checkpoints, Diagnostics, Effects, Files, Policy } from '../needs.ts';
import { failed, isRefusal, messageOf } from '../outcome.ts';
import type { Registry } from '../registry.ts';
import { runInOrder, type Clear, type Readiness, type Resources } from '../scheduler.ts';
import { withoutControls } from '../text/index.ts';
import { defaultResultLimit, type AnalysisContext, type Tool } from '../tool.ts';
import { analyse, onlyReads } from './analyse.ts';
import { approve, refusedText } from './approve.ts';
import { bound } from './bound.ts';
import { execute } from './execute.ts';
import { runAfter, runBefore, type CallHook } from './hooks.ts';
import { recordIntent } from './intent.ts';
import { blocked, deniedText, isStricter, judge, type Judged, type Verdict } from './judge.ts';
import { lookUp } from './look-up.ts';
import { recordOutcome, recordRefusal } from './record.ts';
import { createValidator, malformedText } from './validate.ts';

export interface CallsOptions {
  registry: Registry;
  policy: Policy;
  approver: Approver;
  files: Files;
  blobs: Blobs;
  clock: Clock;
  /**
   * Called right before a call that does more than read is executed; resolves when everything recorded so far survives the end of the
   * machine.
   */
  beforeEffect(effects: Effects): Promise<void>;
  /** What the session knows from its results: the fold of `foldKnown` over the log. */
  known: Known;
  /** Real path of the workspace. */
  workspace: string;
  /** Without it nothing can be brought back. */
  checkpoints?: Checkpoints;
  diagnostics?: Diagnostics;
  hooks?: readonly CallHook[];
}

/** The way of calls, and a way to make it ready before the first one comes. */
export interface ReadyCalls extends Calls {
  /** Loads and compiles what the first call needs. Rejects when a tool's schema can't be compiled. */
  warm(): Promise<void>;
}

/** The `Calls` port over a registry of tools. */
export function createCalls(options: CallsOptions): ReadyCalls {
  return new Way(options);
}

/** A call that has come as far as the verdict, or why it can't. */
type Staged =
  | { judged: Judged; blockedBy?: { hook: string; reason: string } }
  | { refused: string }
  | { behind: Resources };
type Prepared = Exclude<Readiness, { state: 'ready' }> | { state: 'ready'; resources: Resources; call: PreparedCall };

class Way implements ReadyCalls {
  readonly #options: CallsOptions;
  readonly #hooks: readonly CallHook[];
  readonly #context: AnalysisContext;
  readonly #validator = createValidator();
  readonly #effects = new Map<CallKey, Effects>();

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#hooks = options.hooks ?? [];
    const { files, known, workspace } = options;
    this.#context = { files, seen: (path) => known.seen.get(path), folder: () => known.folder?.path ?? workspace };
  }

  warm(): Promise<void> {
    const { registry } = this.#options;
    return this.#validator.warm(registry.names().flatMap((name) => registry.get(name) ?? []));
  }

  async prepare(call: OpenCall, record: RecordEvent, signal: AbortSignal): Promise<PreparedCall | undefined> {
    const prepared = await this.#prepare(call, record, signal, async () => 'clear');
    return prepared.state === 'ready' ? prepared.call : undefined;
  }

  async execute(call: PreparedCall, signal: AbortSignal, notify: Notify): Promise<CallOutcome> {
    const tool = lookUp(this.#options.registry, call.tool);
    if (isRefusal(tool)) return failed(tool.refused);
    const output = (delta: string) => notify({ type: 'output', call: call.key, delta: withoutControls(delta) });
    const { approver, blobs } = this.#options;
    const context = {
      ...this.#context,
      call: call.key,
      output,
      keep: (bytes: Uint8Array) => blobs.put(Buffer.from(bytes)),
      choose: async (question: Omit<Question, 'call'>) => approver.choose?.({ ...question, call: call.key }, signal),
    };
    return execute(tool, call.arguments, context, this.#options.clock, signal);
  }

  async finish(call: PreparedCall, outcome: CallOutcome, elapsed: number, record: RecordEvent): Promise<void> {
    const { registry, blobs } = this.#options;
    const tool = registry.get(call.tool);
    const told = await runAfter(this.#hooks, call, await this.#withChanges(call, tool, outcome));
    const shown = await bound(told, tool?.resultLimit ?? defaultResultLimit, blobs);
    const kept = await this.#keepAfter(call);
    await recordOutcome(call, { ...shown, ...kept }, elapsed, record);
    this.#effects.delete(call.key);
  }

  async run(calls: OpenCall[], record: RecordEvent, signal: AbortSignal, notify: Notify): Promise<void> {
    const stop = new AbortController();
    const inner = AbortSignal.any([signal, stop.signal]);
    const prepare = async (open: OpenCall, clear: Clear): Promise<Readiness> => {
      const prepared = await this.#prepare(open, record, inner, clear);
      if (prepared.state !== 'ready') return prepared;
      const { resources, call } = prepared;
      return { state: 'ready', resources, start: () => this.#work(call, record, inner, notify) };
    };
    await runInOrder(calls, prepare, inner, () => stop.abort());
  }

  async #work(call: PreparedCall, record: RecordEvent, signal: AbortSignal, notify: Notify): Promise<void> {
    const { clock } = this.#options;
    const started = clock.now();
    const outcome = await this.execute(call, signal, notify);
    await this.finish(call, outcome, clock.now() - started, record);
  }

  async #prepare(call: OpenCall, record: RecordEvent, signal: AbortSignal, clear: Clear): Promise<Prepared> {
    const name = { key: call.key, tool: call.name };
    const settle = async (outcome: 'error' | 'denied' | 'interrupted', text: string): Promise<Prepared> => {
      await recordRefusal(name, outcome, text, record);
      return { state: 'settled' };
    };
    if (call.started) return settle('interrupted', interruptedText);
    const tool = lookUp(this.#options.registry, call.name);
    if (isRefusal(tool)) return settle('error', tool.refused);
    const staged = await this.#stage(call, tool, clear);
    if ('refused' in staged) return settle('error', staged.refused);
    if ('behind' in staged) return { state: 'waiting', resources: staged.behind };
    const { judged } = staged;
    const waiting: Prepared = { state: 'waiting', resources: judged.effects.resources };
    if (signal.aborted) return waiting;
    const verdict = await this.#verdict(call, staged, record);
    if (verdict.decision === 'deny') return settle('denied', deniedText(verdict));
    if (verdict.decision === 'ask') {
      const { approver, policy } = this.#options;
      const answer = await approve(call, verdict, summaryOf(tool, judged.arguments), approver, record, signal);
      if (answer === 'later') return waiting;
      if (answer.decision === 'no') return settle('denied', refusedText(answer, verdict));
      if (answer.scope === 'always' && verdict.shape !== undefined) await policy.grant(verdict.shape);
    }
    if (signal.aborted) return waiting;
    const kept = await this.#keepBefore(judged.effects);
    if ('refused' in kept) return settle('error', kept.refused);
    this.#effects.set(call.key, judged.effects);
    const prepared = await recordIntent(
      { ...name, arguments: judged.arguments },
      kept.snapshot,
      record,
      onlyReads(judged.effects) ? undefined : () => this.#options.beforeEffect(judged.effects),
    );
    return { state: 'ready', resources: judged.effects.resources, call: prepared };
  }

  /** Steps 2 to 4. What was decided before is not asked of the hooks again; effects are told anew, since links may have moved. */
  async #stage(call: OpenCall, tool: Tool, clear: Clear): Promise<Staged> {
    if (call.verdict !== undefined) {
      return this.#analyse(call, tool, call.verdict.arguments, call.verdict.changedBy ?? [], clear);
    }
    if (call.malformed !== undefined) return { refused: await malformedText(tool.name, call.malformed) };
    const problem = await this.#validator.validate(tool, call.arguments);
    if (problem !== undefined) return { refused: problem };
    const staged = await this.#analyse(call, tool, call.arguments, [], clear);
    if (this.#hooks.length === 0 || !('judged' in staged)) return staged;
    const { key, name } = call;
    const hooked = await runBefore(this.#hooks, { key, tool: name, arguments: call.arguments });
    if ('blockedBy' in hooked) {
      return { ...staged, blockedBy: { hook: hooked.blockedBy, reason: hooked.reason } };
    }
    if (hooked.changedBy.length === 0) return staged;
    const broken = await this.#validator.validate(tool, hooked.arguments);
    if (broken !== undefined) return { refused: `Changed by ${hooked.changedBy.join(', ')}. ${broken}` };
    return this.#analyse(call, tool, hooked.arguments, hooked.changedBy, clear);
  }

  async #analyse(call: OpenCall, tool: Tool, args: JsonObject, changedBy: string[], clear: Clear): Promise<Staged> {
    for (;;) {
      const effects = await analyse(tool, args, this.#context);
      if ('failed' in effects) return { refused: effects.failed };
      const clearance = await clear(effects.resources);
      if (clearance === 'blocked') return { behind: effects.resources };
      if (clearance === 'clear') {
        return { judged: { call: call.key, tool: tool.name, arguments: args, changedBy, effects } };
      }
    }
  }

  /** Step 5. A recorded verdict stands unless the policy of now is stricter. */
  async #verdict(call: OpenCall, staged: Extract<Staged, { judged: Judged }>, record: RecordEvent): Promise<Verdict> {
    if (call.verdict?.decision === 'deny') return call.verdict;
    const { judged, blockedBy } = staged;
    const verdict = blockedBy ? blocked(judged, blockedBy.hook, blockedBy.reason) : judge(this.#options.policy, judged);
    if (call.verdict !== undefined && !isStricter(verdict, call.verdict)) return call.verdict;
    await record({ kind: 'verdict', data: verdict });
    return verdict;
  }

  /** What can't be kept can't be brought back: then the call isn't run. */
  async #keepBefore(effects: Effects): Promise<{ snapshot?: string } | { refused: string }> {
    if (onlyReads(effects)) return {};
    try {
      const snapshot = await this.#options.checkpoints?.before(effects);
      return snapshot === undefined ? {} : { snapshot };
    } catch (error) {
      return { refused: `Nothing was run, because the workspace could not be kept as it is: ${messageOf(error)}` };
    }
  }

  async #keepAfter(call: PreparedCall): Promise<{ snapshot?: string }> {
    const effects = this.#effects.get(call.key);
    if (effects === undefined || onlyReads(effects)) return {};
    try {
      const snapshot = await this.#options.checkpoints?.after(effects);
      return snapshot === undefined ? {} : { snapshot };
    } catch {
      return {}; // The next snapshot shows the same; only whose change it was is not known then.
    }
  }

  /** Files are recorded as people write them, relative to the workspace, as a scan of it names them too. */
  #named(change: Change): Change {
    return { ...change, path: this.#options.files.display(change.path) };
  }

  /** An outcome that says nothing of changes is harmless only if the call could do nothing but read. */
  async #withChanges(call: PreparedCall, tool: Tool | undefined, outcome: CallOutcome): Promise<CallOutcome> {
    if (outcome.changes !== undefined)
      return { ...outcome, changes: outcome.changes.map((change) => this.#named(change)) };
    if (outcome.mayHaveChanged !== undefined) return outcome;
    const known = this.#effects.get(call.key);
    const effects = known ?? (tool && (await analyse(tool, call.arguments, this.#context)));
    const harmless = effects !== undefined && 'effects' in effects && onlyReads(effects);
    return harmless ? outcome : { ...outcome, mayHaveChanged: true };
  }
}

/** The call in a line; where a tool fails to give one, its arguments. */
function summaryOf(tool: Tool, args: JsonObject): string {
  try {
    return tool.summary(args);
  } catch {
    return `${tool.name} ${JSON.stringify(args)}`; // The question must be put all the same.
  }
}
