/** Reads requests of the Responses API: in neutral words, and as the sequence that a cache sees. */
import type { JsonObject } from '../../../core/index.ts';
import type { AskedMessage, Question } from '../../script/index.ts';
import type { CanonicalPart } from '../dialect.ts';
import {
  askedMessage,
  asList,
  asText,
  cachedByItself,
  CallNames,
  joinNeighbours,
  objectsIn,
  part,
} from '../openai/index.ts';
import { contentParts, isOutput, outputTypeFor, speakerOf, splitSystem, textIn, typeOf } from './shape.ts';

/** `items` is everything that the request is about, in its order. */
export function readQuestion(body: JsonObject, items: JsonObject[]): Question {
  const { system, conversation } = splitSystem(items);
  const names = new CallNames();
  const most = body['max_output_tokens'];
  const prompt = [asText(body['instructions']), ...system.map((item) => textIn(item['content']))];
  return {
    model: asText(body['model']),
    stream: body['stream'] === true,
    maxOutput: typeof most === 'number' ? most : 0,
    system: prompt.filter((text) => text !== '').join('\n'),
    tools: objectsIn(body['tools']).map((tool) => asText(tool['name'])),
    messages: joinNeighbours(conversation.flatMap((item) => readItem(item, names) ?? [])),
  };
}

/** An item in neutral words; a system message in mid-conversation counts as the user's. */
function readItem(item: JsonObject, names: CallNames): AskedMessage | undefined {
  const type = typeOf(item);
  const speaker = speakerOf(item);
  if (speaker === undefined) return undefined;
  if (isOutput(type)) {
    const result = names.result(asText(item['call_id']), textIn(item['output']));
    return askedMessage('user', { results: [result], images: imagesIn(item), blocks: 1 });
  }
  const role = speaker === 'model' ? 'assistant' : 'user';
  if (outputTypeFor(type) !== undefined) {
    return askedMessage(role, { calls: [names.add(asText(item['call_id']), asText(item['name']))], blocks: 1 });
  }
  if (type !== 'message') return askedMessage(role, { blocks: 1 });
  const { content } = item;
  return askedMessage(role, { text: textIn(content), images: imagesIn(item), blocks: contentParts(content).length });
}

function imagesIn({ content, output }: JsonObject): number {
  return objectsIn(contentParts(content ?? output)).filter((each) => each['type'] === 'input_image').length;
}

/** Tools, system and messages as a cache compares them, without the marks themselves. */
export function canonicalParts(body: JsonObject, items: JsonObject[]): CanonicalPart[] {
  const { system, conversation } = splitSystem(items);
  const { instructions } = body;
  return cachedByItself([
    ...asList(body['tools']).map((tool) => part('tools', '', tool)),
    ...(instructions === undefined || instructions === null ? [] : [part('system', 'instructions', instructions)]),
    ...system.flatMap((item) => partsOf('system', item)),
    ...conversation.flatMap((item) => partsOf('messages', item)),
  ]);
}

/** A message part by part, whichever way it is written; any other item as a whole. */
function partsOf(of: CanonicalPart['of'], item: JsonObject): CanonicalPart[] {
  if (typeOf(item) !== 'message') return [part(of, '', item)];
  const role = asText(item['role']);
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return contentParts(item['content'], type).map((each) => part(of, role, each));
}
