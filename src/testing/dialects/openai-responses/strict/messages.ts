/** Checks messages: roles, and the parts of their content. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import { asText, faults, imageFault, isBlank, isObject, unknownKeys, type Findings } from '../../openai/index.ts';
import { speakerOf } from '../shape.ts';
import { partKeys } from './keys.ts';

const roles = ['assistant', 'system', 'developer', 'user'];
const phases = ['commentary', 'final_answer'];

export function* checkMessage(item: JsonObject, where: string): Findings {
  const { content, phase } = item;
  const speaker = speakerOf(item);
  if (speaker === undefined) yield { rule: 'roles', message: faults.wrongValue(asText(item['role']), roles) };
  if (phase !== undefined && phase !== null && !(speaker === 'model' && phases.includes(asText(phase)))) {
    yield { rule: 'input', message: `${faults.wrongValue(asText(phase), phases)} - '${where}.phase'` };
  }
  if (typeof content === 'string') {
    if (isBlank(content)) yield { rule: 'blank', message: faults.emptyText(`${where}.content`) };
  } else if (!Array.isArray(content)) {
    yield { rule: 'input', message: faults.wrongType(`${where}.content`, 'a string or an array of parts') };
  } else if (content.length === 0) yield { rule: 'blank', message: faults.emptyList(`${where}.content`) };
  else yield* checkParts(content, speaker === 'model' ? 'model' : 'user', `${where}.content`);
}

export function* checkParts(parts: Json[], side: 'user' | 'model', where: string): Findings {
  const allowed = partKeys[side];
  for (const [index, part] of parts.entries()) {
    const place = `${where}[${index}]`;
    const type = isObject(part) ? asText(part['type']) : '';
    const keys = Object.hasOwn(allowed, type) ? allowed[type] : undefined;
    if (!isObject(part) || keys === undefined) {
      yield { rule: 'input', message: `${faults.wrongValue(type, Object.keys(allowed))} - '${place}'` };
      continue;
    }
    if (keys !== 'any') yield* unknownKeys(part, keys, (key) => faults.unknownParameter(`${place}.${key}`));
    if ((type === 'input_text' || type === 'output_text') && isBlank(part['text'])) {
      yield { rule: 'blank', message: faults.emptyText(`${place}.text`) };
    }
    if (type === 'refusal' && isBlank(part['refusal'])) {
      yield { rule: 'blank', message: faults.emptyText(`${place}.refusal`) };
    }
    if (type === 'input_image') yield* checkImage(part);
  }
}

function* checkImage({ image_url: url, file_id: file }: JsonObject): Findings {
  if (typeof file === 'string' && (url === undefined || url === null)) return;
  const fault = imageFault(asText(url));
  if (fault !== undefined) yield { rule: 'images', message: fault };
}
