/** The steps of a call in their order: one call at a time for other drivers, or all calls of a reply. */
import type {
  CallKey,
  CallOutcome,
  Calls,
  Change,
  Notify,
  OpenCall,
  PreparedCall,
  Question,
  Record as RecordEvent,
} from '../../core/index.ts';
import type { Effects } from '../needs.ts';
import { failed, isRefusal } from '../outcome.ts';
import { runInOrder, type Clear, type Readiness } from '../scheduler.ts';
import { withoutControls } from '../text/index.ts';
import { defaultResultLimit, type AnalysisContext, type Tool } from '../tool.ts';
import { analyse, onlyReads } from './analyse.ts';
import { bound } from './bound.ts';
import { Suspicions } from './content.ts';
import { afterChange } from './diagnose.ts';
import { execute } from './execute.ts';
import { runAfter } from './hooks.ts';
import { besideText, LeftBehind } from './left-behind.ts';
import { lookUp } from './look-up.ts';
import type { CallsOptions } from './options.ts';
import { Preparation, type Batch, type Prepared } from './prepare.ts';
import { recordOutcome } from './record.ts';
import { keepable, watchedFiles, withoutSecrets, withSecrets } from './secrets.ts';
import { keepAfter } from './snapshot.ts';
import { sameOutcome, Twins } from './twins.ts';
import { createValidator } from './validate.ts';

/** The way of calls, and a way to make it ready before the first one comes. */
export interface ReadyCalls extends Calls {
  /** Loads and compiles what the first call needs. Rejects when a tool's schema can't be compiled. */
  warm(): Promise<void>;
}

/** The `Calls` port over a registry of tools. */
export function createCalls(options: CallsOptions): ReadyCalls {
  return new Way(options);
}

/** What is known of a call between its start and its result. */
interface Underway {
  effects: Effects;
  /** Milliseconds, where the call asks for less than the tool allows. */
  limit?: number;
  signal: AbortSignal;
  /** Tools of earlier calls that may still be changing what it touches. */
  beside: string[];
  /** Files that were read and in which the lines of a key stand. */
  sources: Buffer[];
}

type Ready = Extract<Prepared, { state: 'ready' }>;
type Same = Extract<Prepared, { state: 'same' }>;

class Way implements ReadyCalls {
  readonly #options: CallsOptions;
  readonly #context: AnalysisContext;
  readonly #validator = createValidator();
  readonly #preparation: Preparation;
  readonly #underway = new Map<CallKey, Underway>();
  readonly #leftBehind = new LeftBehind();
  readonly #suspicions: Suspicions;

  constructor(options: CallsOptions) {
    const { files, known, workspace } = options;
    this.#options = options;
    this.#suspicions = new Suspicions(options.inspect);
    this.#context = { files, seen: (path) => known.seen.get(path), folder: () => known.folder?.path ?? workspace };
    this.#preparation = new Preparation(options, this.#context, this.#validator);
  }

  warm(): Promise<void> {
    const { registry } = this.#options;
    return this.#validator.warm(registry.names().flatMap((name) => registry.get(name) ?? []));
  }

  async prepare(call: OpenCall, record: RecordEvent, signal: AbortSignal): Promise<PreparedCall | undefined> {
    const prepared = await this.#prepare(call, record, signal, { clear: async () => 'clear' });
    return prepared.state === 'ready' ? prepared.call : undefined;
  }

  async execute(call: PreparedCall, signal: AbortSignal, notify: Notify): Promise<CallOutcome> {
    const { approver, blobs, clock, registry, secrets, random = Math.random } = this.#options;
    const { key } = call;
    const tool = lookUp(registry, call.tool);
    if (isRefusal(tool)) return failed(tool.refused, 'not-found');
    const { effects = unknownEffects, limit, sources = [] } = this.#underway.get(key) ?? {};
    const resolved = await withSecrets(tool, call.arguments, this.#options.files, secrets);
    if ('refused' in resolved) return failed(resolved.refused);
    const context = {
      ...this.#context,
      files: watchedFiles(this.#options.files, sources),
      call: key,
      output: (delta: string) => notify({ type: 'output', call: key, delta: withoutControls(delta) }),
      keep: (bytes: Uint8Array) => blobs.put(keepable(bytes, secrets)),
      withoutSecrets: (text: string) => secrets?.redact(text, []) ?? text,
      choose: async (question: Omit<Question, 'call'>) => approver.choose?.({ ...question, call: key }, signal),
    };
    const leave = (work: Promise<unknown>): void => this.#leftBehind.add(key, tool.name, effects, work);
    const execution = { clock, cancel: signal, random, leave, ...(limit !== undefined && { limit }) };
    return execute(tool, resolved.args, context, execution);
  }

  async finish(call: PreparedCall, outcome: CallOutcome, elapsed: number, record: RecordEvent): Promise<void> {
    await this.#finish(call, outcome, elapsed, record);
  }

  async run(calls: OpenCall[], record: RecordEvent, signal: AbortSignal, notify: Notify): Promise<void> {
    const stop = new AbortController();
    const inner = AbortSignal.any([signal, stop.signal]);
    const twins = new Twins();
    const prepare = async (open: OpenCall, clear: Clear): Promise<Readiness> => {
      const prepared = await this.#prepare(open, record, inner, { clear, twins });
      const { state } = prepared;
      if (state === 'settled' || state === 'waiting') return prepared;
      const { claim } = prepared;
      if (state === 'same') return { state: 'ready', claim, start: () => this.#repeat(prepared, record) };
      return { state: 'ready', claim, start: () => this.#start(prepared, twins, record, inner, notify) };
    };
    await runInOrder(calls, prepare, inner, () => stop.abort());
  }

  async #prepare(call: OpenCall, record: RecordEvent, signal: AbortSignal, batch: Batch): Promise<Prepared> {
    const prepared = await this.#preparation.prepare(call, record, signal, batch);
    if (prepared.state !== 'ready') return prepared;
    const { effects, limit } = prepared;
    const beside = onlyReads(effects) ? [] : this.#leftBehind.beside(effects);
    this.#underway.set(call.key, { effects, signal, beside, sources: [], ...(limit !== undefined && { limit }) });
    return prepared;
  }

  async #start(ready: Ready, twins: Twins, record: RecordEvent, signal: AbortSignal, notify: Notify): Promise<void> {
    const { call, tool, claim } = ready;
    const work = this.#work(call, record, signal, notify);
    twins.started(tool, { call, resources: claim.resources, outcome: work.catch(() => undefined) });
    await work;
  }

  async #work(call: PreparedCall, record: RecordEvent, signal: AbortSignal, notify: Notify): Promise<CallOutcome> {
    const { clock } = this.#options;
    const started = clock.now();
    const outcome = await this.execute(call, signal, notify);
    return this.#finish(call, outcome, clock.now() - started, record);
  }

  /** A call that asks for the same as one before it: it gets that one's outcome, and stays open where that has none. */
  async #repeat({ call, twin }: Same, record: RecordEvent): Promise<void> {
    const outcome = await twin.outcome;
    if (outcome === undefined || outcome.outcome === 'cancelled') return;
    const { resultLimit = defaultResultLimit } = this.#options.registry.get(call.tool) ?? {};
    await recordOutcome(call, sameOutcome(twin.call.key, outcome, resultLimit), 0, record);
  }

  /** Steps 9 to 11. Gives what was recorded. */
  async #finish(call: PreparedCall, outcome: CallOutcome, elapsed: number, record: RecordEvent): Promise<CallOutcome> {
    const { registry, blobs, checkpoints, diagnostics, secrets, hooks = [] } = this.#options;
    const tool = registry.get(call.tool);
    const { effects, signal = never, beside = [], sources = [] } = this.#underway.get(call.key) ?? {};
    const diagnosed = await afterChange(diagnostics, outcome, signal);
    const hooked = await runAfter(hooks, call, await this.#withChanges(call, tool, diagnosed, effects));
    const told = beside.length === 0 ? hooked : { ...hooked, text: `${hooked.text}\n${besideText(beside)}` };
    const open = await withoutSecrets(told, secrets, sources);
    const shown = await bound(open, tool?.resultLimit ?? defaultResultLimit, blobs);
    await this.#suspicions.look(call, effects, shown, record);
    // Where something else was at work, what differs now isn't surely this call's.
    const kept = effects === undefined || beside.length > 0 ? {} : await keepAfter(checkpoints, effects);
    await recordOutcome(call, { ...shown, ...kept }, elapsed, record);
    this.#underway.delete(call.key);
    return shown;
  }

  /** Files are recorded as people write them, relative to the workspace, as a scan of it names them too. */
  #named(change: Change): Change {
    return { ...change, path: this.#options.files.display(change.path) };
  }

  /** An outcome that says nothing of changes is harmless only if the call could do nothing but read. */
  async #withChanges(
    call: PreparedCall,
    tool: Tool | undefined,
    outcome: CallOutcome,
    known: Effects | undefined,
  ): Promise<CallOutcome> {
    if (outcome.changes !== undefined)
      return { ...outcome, changes: outcome.changes.map((change) => this.#named(change)) };
    if (outcome.mayHaveChanged !== undefined) return outcome;
    const effects = known ?? (tool && (await analyse(tool, call.arguments, this.#context)));
    const harmless = effects !== undefined && 'effects' in effects && onlyReads(effects);
    return harmless ? outcome : { ...outcome, mayHaveChanged: true };
  }
}

const never = new AbortController().signal;
const unknownEffects: Effects = { effects: ['cannot-tell'], resources: 'unknown' };
