/** Reads a recorded stream of Anthropic's Messages API by adding up its deltas, block by block. */
import type { Json, JsonObject, ReplyStop } from '../../../core/index.ts';
import {
  complaint,
  countOf,
  cut,
  isObject,
  objectOf,
  objectsIn,
  settled,
  textOf,
  type NoReading,
  type ReadCall,
  type Reading,
  type RecordedEvent,
} from '../reading.ts';

const stops: { [word: string]: ReplyStop } = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'calls',
  max_tokens: 'length',
  pause_turn: 'pause',
  compaction: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'overflow',
};

interface Block {
  kind: string;
  block: JsonObject;
  text: string;
  json: string;
}

export function readAnthropic(events: RecordedEvent[]): Reading | NoReading {
  const blocks: Block[] = [];
  const open = new Map<Json | undefined, Block>();
  let usage: JsonObject = {};
  let word = '';
  let id = '';
  for (const { name, data, raw } of events) {
    if (data === undefined && name !== undefined && !/^(?:message|content_block|error)/.test(name)) continue;
    if (data === undefined) return { failure: `an event is no JSON: ${raw.slice(0, 80)}` };
    const event = objectOf(data);
    const delta = objectOf(event['delta']);
    switch (event['type']) {
      case 'error':
        return complaint(event);
      case 'message_start': {
        const message = objectOf(event['message']);
        const own = textOf(message['id']) || id;
        if (id !== '' && own !== id && blocks.length > 0) return { failure: 'a second reply begins within the first' };
        // What stands at its place from the beginning is all that there is of it.
        if (blocks.length === 0) blocks.push(...objectsIn(message['content']).map(begun));
        id = own;
        word = textOf(message['stop_reason']) || word;
        usage = { ...usage, ...atStart(message, word !== ''), ...reportedIn(usage) };
        break;
      }
      case 'content_block_start': {
        const block = begun(objectOf(event['content_block']));
        blocks.push(block);
        open.set(event['index'], block);
        break;
      }
      case 'content_block_delta': {
        const block = open.get(event['index']);
        if (!block) return { failure: 'a delta has no block that it belongs to' };
        block.json += textOf(delta['partial_json']);
        block.text += textOf(delta[block.kind]);
        break;
      }
      case 'message_delta':
        word = textOf(delta['stop_reason']) || word;
        usage = { ...usage, ...told(event['usage']) };
        break;
      case 'message_stop':
        return reading(blocks, word, usage);
      default:
        break;
    }
  }
  return cut;
}

/** A block's text, or its thinking, may have begun at its start. */
function begun(block: JsonObject): Block {
  const kind = textOf(block['type']);
  return { kind, block, text: textOf(block[kind]), json: '' };
}

/** The output of a beginning is an estimate, unless the end is told with it. */
function atStart(message: JsonObject, ended: boolean): JsonObject {
  const { output_tokens: output, ...reported } = told(message['usage']);
  return ended && output !== undefined ? { ...reported, output_tokens: output } : reported;
}

/** What a beginning that is told once more doesn’t change. */
const reportedIn = (usage: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== 0));

const told = (usage: Json | undefined): JsonObject =>
  Object.fromEntries(Object.entries(objectOf(usage)).filter(([, value]) => value !== null));

/** What the model itself says, thinks and calls. */
const ownKinds = ['text', 'thinking', 'redacted_thinking', 'tool_use'];

function reading(blocks: Block[], word: string, usage: JsonObject): Reading {
  const of = (kind: string) => blocks.filter((block) => block.kind === kind);
  const texts = (kind: string) => of(kind).map(({ text }) => text);
  const calls = of('tool_use').map(readCall);
  return {
    text: texts('text').join(''),
    reasoning: texts('thinking'),
    calls,
    others: blocks.filter(({ kind }) => !ownKinds.includes(kind)).length,
    stop: settled(Object.hasOwn(stops, word) ? stops[word] : undefined, calls),
    word,
    usage: {
      input: countOf(usage['input_tokens']),
      cacheRead: countOf(usage['cache_read_input_tokens']),
      cacheWrite: countOf(usage['cache_creation_input_tokens']),
      output: countOf(usage['output_tokens']),
      reasoning: countOf(objectOf(usage['output_tokens_details'])['thinking_tokens']),
    },
  };
}

function readCall({ block, json }: Block): ReadCall {
  const whole = isObject(block['input']) ? JSON.stringify(block['input']) : '{}';
  return { id: textOf(block['id']), name: textOf(block['name']), json: json.trim() === '' ? whole : json };
}
