/** OpenAI Responses: a reply out of the events of its stream. */
import type { CallPart, Json, JsonObject, ReplyPart, ReplyStop, ToolSpec, Usage } from '../../../core/index.ts';
import { brokenStream, classify, complaintOf, emptyReply, type ProviderFailure } from '../../failures/index.ts';
import { mostItems, OutputItems, type OutputItem } from '../../reading/index.ts';
import {
  countOf,
  hasMore,
  isEmptyReply,
  isObject,
  parseArguments,
  parseObject,
  reportedUsage,
  settledStop,
  textOf,
  uncached,
} from '../../reply.ts';
import type { SseEvent } from '../../network/index.ts';
import { toolNames } from '../../sending/index.ts';
import type { Decoded, DecodedReply, Decoder, Delta, Expected } from '../../wire.ts';
import { growing, incompleteReasons, knownEvents, toolRule, type StreamEvent } from './schema.ts';

export function createDecoder(show: (delta: Delta) => void, { tools }: Expected): Decoder {
  return new ResponseDecoder(show, tools);
}

class ResponseDecoder implements Decoder {
  private readonly show: (delta: Delta) => void;
  private readonly tools: readonly ToolSpec[];
  private readonly items = new OutputItems();
  /** The response as the last event that holds it tells it. */
  private response: JsonObject = {};
  private reported: JsonObject | undefined;
  private providerId: string | undefined;
  private ending: 'completed' | 'incomplete' | undefined;
  private calls = 0;
  private failure: ProviderFailure | undefined;

  constructor(show: (delta: Delta) => void, tools: readonly ToolSpec[]) {
    this.show = show;
    this.tools = tools;
  }

  get done(): boolean {
    return this.ending !== undefined || this.failure !== undefined;
  }

  get usage(): Usage | undefined {
    return this.reported === undefined ? undefined : usageOf(this.reported);
  }

  get outputCharacters(): number {
    return this.items.characters;
  }

  push(event: SseEvent): void {
    if (this.done) return;
    const name = event.event ?? 'message';
    if (name !== 'message' && !knownEvents.has(name)) return;
    const content = parseObject(event.data);
    if (content !== undefined) {
      this.take(textOf(content['type']) || name, content);
      if (!this.done && this.items.count > mostItems)
        this.failure = brokenStream(`The reply has over ${mostItems} items.`);
      return;
    }
    // Some servers end every stream as that of another protocol ends.
    if (event.data.trim() === '[DONE]') return;
    this.failure = brokenStream(`An event of the reply is no JSON object: ${event.data.slice(0, 200)}`);
  }

  end(): Decoded {
    if (this.failure !== undefined) return { kind: 'failure', failure: this.failure };
    if (this.ending === undefined) return { kind: 'failure', failure: brokenStream() };
    const items = this.items.whole(outputOf(this.response));
    const parts = items.flatMap((item) => partsOf(item, this.tools));
    const refusal = items.map(refusalIn).join('');
    const { told, raw } = this.told(this.ending);
    const stop = told === 'end' && isOnlyRefusal(parts, refusal) ? 'refusal' : settledStop(told, parts);
    // What nobody here interprets may be all there is to say.
    const isSilent = isEmptyReply(stop, parts) && !parts.some((part) => part.type === 'opaque');
    if (isSilent) return { kind: 'failure', failure: emptyReply(raw) };
    const detail = stop === 'refusal' && refusal !== '' ? { stopDetail: refusal } : {};
    return { kind: 'reply', reply: { parts, stop, stopRaw: raw, ...detail, ...this.facts() } };
  }

  private facts(): Pick<DecodedReply, 'usage' | 'providerId'> {
    const { usage, providerId } = this;
    return { ...(usage === undefined ? {} : { usage }), ...(providerId === undefined ? {} : { providerId }) };
  }

  private told(ending: 'completed' | 'incomplete'): { told: ReplyStop; raw: string } {
    if (ending === 'completed') return { told: 'end', raw: ending };
    const details = this.response['incomplete_details'];
    const reason = isObject(details) ? textOf(details['reason']) : '';
    const known = Object.hasOwn(incompleteReasons, reason) ? incompleteReasons[reason] : undefined;
    return { told: known ?? 'length', raw: reason || ending };
  }

  private take(type: string, event: StreamEvent & JsonObject): void {
    if (isObject(event.response)) this.hear(event.response);
    if (Object.hasOwn(growing, type)) return this.grow(type, event);
    switch (type) {
      case 'response.output_item.added':
        return isObject(event.item)
          ? this.display(this.items.open(event.item, countOf(event.output_index)))
          : undefined;
      case 'response.output_item.done':
        return isObject(event.item)
          ? this.display(this.items.close(event.item, countOf(event.output_index)))
          : undefined;
      case 'response.completed':
      case 'response.incomplete':
        return this.finish(type);
      case 'response.failed':
      case 'error':
        return this.fail(event);
      case 'response.cancelled':
        this.failure = brokenStream('The provider cancelled the reply.');
        return undefined;
      default:
        // An error without a name, as gateways send it.
        return isObject(event.error) ? this.fail(event) : undefined;
    }
  }

  private hear(response: JsonObject): void {
    this.response = response;
    if (textOf(response['id']) !== '') this.providerId = textOf(response['id']);
    if (isObject(response['usage'])) this.reported = response['usage'];
  }

  private fail(event: JsonObject): void {
    this.failure = classify({ ...complaintOf(event), headers: {}, now: 0 });
  }

  private finish(type: string): void {
    const { status } = this.response;
    if (status === 'failed') return this.fail({ response: this.response });
    this.ending = type === 'response.incomplete' || status === 'incomplete' ? 'incomplete' : 'completed';
    // What came only at the end is shown then.
    for (const item of this.items.unshown(outputOf(this.response))) this.display(item);
    return undefined;
  }

  private grow(type: string, event: StreamEvent): void {
    const growth = growing[type];
    if (growth === undefined) return;
    const place = { id: textOf(event.item_id), index: countOf(event.output_index) };
    const item = this.items.growing(place, growth.item);
    const delta = item.grow(
      textOf(event.delta),
      growth.field,
      countOf(event.summary_index ?? event.content_index) ?? 0,
    );
    if (growth.shown === undefined || delta === '') return;
    item.shown = true;
    this.show({ type: growth.shown, delta });
  }

  /** A call is shown as soon as its name is known; a text that came in one piece, when it is there. */
  private display(item: OutputItem): void {
    if (item.shown) return;
    for (const part of partsOf(item.item, this.tools)) {
      const delta = part.type === 'call' ? this.calls : 0;
      const shown = shownOf(part, delta);
      if (shown === undefined) continue;
      item.shown = true;
      if (shown.type === 'call') this.calls += 1;
      this.show(shown);
    }
  }
}

function shownOf(part: ReplyPart, index: number): Delta | undefined {
  if (part.type === 'opaque') return undefined;
  if (part.type === 'call') return part.name === '' ? undefined : { type: 'call', index, name: part.name };
  return part.text === '' ? undefined : { type: part.type, delta: part.text };
}

function outputOf(response: JsonObject): JsonObject[] {
  const { output } = response;
  return Array.isArray(output) ? output.filter(isObject) : [];
}

function partsOf(item: JsonObject, tools: readonly ToolSpec[]): ReplyPart[] {
  switch (item['type']) {
    case 'message':
      return messagePart(item);
    case 'reasoning':
      return reasoningPart(item);
    case 'function_call':
      return [functionPart(item, tools)];
    case 'custom_tool_call':
      return [customPart(item, tools)];
    default:
      return [{ type: 'opaque', opaque: item }];
  }
}

/** What was said and what was declined, as one text. The item is kept where it says more: its phase, say. */
function messagePart(item: JsonObject): ReplyPart[] {
  const contents = contentsOf(item['content']);
  const text = textsOf(contents, 'text') + refusalIn(item);
  const isPlain = contents.length <= 1 && contents.every((content) => !hasMore(content, ['type', 'text', 'logprobs']));
  const more = !isPlain || hasMore(item, ['type', 'id', 'status', 'role', 'content']);
  if (text === '' && !more) return [];
  return [{ type: 'text', text, ...(more ? { opaque: item } : {}) }];
}

/** What can't be read again by the model, nor by the provider for it, can be shown but not sent back. */
function reasoningPart(item: JsonObject): ReplyPart[] {
  const thoughts = contentsOf(item['content']);
  const texts = [...contentsOf(item['summary']), ...thoughts]
    .map(({ text }) => textOf(text))
    .filter((text) => text !== '');
  const isWhole = textOf(item['encrypted_content']) !== '' || textsOf(thoughts, 'text') !== '';
  if (texts.length === 0 && !isWhole) return [];
  return [{ type: 'thinking', text: texts.join('\n\n'), ...(isWhole ? { opaque: item } : {}) }];
}

function functionPart(item: JsonObject, tools: readonly ToolSpec[]): CallPart {
  const given = item['arguments'];
  const parsed = isObject(given) ? { arguments: given } : parseArguments(textOf(given));
  const more = hasMore(item, ['type', 'id', 'status', 'call_id', 'name', 'arguments']);
  return { ...callHead(item, tools), ...parsed, ...(more ? { opaque: item } : {}) };
}

/** The text of a tool that takes text is the argument that it stands for. */
function customPart(item: JsonObject, tools: readonly ToolSpec[]): CallPart {
  const head = callHead(item, tools);
  const input = textOf(item['input']);
  const argument = tools.find((tool) => tool.name === head.name)?.text?.argument;
  if (argument === undefined) return { ...head, ...parseArguments(input), opaque: item };
  const more = hasMore(item, ['type', 'id', 'status', 'call_id', 'name', 'input']);
  return { ...head, arguments: { [argument]: input }, ...(more ? { opaque: item } : {}) };
}

function callHead(item: JsonObject, tools: readonly ToolSpec[]): Pick<CallPart, 'type' | 'id' | 'name'> {
  const name = toolNames(tools, toolRule).own(textOf(item['name']));
  return { type: 'call', id: textOf(item['call_id']) || textOf(item['id']), name };
}

function contentsOf(list: Json | undefined): JsonObject[] {
  if (typeof list === 'string') return [{ type: 'output_text', text: list }];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function textsOf(contents: readonly JsonObject[], key: string): string {
  return contents.map((content) => textOf(content[key])).join('');
}

function refusalIn(item: JsonObject): string {
  return item['type'] === 'message' ? textsOf(contentsOf(item['content']), 'refusal') : '';
}

/** Whether a refusal is all that was said. */
function isOnlyRefusal(parts: readonly ReplyPart[], refusal: string): boolean {
  if (refusal === '' || parts.some((part) => part.type === 'call')) return false;
  const said = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
  return said.trim() === refusal.trim();
}

/** What was read from or written to a cache is part of the input as it is reported. */
function usageOf(reported: JsonObject): Usage | undefined {
  const inputs = isObject(reported['input_tokens_details']) ? reported['input_tokens_details'] : {};
  const outputs = isObject(reported['output_tokens_details']) ? reported['output_tokens_details'] : {};
  const all = countOf(reported['input_tokens']);
  const cacheRead = countOf(inputs['cached_tokens']);
  const cacheWrite = countOf(inputs['cache_write_tokens']);
  const figures = {
    input: uncached(uncached(all, cacheRead), cacheWrite),
    cacheRead,
    cacheWrite,
    output: countOf(reported['output_tokens']),
    reasoning: countOf(outputs['reasoning_tokens']),
  };
  return reportedUsage(figures);
}
