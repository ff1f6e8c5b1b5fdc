/** Steps 1 to 7 of a call, continued from wherever its fold stands: up to where it may be executed, or why it may not. */
import { isDeepStrictEqual } from 'node:util';
import {
  interruptedText,
  type CallKey,
  type FailureKind,
  type JsonObject,
  type OpenCall,
  type PreparedCall,
  type Record as RecordEvent,
} from '../../core/index.ts';
import type { Effects } from '../needs.ts';
import type { Claim, Clear } from '../scheduler.ts';
import type { AnalysisContext, Tool } from '../tool.ts';
import { analyse, onlyReads } from './analyse.ts';
import { approve, editOf, refusedText, unlessRefused, type Shown } from './approve.ts';
import { askedOf, unfitness, type Asked } from './asked.ts';
import { beforeChange } from './diagnose.ts';
import { runBefore } from './hooks.ts';
import { recordIntent } from './intent.ts';
import { blocked, deniedText, isStricter, judge, type Judged, type Verdict } from './judge.ts';
import type { CallsOptions } from './options.ts';
import { recordRefusal } from './record.ts';
import { plannedBy } from './planned-diff.ts';
import { whyUnresolved, withheldText, withSecrets } from './secrets.ts';
import { keepBefore } from './snapshot.ts';
import type { Twin, Twins } from './twins.ts';
import type { Validator } from './validate.ts';

/** What a call has to do with the others of its reply. */
export interface Batch {
  clear: Clear;
  twins?: Twins;
}

/** A call that may be executed, or one whose outcome is that of another. */
export type Prepared =
  | { state: 'settled' }
  | { state: 'waiting'; claim: Claim }
  | { state: 'same'; claim: Claim; call: PreparedCall; twin: Twin }
  | { state: 'ready'; claim: Claim; call: PreparedCall; tool: Tool; effects: Effects; limit?: number };

/** A call that has come as far as the verdict, or why it can't. */
type Staged =
  | { judged: Judged; claim: Claim; blockedBy?: { hook: string; reason: string } }
  | { refused: string; failed: FailureKind }
  | { behind: Claim };

export class Preparation {
  readonly #options: CallsOptions;
  readonly #context: AnalysisContext;
  readonly #validator: Validator;

  constructor(options: CallsOptions, context: AnalysisContext, validator: Validator) {
    this.#options = options;
    this.#context = context;
    this.#validator = validator;
  }

  async prepare(call: OpenCall, record: RecordEvent, signal: AbortSignal, batch: Batch): Promise<Prepared> {
    const { key } = call;
    if (call.started)
      return settle({ key, tool: call.verdict?.tool ?? call.name }, record, 'interrupted', interruptedText);
    if (call.withheld) return settle({ key, tool: call.name }, record, 'error', withheldText, 'failed');
    const asked = await askedOf(call, this.#options.registry, this.#validator);
    if ('refused' in asked) return settle({ key, tool: asked.tool }, record, 'error', asked.refused, asked.failed);
    const { tool, controls } = asked;
    const name = { key, tool: tool.name };
    const staged = await this.#stage(call, asked, batch.clear);
    if ('refused' in staged) return settle(name, record, 'error', staged.refused, staged.failed);
    if ('behind' in staged) return { state: 'waiting', claim: staged.behind };
    const { judged, claim } = staged;
    const unresolved = whyUnresolved(tool, judged.arguments, this.#options.secrets, onlyReads(judged.effects));
    if (unresolved !== undefined) return settle(name, record, 'error', unresolved, 'failed');
    const permitted = await this.#permit(call, tool, staged, record, signal);
    if (permitted === 'later') return { state: 'waiting', claim };
    // What somebody has made of the call goes its way from the start; only the question has been answered.
    if ('edited' in permitted) return this.prepare(permitted.edited, record, signal, batch);
    if ('denied' in permitted) return settle(name, record, 'denied', permitted.denied);
    if ('fails' in permitted) return settle(name, record, 'error', permitted.fails, 'failed');
    if (signal.aborted) return { state: 'waiting', claim };
    const prepared = { ...name, arguments: judged.arguments };
    const twin = batch.twins?.find(tool, judged.arguments);
    if (twin !== undefined) return { state: 'same', claim, call: prepared, twin };
    const started = await this.#start(prepared, judged.effects, record);
    if ('refused' in started) return settle(name, record, 'error', started.refused, 'failed');
    const { limit } = controls;
    return {
      state: 'ready',
      claim,
      call: prepared,
      tool,
      effects: judged.effects,
      ...(limit !== undefined && { limit }),
    };
  }

  /** Steps 2 to 4. What was decided before is not asked of the hooks again; effects are told anew, since links may have moved. */
  async #stage(call: OpenCall, asked: Asked, clear: Clear): Promise<Staged> {
    const edit = editOf(call);
    if (edit !== undefined) return this.#changed(call.key, asked, edit.arguments, [edit.by], clear);
    if (call.verdict !== undefined) {
      return this.#analyse(
        call.key,
        { ...asked, arguments: call.verdict.arguments },
        call.verdict.changedBy ?? [],
        clear,
      );
    }
    const unfit = await unfitness(asked, this.#validator);
    if (unfit !== undefined) return unfit;
    return this.#hooked(call.key, asked, [], clear);
  }

  /** Arguments that aren't the model's are held against the schema as its own are. */
  async #changed(
    call: CallKey,
    asked: Asked,
    args: JsonObject,
    changedBy: string[],
    clear: Clear,
    hooks = true,
  ): Promise<Staged> {
    const broken = await this.#validator.validate(asked.tool, args);
    if (broken !== undefined) return { ...broken, refused: `Changed by ${changedBy.join(', ')}. ${broken.refused}` };
    const changed = { ...asked, arguments: args };
    return hooks ? this.#hooked(call, changed, changedBy, clear) : this.#analyse(call, changed, changedBy, clear);
  }

  async #hooked(call: CallKey, asked: Asked, changedBy: string[], clear: Clear): Promise<Staged> {
    const staged = await this.#analyse(call, asked, changedBy, clear);
    const { hooks = [] } = this.#options;
    if (hooks.length === 0 || !('judged' in staged)) return staged;
    const hooked = await runBefore(hooks, { key: call, tool: asked.tool.name, arguments: asked.arguments });
    if ('blockedBy' in hooked) {
      return { ...staged, blockedBy: { hook: hooked.blockedBy, reason: hooked.reason } };
    }
    if (hooked.changedBy.length === 0) return staged;
    return this.#changed(call, asked, hooked.arguments, [...changedBy, ...hooked.changedBy], clear, false);
  }

  async #analyse(call: CallKey, asked: Asked, changedBy: string[], clear: Clear): Promise<Staged> {
    const { tool, arguments: args, controls } = asked;
    for (;;) {
      const effects = await analyse(tool, args, this.#context);
      if ('failed' in effects) return { refused: effects.failed, failed: 'internal' };
      const { name, atOnce } = tool;
      const claim = { tool: name, atOnce, resources: effects.resources, waits: controls.waits };
      const clearance = await clear(claim);
      if (clearance === 'blocked') return { behind: claim };
      if (clearance === 'clear') return { claim, judged: { call, tool: name, arguments: args, changedBy, effects } };
    }
  }

  /** Steps 5 and 6. */
  async #permit(
    call: OpenCall,
    tool: Tool,
    staged: Extract<Staged, { judged: Judged }>,
    record: RecordEvent,
    signal: AbortSignal,
  ): Promise<'later' | { denied: string } | { fails: string } | { verdict: Verdict } | { edited: OpenCall }> {
    if (signal.aborted) return 'later';
    const verdict = await this.#verdict(call, staged, record);
    if (verdict.decision === 'deny') return { denied: deniedText(verdict) };
    if (verdict.decision === 'allow') return { verdict };
    const { approver, policy, clock, answerWithin } = this.#options;
    const asking = { approver, clock, ...(answerWithin !== undefined && { within: answerWithin }) };
    const { shown, fails } = await this.#planned(tool, staged.judged);
    // Nobody is troubled with what can't be done anyway.
    if (fails !== undefined && call.ask === undefined && call.answer === undefined) return { fails };
    const answer = await approve(call, verdict, shown, asking, record, signal);
    if (answer === 'later') return 'later';
    if (answer.decision === 'no') return { denied: refusedText(answer, verdict) };
    const edited = { ...call, verdict, ask: answer.ask, answer };
    if (editOf(edited) !== undefined) return { edited };
    // What was allowed in another form says nothing of calls like the one that was asked about.
    if (answer.scope !== 'once' && answer.arguments === undefined && verdict.shape !== undefined) {
      await policy.grant(verdict.shape, answer.scope);
    }
    return { verdict };
  }

  /** What a question about the call shows; `fails` is what the model is told where the call can't succeed as things are. */
  async #planned(tool: Tool, judged: Judged): Promise<{ shown: Shown; fails?: string }> {
    const { files, secrets } = this.#options;
    const { arguments: args, effects } = judged;
    const resolved = await withSecrets(tool, args, files, secrets);
    const planned = 'refused' in resolved ? {} : await plannedBy(tool, resolved.args, this.#context);
    // Both show lines of files beside those that change.
    const safe = (text: string): string => secrets?.redact(text, []) ?? text;
    const { command } = effects;
    const shown: Shown = {
      summary: summaryOf(tool, args),
      ...(command !== undefined && { command }),
      ...(planned.diff !== undefined && { diff: safe(planned.diff) }),
    };
    const { fails } = planned;
    return fails === undefined || !this.#mayRead(judged) ? { shown } : { shown, fails: safe(fails) };
  }

  /** Why a change fails tells of what the file holds: whoever may not read it learns that from a person alone. */
  #mayRead({ effects }: Judged): boolean {
    const { resources } = effects;
    const read = resources === 'unknown' ? resources : resources.map((each) => ({ ...each, access: 'read' as const }));
    const asRead: Effects = { ...effects, effects: ['read'], resources: read };
    return this.#options.policy.judge({ tool: 'read', arguments: {}, effects: asRead }).decision === 'allow';
  }

  /** A recorded verdict on the same arguments stands unless the policy of now is stricter. */
  async #verdict(call: OpenCall, staged: Extract<Staged, { judged: Judged }>, record: RecordEvent): Promise<Verdict> {
    if (call.verdict?.decision === 'deny') return call.verdict;
    const { judged, blockedBy } = staged;
    const { policy, known } = this.#options;
    const now = blockedBy ? blocked(judged, blockedBy.hook, blockedBy.reason) : judge(policy, judged);
    const verdict = call.ask === undefined ? unlessRefused(now, known.refused) : now;
    const isSame = call.verdict !== undefined && isDeepStrictEqual(call.verdict.arguments, judged.arguments);
    if (isSame && call.verdict !== undefined && !isStricter(verdict, call.verdict)) return call.verdict;
    await record({ kind: 'verdict', data: verdict });
    return verdict;
  }

  /** Step 7. */
  async #start(
    call: PreparedCall,
    effects: Effects,
    record: RecordEvent,
  ): Promise<{ refused: string } | { started: true }> {
    const { checkpoints, diagnostics } = this.#options;
    const kept = await keepBefore(checkpoints, effects);
    if ('refused' in kept) return kept;
    await beforeChange(diagnostics, effects);
    await recordIntent(
      call,
      kept.snapshot,
      record,
      onlyReads(effects) ? undefined : () => this.#options.beforeEffect(effects),
    );
    return { started: true };
  }
}

async function settle(
  name: { key: CallKey; tool: string },
  record: RecordEvent,
  outcome: 'error' | 'denied' | 'interrupted',
  text: string,
  failed?: FailureKind,
): Promise<Prepared> {
  await recordRefusal(name, outcome, text, record, failed);
  return { state: 'settled' };
}

/** The call in a line; where a tool fails to give one, its arguments. */
function summaryOf(tool: Tool, args: JsonObject): string {
  try {
    return tool.summary(args);
  } catch {
    return `${tool.name} ${JSON.stringify(args)}`; // The question must be put all the same.
  }
}
