/** Checks what refers to something the server must know: stored responses and items, and reasoning against what was issued. */
import type { JsonObject } from '../../../../core/index.ts';
import { asText, type Findings } from '../../openai/index.ts';
import type { GivenResponses } from '../given.ts';
import { asksForSeals, effortOf, outputTypeFor, speakerOf, typeOf } from '../shape.ts';
import type { Memory } from './memory.ts';

/** Only what was stored can be referred to. */
export function* checkKnown(body: JsonObject, items: JsonObject[], given: GivenResponses): Findings {
  const { previous_response_id: previous, conversation } = body;
  if (typeof previous === 'string' && !given.hasResponse(previous)) {
    yield { rule: 'signatures', message: `Previous response with id '${previous}' not found.` };
  }
  if (conversation !== undefined && conversation !== null) {
    yield { rule: 'signatures', status: 404, message: 'Conversation not found: this server keeps none.' };
  }
  for (const item of items) {
    const id = asText(item['id']);
    const isSealed = typeof item['encrypted_content'] === 'string' && item['encrypted_content'] !== '';
    const needsStore = typeOf(item) === 'item_reference' || (typeOf(item) === 'reasoning' && !isSealed);
    if (!needsStore || given.hasItem(id)) continue;
    yield {
      rule: 'signatures',
      status: 404,
      message: `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    };
  }
}

/** Reasoning goes back to the model it came from, in front of what it led to; with the latest calls it must go back at all. */
export function* checkReasoning(body: JsonObject, items: JsonObject[], { issued, given }: Memory): Findings {
  const model = asText(body['model']);
  for (const [index, item] of items.entries()) {
    if (typeOf(item) !== 'reasoning') continue;
    const id = asText(item['id']);
    const sealed = asText(item['encrypted_content']);
    if (sealed !== '' && !issued.isSealed(model, sealed)) {
      yield {
        rule: 'signatures',
        message: `The encrypted content ${sealed.slice(0, 4)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
      };
    }
    const following = items.slice(index + 1).find((next) => typeOf(next) !== 'reasoning');
    if (following && speakerOf(following) === 'model') continue;
    yield {
      rule: 'signatures',
      message: `Item '${id}' of type 'reasoning' was provided without its required following item.`,
    };
  }
  if (asksForSeals(body) && effortOf(body) !== 'none') yield* checkLatest(model, items, given);
}

/** The latest calls come with the reasoning that led to them, where the server knows it. */
function* checkLatest(model: string, items: JsonObject[], given: GivenResponses): Findings {
  const end = items.findLastIndex((item) => speakerOf(item) === 'model') + 1;
  const start = items.slice(0, end).findLastIndex((item) => speakerOf(item) !== 'model') + 1;
  const call = items.slice(start, end).findLast((item) => outputTypeFor(typeOf(item)) !== undefined);
  if (!call) return;
  const thought = given.thoughtOf(model, asText(call['call_id'])) ?? [];
  const sent = new Set(items.map((item) => item['encrypted_content']));
  const missing = thought.find(({ encrypted_content: sealed }) => typeof sealed === 'string' && !sent.has(sealed));
  if (!missing) return;
  yield {
    rule: 'signatures',
    message: `Item '${asText(call['id'])}' of type '${typeOf(call)}' was provided without its required 'reasoning' item: '${asText(missing['id'])}'.`,
  };
}
