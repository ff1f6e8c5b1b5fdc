/** The output items of a scripted reply. */
import type { JsonObject } from '../../../core/index.ts';
import type { ScriptedReply } from '../../scenario/index.ts';
import { blocksOf, freeId, type Block } from '../../script/index.ts';
import type { ReplyContext } from '../dialect.ts';
import { idOf, seal } from '../seals.ts';
import { asksForSeals, customTools } from './shape.ts';

/** Which events carry the text of an item. */
export type Carrier = 'text' | 'refusal' | 'summary' | 'arguments' | 'input';

export interface OutItem {
  kind: Block['kind'];
  /** The item when it is done, and at its start. */
  whole: JsonObject;
  opening: JsonObject;
  /** The text that arrives in pieces; absent when the item comes at once. */
  text?: string;
  carrier?: Carrier;
}

/** Why a reply is incomplete; the words that are missing here are ordinary ends. */
const incompleteReasons: { [word: string]: string } = {
  length: 'max_output_tokens',
  overflow: 'max_output_tokens',
  refusal: 'content_filter',
};

/** Why a reply is incomplete, undefined when it isn't; a word that isn't a neutral one is the reason itself. */
export function incompleteReason({ stop }: ScriptedReply): string | undefined {
  if (stop === undefined || ['end', 'calls', 'pause'].includes(stop)) return undefined;
  return Object.hasOwn(incompleteReasons, stop) ? incompleteReasons[stop] : stop;
}

/** What of a request decides over the form of the items. */
interface Form {
  sealed: boolean;
  custom: Set<string>;
  /** Status of an item that the end of the reply fell into. */
  lastStatus: 'completed' | 'incomplete';
  refused: boolean;
}

export function outItems(reply: ScriptedReply, context: ReplyContext, body: JsonObject): OutItem[] {
  const { place, question } = context;
  const form: Form = {
    sealed: asksForSeals(body),
    custom: customTools(body),
    lastStatus: incompleteReason(reply) === undefined ? 'completed' : 'incomplete',
    refused: reply.stop === 'refusal',
  };
  const blocks = saidBlocks(reply);
  return blocks.map((block, index): OutItem => {
    const seed = `${place} ${question.messages.length} ${index}`;
    const last = index === blocks.length - 1;
    const status = last ? form.lastStatus : 'completed';
    if (block.kind === 'opaque') return { kind: 'opaque', whole: block.block, opening: block.block };
    if (block.kind === 'text') {
      const callsFollow = blocks.slice(index).some(({ kind }) => kind === 'call');
      return outMessage(block.text, { id: idOf('msg_', seed, 48), status, phase: phase(callsFollow) }, form.refused);
    }
    if (block.kind === 'call') {
      const callId = block.id ?? freeId(question, `${place} ${index}`, (free) => idOf('call_', free, 24));
      return form.custom.has(block.name)
        ? outCustomCall(block, { id: idOf('ctc_', seed, 48), call_id: callId })
        : outCall(block, { id: idOf('fc_', seed, 48), status, call_id: callId });
    }
    const sealed = form.sealed && { encrypted_content: seal(question.model, block.text) };
    return outReasoning(block, { id: idOf('rs_', seed, 48), type: 'reasoning' }, sealed || {});
  });
}

/** The blocks of a reply; a refusal without a word says its explanation. */
function saidBlocks(reply: ScriptedReply): Block[] {
  const blocks = blocksOf(reply);
  const explains = reply.stop === 'refusal' && reply.stopDetail !== undefined;
  if (!explains || blocks.some(({ kind }) => kind === 'text')) return blocks;
  return [...blocks, { kind: 'text', text: reply.stopDetail ?? '' }];
}

const phase = (callsFollow: boolean): string => (callsFollow ? 'commentary' : 'final_answer');

/** A part of a message's content. */
export const textPart = (text: string): JsonObject => ({ type: 'output_text', annotations: [], logprobs: [], text });
export const refusalPart = (refusal: string): JsonObject => ({ type: 'refusal', refusal });
export const summaryPart = (text: string): JsonObject => ({ type: 'summary_text', text });

function outMessage(
  text: string,
  { id, status, phase: of }: { id: string; status: string; phase: string },
  refused: boolean,
): OutItem {
  const message = (state: string, content: JsonObject[]) => {
    return { id, type: 'message', status: state, role: 'assistant', content, phase: of };
  };
  return {
    kind: 'text',
    whole: message(status, [refused ? refusalPart(text) : textPart(text)]),
    opening: message('in_progress', []),
    text,
    carrier: refused ? 'refusal' : 'text',
  };
}

type ScriptedCall = Extract<Block, { kind: 'call' }>;

function outCall(
  block: ScriptedCall,
  { id, status, call_id }: { id: string; status: string; call_id: string },
): OutItem {
  const call = { id, type: 'function_call', call_id, name: block.name };
  const text = block.malformed ?? JSON.stringify(block.arguments);
  return {
    kind: 'call',
    whole: { ...call, arguments: text, status },
    opening: { ...call, arguments: '', status: 'in_progress' },
    text,
    carrier: 'arguments',
  };
}

function outCustomCall(block: ScriptedCall, { id, call_id }: { id: string; call_id: string }): OutItem {
  const call = { id, type: 'custom_tool_call', call_id, name: block.name };
  const text = customInput(block);
  return {
    kind: 'call',
    whole: { ...call, input: text },
    opening: { ...call, input: '' },
    text,
    carrier: 'input',
  };
}

/** The text for a custom tool: `input`, else the only argument; what isn't one text goes as JSON. */
function customInput({ malformed, arguments: given }: ScriptedCall): string {
  if (malformed !== undefined) return malformed;
  const [only, ...more] = Object.values(given);
  const text = given['input'] ?? (more.length === 0 ? only : undefined);
  return typeof text === 'string' ? text : JSON.stringify(given);
}

function outReasoning(
  block: Extract<Block, { kind: 'thinking' | 'redacted' }>,
  head: JsonObject,
  sealed: JsonObject,
): OutItem {
  const opening = { ...head, summary: [] };
  if (block.kind === 'redacted' || block.text === '') {
    return { kind: block.kind, whole: { ...opening, ...sealed }, opening };
  }
  const whole = { ...head, summary: [summaryPart(block.text)], ...sealed };
  return { kind: 'thinking', whole, opening, text: block.text, carrier: 'summary' };
}
