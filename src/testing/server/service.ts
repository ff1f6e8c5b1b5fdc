/** Takes requests from their arrival to their answer: record, refuse or answer, and remember what became of them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject, Usage } from '../../core/index.ts';
import { allDialects, type CanonicalPart, type Dialect, type StreamPlan } from '../dialects/index.ts';
import { stageOf, type Scenario, type ScriptedReply, type StrictOptions, type StrictRule } from '../scenario/index.ts';
import { estimateTokens, outputText, Script } from '../script/index.ts';
import { parseBody, pathOf, readBody } from './body.ts';
import { Holds } from './holds.ts';
import { CacheModel, PrefixWatch } from './prefix.ts';
import { RequestLog, withoutKeys, type RecordedRequest, type RequestOutcome } from './record.ts';
import { sendReply, statusHeaders, type Failure } from './send.ts';

/** What a handler answers: a reply, a failure, or a reply that fails on its way. */
export type Answer = ScriptedReply | Failure | { reply: ScriptedReply; failure: Failure };
export type Handler = (request: RecordedRequest) => Answer | Promise<Answer>;

export interface ServiceOptions {
  /** What to put in the place of `${name}` in a scenario; one that mentions `${workspace}` needs that. */
  values?: { [name: string]: string };
  /** Whether bad requests are refused; goes before what the scenario says. Default true. */
  strict?: boolean | StrictOptions;
  /** Context window in tokens; goes before what the scenario says. Default 200,000. */
  window?: number;
  /** The only key that is let in; default any, or none. */
  key?: string;
  /** Whether requests are kept; default true. A long rehearsal that nobody inspects needs no memory of them. */
  record?: boolean;
}

/** A request that was refused, and why. */
export interface Refusal {
  /** Number of the request; 0 when it wasn't one for a reply. */
  request: number;
  rule: StrictRule | 'over' | 'expectation' | 'handler' | 'json' | 'key' | 'path';
  message: string;
}

const defaultWindow = 200_000;
const noReply: ScriptedReply = { blocks: [] };

/** One request on its way. */
interface Exchange {
  dialect: Dialect;
  record: RecordedRequest;
  response: ServerResponse;
  requestId: string;
  counting: boolean;
  gone: AbortSignal;
}

export class Service {
  readonly log = new RequestLog();
  readonly refusals: Refusal[] = [];
  readonly prefix = new PrefixWatch();
  readonly holds = new Holds();
  readonly #dialects = allDialects();
  readonly #cache = new CacheModel();
  readonly #options: ServiceOptions;
  readonly #strict: boolean | StrictOptions;
  readonly #window: number;
  readonly #model: string | undefined;
  readonly #script: Script | undefined;
  readonly #handler: Handler | undefined;
  #replies = 0;
  #arrived = 0;
  #paused = false;

  constructor(source: Scenario | Handler, options: ServiceOptions) {
    this.#options = options;
    const scenario = typeof source === 'function' ? undefined : source;
    this.#handler = typeof source === 'function' ? source : undefined;
    this.#script = scenario && new Script(scenario, options);
    this.#model = scenario?.model;
    this.#strict = options.strict ?? scenario?.strict ?? true;
    this.#window = options.window ?? scenario?.window ?? defaultWindow;
  }

  /** Rejects only when the connection breaks while the request arrives. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const bytes = await readBody(request);
    const method = request.method ?? '';
    const path = pathOf(request);
    const dialect = this.#dialects.find((candidate) => candidate.route(method, path));
    const counting = dialect?.route(method, path) !== 'reply';
    const finished = Promise.withResolvers<RequestOutcome>();
    const body = parseBody(bytes);
    const reader = dialect ?? this.#dialects[0];
    const record: RecordedRequest = {
      number: counting ? 0 : (this.#replies += 1),
      at: Date.now(),
      method,
      path,
      headers: withoutKeys(request.headers),
      bytes,
      body: body ?? {},
      question: reader.read(body ?? {}, path),
      finished: finished.promise,
    };
    if (!counting && this.#options.record !== false) this.log.add(record);
    const requestId = `req_01${String((this.#arrived += 1)).padStart(22, '0')}`;
    const exchange = { dialect: reader, record, response, requestId, counting, gone: gone.signal };
    const outcome = await this.#outcome(exchange, dialect !== undefined, body !== undefined, request);
    record.outcome = outcome;
    this.holds.ended(record);
    finished.resolve(outcome);
  }

  async #outcome(
    exchange: Exchange,
    known: boolean,
    isJson: boolean,
    request: IncomingMessage,
  ): Promise<RequestOutcome> {
    const { record } = exchange;
    if (!known) return this.#refuse(exchange, 404, 'path', `Not found: ${record.method} ${record.path}`);
    if (!this.#isLetIn(request)) return this.#refuse(exchange, 401, 'key', 'invalid x-api-key');
    if (!isJson) return this.#refuse(exchange, 400, 'json', 'The request body is not valid JSON');
    try {
      const outcome = await this.#answer(exchange);
      if (outcome !== 'replied') return outcome;
      await ended(exchange.response);
      return exchange.response.writableFinished ? 'replied' : 'aborted';
    } catch (error) {
      // Whatever is thrown once the client has gone only says that it has.
      if (exchange.gone.aborted) return 'aborted';
      return this.#refuse(exchange, 400, 'handler', `the answer failed: ${String(error)}`);
    }
  }

  #isLetIn({ headers }: IncomingMessage): boolean {
    const { key } = this.#options;
    if (key === undefined) return true;
    const given = [headers['x-api-key'], headers['x-goog-api-key'], headers.authorization?.replace(/^Bearer /, '')];
    return given.includes(key);
  }

  async #answer(exchange: Exchange): Promise<RequestOutcome> {
    const { record, dialect, counting } = exchange;
    const parts = dialect.canonical(record.body);
    const inputTokens = parts.reduce((total, part) => total + part.tokens, 0);
    if (this.#strict !== false) {
      const violation = dialect.check(record.body, {
        ...(this.#strict === true ? {} : this.#strict),
        window: this.#window,
        inputTokens,
        bytes: record.bytes.length,
        headers: record.headers,
        path: record.path,
        paused: this.#script?.isPaused(record.question) ?? this.#paused,
        counting,
      });
      if (violation) return this.#refuse(exchange, violation.status ?? 400, violation.rule, violation.message);
    }
    if (counting) {
      this.#sendJson(exchange, 200, dialect.counted(inputTokens));
      return 'replied';
    }
    const goesOn = record.question.messages.some((message) => message.role === 'assistant');
    this.prefix.observe(record.number, parts, goesOn);
    const chosen = await this.#choose(record);
    if ('message' in chosen) return this.#refuse(exchange, 400, chosen.rule, chosen.message);
    if (chosen.failure && 'status' in chosen.failure) return this.#sendStatus(exchange, chosen.failure);
    return this.#send(exchange, chosen, parts, inputTokens);
  }

  async #choose(
    record: RecordedRequest,
  ): Promise<{ reply: ScriptedReply; failure: Failure | undefined } | { rule: Refusal['rule']; message: string }> {
    if (this.#handler) return withFailure(await this.#handler(record));
    const choice = this.#script?.choose(record.question);
    if (!choice) throw new TypeError('A server always has a script or a handler.');
    if (choice.kind === 'refusal') return choice;
    record.place = choice.place;
    return { reply: choice.reply, failure: choice.kind === 'failure' ? choice.failure : undefined };
  }

  async #send(
    exchange: Exchange,
    chosen: { reply: ScriptedReply; failure: Failure | undefined },
    parts: CanonicalPart[],
    inputTokens: number,
  ): Promise<RequestOutcome> {
    const { record, dialect, requestId, response, gone } = exchange;
    const { reply, failure } = chosen;
    const { question } = record;
    if (failure && 'status' in failure) return this.#sendStatus(exchange, failure);
    const usage = this.#usage(reply, question.model, parts);
    const context = {
      question,
      model: this.#model ?? question.model,
      place: record.place ?? 'handler',
      ...(usage === undefined ? {} : { usage }),
    };
    const streamed = question.stream || reply.raw !== undefined;
    const plan = streamed ? dialect.stream(reply, context) : wholePlan(dialect.whole(reply, context));
    if (failure && 'streamError' in failure && !streamed) {
      return this.#sendStatus(exchange, { ...failure, status: 529 });
    }
    const stage = failure && stageOf(failure);
    if (stage && stage !== 'before-headers' && plan.stages[stage] === undefined) {
      return this.#refuse(exchange, 400, 'handler', `the reply never comes to the stage ${stage}`);
    }
    const type = streamed ? 'text/event-stream; charset=utf-8' : 'application/json';
    const error = failure && 'streamError' in failure ? failure : undefined;
    this.#paused = reply.stop === 'pause';
    return sendReply(response, {
      ...plan,
      headers: { 'content-type': type, 'cache-control': 'no-cache', ...dialect.headers(requestId, inputTokens) },
      reply,
      failure,
      errorEvent: dialect.errorEvent(error?.message ?? 'Overloaded', error?.error),
      gone,
      ...(this.holds.has(record) ? { pass: (at) => this.holds.pass(record, at) } : {}),
    });
  }

  /** What the reply reports: what it says itself, else an estimate that goes by the cache marks of the request. */
  #usage(reply: ScriptedReply, model: string, parts: CanonicalPart[]): Usage | undefined {
    if (reply.usage === 'none') return undefined;
    const billed = this.#cache.bill(model, parts);
    return reply.usage ?? { ...billed, output: Math.max(1, estimateTokens(outputText(reply).length)) };
  }

  async #sendStatus(exchange: Exchange, failure: Extract<Failure, { status: unknown }>): Promise<RequestOutcome> {
    const { response, dialect, requestId, record } = exchange;
    await this.holds.pass(record, 'before-headers');
    const { status, message = `scripted status ${failure.status}`, error, body } = failure;
    const content = body ?? dialect.error(status, message, error, requestId);
    response.writeHead(status, { ...dialect.headers(requestId, 0), ...statusHeaders(failure) });
    response.end(typeof content === 'string' ? content : JSON.stringify(content));
    return 'failed';
  }

  #refuse(exchange: Exchange, status: number, rule: Refusal['rule'], message: string): RequestOutcome {
    const { record, dialect, requestId } = exchange;
    this.refusals.push({ request: record.number, rule, message });
    this.#sendJson(exchange, status, dialect.error(status, message, undefined, requestId));
    return 'refused';
  }

  #sendJson({ response, dialect, requestId }: Exchange, status: number, body: JsonObject): void {
    response.writeHead(status, { 'content-type': 'application/json', ...dialect.headers(requestId, 0) });
    response.end(JSON.stringify(body));
  }
}

function withFailure(answer: Answer): { reply: ScriptedReply; failure: Failure | undefined } {
  if ('failure' in answer) return answer;
  const fails =
    'status' in answer || 'cut' in answer || 'silence' in answer || 'streamError' in answer || 'close' in answer;
  return fails ? { reply: noReply, failure: answer } : { reply: answer, failure: undefined };
}

/** A reply that isn't streamed has a middle and an end, whatever is in it. */
function wholePlan(body: JsonObject): StreamPlan {
  const text = JSON.stringify(body);
  const middle = Math.floor(text.length / 2);
  return {
    events: [text.slice(0, middle), text.slice(middle, -1), text.slice(-1)],
    stages: { 'after-headers': 0, 'in-thinking': 1, 'in-text': 1, 'in-call': 1, 'before-end': 2 },
  };
}

/** Resolves when everything has left, or nothing more can. */
function ended(response: ServerResponse): Promise<void> {
  if (response.writableFinished || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('finish', resolve);
    response.once('close', resolve);
  });
}
