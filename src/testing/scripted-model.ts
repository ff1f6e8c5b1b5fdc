/** The model port without any wire: replies come from a script, for tests of the loop alone. */
import { createHash } from 'node:crypto';
import {
  estimatedInput,
  messagesOf,
  sourceOf,
  targetName,
  targetNamed,
  type AskModel,
  type Clock,
  type ErrorCode,
  type EventData,
  type EventId,
  type FailureClass,
  type Message,
  type Model,
  type ModelOutcome,
  type Notify,
  type PreparedRequest,
  type ReplyPart,
  type ReplyStop,
  type RetryPolicy,
  type Source,
  type Usage,
  type View,
} from '../core/index.ts';
import type { Scenario, ScriptedFailure, ScriptedReply, Turn } from './scenario/index.ts';
import {
  blocksOf,
  estimateTokens,
  freeId,
  outputText,
  Script,
  type AskedMessage,
  type Question,
} from './script/index.ts';

export interface ScriptedModelOptions {
  /** Gives the times of failures and replies, and does the waiting of a reply with `wait`; default the system's, without waiting. */
  clock?: Clock;
  /** What replies are tagged with; default the wire `script` and the model of the setup. */
  source?: Source;
  /** What to put in the place of `${name}` in the script. */
  values?: { [name: string]: string };
  /** Called when a request is sent, before anything is answered: a test may wait in it. An abort ends the request all the same. */
  onRequest?: (question: Question, request: PreparedRequest) => void | Promise<void>;
}

export interface ScriptedModel extends Model {
  /** Every request that was sent, in neutral words. */
  readonly asked: Question[];
}

/** A model that replies with turns, in their order; which turn comes next is read from the conversation, as with the model server. */
export function scriptedModel(script: Turn[] | Scenario, options: ScriptedModelOptions = {}): ScriptedModel {
  const scenario = Array.isArray(script) ? { turns: script } : script;
  return new ModelOfScript(new Script(scenario, options.values ? { values: options.values } : {}), options);
}

/** The whole request as canonical JSON: what `prepare` gives as bytes. */
interface RequestBody {
  model: string;
  maxOutput: number;
  closing: boolean;
  tools: { name: string }[];
  system: string[];
  messages: Message[];
}

class ModelOfScript implements ScriptedModel {
  readonly asked: Question[] = [];
  readonly #script: Script;
  readonly #options: ScriptedModelOptions;
  #retries: RetryPolicy | undefined;
  /** Which attempt at its model a request is. */
  readonly #attempts = new WeakMap<PreparedRequest, number>();

  constructor(script: Script, options: ScriptedModelOptions) {
    this.#script = script;
    this.#options = options;
  }

  prepare(view: View, ask: AskModel): Promise<PreparedRequest> {
    const { setup } = view;
    this.#retries = setup?.retries;
    const { turn, attempt, maxOutput, closing, route } = ask;
    const target = setup === undefined ? undefined : targetNamed(setup, route?.to, route?.role);
    const own = target === undefined ? { wire: 'script', model: 'script' } : sourceOf(target);
    const source = this.#options.source ?? own;
    const tools = setup?.tools ?? [];
    const system = setup?.system ?? [];
    const messages = messagesOf(view);
    const content = { model: source.model, maxOutput, closing, tools, system, messages } satisfies RequestBody;
    const body = Buffer.from(JSON.stringify(content));
    const data: EventData['request'] = {
      turn,
      attempt,
      source,
      ...(route !== undefined && { route }),
      fingerprint: createHash('sha256').update(body).digest('hex'),
      base: null,
      kept: 0,
      tail: body.toString(),
      bytes: body.length,
      extends: true,
      reserved: { input: estimatedInput(view, target), output: maxOutput },
      ...(closing ? { closing } : {}),
    };
    const request = { data, body };
    const before = target === undefined ? undefined : view.failures.get(targetName(target));
    this.#attempts.set(request, (before?.attempts ?? 0) + 1);
    return Promise.resolve(request);
  }

  async send(request: PreparedRequest, id: EventId, signal: AbortSignal, notify: Notify): Promise<ModelOutcome> {
    const aborted = new Promise<'aborted'>((resolve) => {
      if (signal.aborted) resolve('aborted');
      signal.addEventListener('abort', () => resolve('aborted'), { once: true });
    });
    const answered = this.#answer(request, id, signal, notify);
    const outcome = await Promise.race([answered, aborted]);
    return outcome === 'aborted' ? failure('cancelled', 'request-cancelled', 'The request was cancelled.') : outcome;
  }

  async #answer(request: PreparedRequest, id: EventId, signal: AbortSignal, notify: Notify): Promise<ModelOutcome> {
    if (signal.aborted) return failure('cancelled', 'request-cancelled', 'The request was cancelled.');
    const began = this.#now();
    const question = questionOf(JSON.parse(Buffer.from(request.body).toString()) as RequestBody);
    this.asked.push(question);
    await this.#options.onRequest?.(question, request);
    const choice = this.#script.choose(question);
    if (choice.kind === 'refusal') return failure('content', 'provider-rejected', choice.message);
    if (choice.reply.wait) await this.#options.clock?.sleep(began + choice.reply.wait, signal);
    if (choice.kind === 'failure') return this.#fail(choice.failure, request);
    const parts = partsOf(choice.reply, question, choice.place);
    if (!signal.aborted) announce(parts, id, notify);
    const usage = usageOf(choice.reply, request);
    const elapsed = this.#now() - began;
    const stop = stopOf(choice.reply, parts);
    return {
      kind: 'reply',
      data: { source: request.data.source, parts, ...stop, ...usage, firstByte: elapsed, elapsed },
    };
  }

  /** The failure as the loop sees it, with the time of the next try where another try makes sense. */
  #fail(scripted: Exclude<ScriptedFailure, { reply: unknown }>, request: PreparedRequest): ModelOutcome {
    const { class: kind, code, message } = judge(scripted);
    const status = 'status' in scripted ? { status: scripted.status } : {};
    const passes = kind === 'retryable' || kind === 'wait' || kind === 'broken-stream';
    const tries = kind === 'broken-stream' ? this.#retries?.brokenStream : this.#retries?.attempts;
    const attempt = this.#attempts.get(request) ?? request.data.attempt;
    if (!passes || attempt >= (tries ?? Infinity)) return failure(kind, code, message, status);
    const pause = (this.#retries?.firstPause ?? 1000) * 2 ** (attempt - 1);
    const told = 'status' in scripted ? scripted.retryAfter : undefined;
    const retryAt = this.#now() + Math.max(pause, (told ?? 0) * 1000);
    return failure(kind, code, message, { ...status, retryAt });
  }

  #now(): number {
    return this.#options.clock?.now() ?? Date.now();
  }
}

function failure(
  kind: FailureClass,
  code: ErrorCode,
  message: string,
  more: { status?: number; retryAt?: number } = {},
): ModelOutcome {
  return { kind: 'failure', data: { class: kind, code, message, ...more } };
}

function judge(scripted: Exclude<ScriptedFailure, { reply: unknown }>): {
  class: FailureClass;
  code: ErrorCode;
  message: string;
} {
  if ('silence' in scripted) {
    return { class: 'broken-stream', code: 'silence-timeout', message: 'The reply stopped in the middle.' };
  }
  if (!('status' in scripted)) {
    return { class: 'broken-stream', code: 'stream-cut', message: 'The reply ended before its end.' };
  }
  const { status, message = `scripted status ${status}` } = scripted;
  if (status === 401 || status === 403) return { class: 'auth', code: 'provider-auth', message };
  if (status === 402) return { class: 'quota', code: 'provider-quota', message };
  if (status === 413) return { class: 'overflow', code: 'context-overflow', message };
  if (status === 429) return { class: 'wait', code: 'rate-limited', message };
  if (status === 503 || status === 529) return { class: 'retryable', code: 'provider-overloaded', message };
  if (status >= 500) return { class: 'retryable', code: 'provider-error', message };
  return { class: 'content', code: 'provider-rejected', message };
}

function questionOf(body: RequestBody): Question {
  return {
    model: body.model,
    stream: true,
    maxOutput: body.maxOutput,
    system: body.system.join('\n'),
    tools: body.tools.map((tool) => tool.name),
    messages: body.messages.map(askedMessage),
  };
}

function askedMessage(message: Message): AskedMessage {
  const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    role: message.role,
    text: texts.join('\n'),
    results: message.parts.flatMap((part) => (part.type === 'result' ? [part] : [])),
    calls: message.parts.flatMap((part) => (part.type === 'call' ? [{ id: part.id, name: part.name }] : [])),
    images: message.parts.flatMap((part) => (part.type === 'image' ? [part] : [])).length,
    blocks: message.parts.length,
  };
}

function partsOf(reply: ScriptedReply, question: Question, place: string): ReplyPart[] {
  return blocksOf(reply).map((block, index): ReplyPart => {
    switch (block.kind) {
      case 'thinking':
        return { type: 'thinking', text: block.text, opaque: { type: 'thinking', thinking: block.text } };
      case 'text':
        return { type: 'text', text: block.text };
      case 'redacted':
        return { type: 'opaque', opaque: { type: 'redacted', data: block.text } };
      case 'opaque':
        return { type: 'opaque', opaque: block.block };
      default: {
        const { name, malformed } = block;
        const id = block.id ?? freeId(question, `${place} ${index}`, callId);
        const args = malformed === undefined ? block.arguments : {};
        return { type: 'call', id, name, arguments: args, ...(malformed === undefined ? {} : { malformed }) };
      }
    }
  });
}

const callId = (seed: string): string => `call_${createHash('sha256').update(seed).digest('hex').slice(0, 16)}`;

function announce(parts: ReplyPart[], request: EventId, notify: Notify): void {
  let index = 0;
  for (const part of parts) {
    if (part.type === 'call') notify({ type: 'call', request, index: index++, name: part.name });
    if (part.type === 'text' || part.type === 'thinking') notify({ type: part.type, request, delta: part.text });
  }
}

const stops: readonly string[] = ['end', 'calls', 'length', 'pause', 'refusal', 'overflow'];

function stopOf(reply: ScriptedReply, parts: ReplyPart[]): { stop: ReplyStop; stopRaw: string; stopDetail?: string } {
  const word = reply.stop ?? (parts.some((part) => part.type === 'call') ? 'calls' : 'end');
  const stop = stops.includes(word) ? (word as ReplyStop) : 'other';
  return { stop, stopRaw: word, ...(reply.stopDetail === undefined ? {} : { stopDetail: reply.stopDetail }) };
}

function usageOf(reply: ScriptedReply, request: PreparedRequest): { usage?: Usage } {
  if (reply.usage === 'none') return {};
  if (reply.usage) return { usage: reply.usage };
  return { usage: { input: estimateTokens(request.data.bytes), output: estimateTokens(outputText(reply).length) } };
}
