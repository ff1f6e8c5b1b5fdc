/** Checks the contents one by one: roles, parts and what they hold. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import { asList, asText, isObject, rawContents, requestOf } from '../shape.ts';
import { invalidValue, isBase64, unknownFields, type Findings } from './findings.ts';

/** A part holds exactly one of these. */
const dataFields = [
  'text',
  'inlineData',
  'functionCall',
  'functionResponse',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
  'audioTranscription',
];

/** Fields of a part, from what the official SDK 3.3 sends to this API. */
const partFields = [
  ...dataFields,
  'thought',
  'thoughtSignature',
  'mediaResolution',
  'videoMetadata',
  'partMetadata',
  'mediaProcessing',
  'speechMetadata',
];

const imageKinds = ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'];
const mediaType = /^[a-z]+\/[a-z0-9.+-]+(?:;.*)?$/i;

export function* checkContents(body: JsonObject): Findings {
  const { contents } = requestOf(body);
  if (!Array.isArray(contents) || contents.length === 0) {
    yield { rule: 'input', message: '* GenerateContentRequest.contents: contents is not specified' };
    return;
  }
  for (const [index, content] of contents.entries()) {
    const where = `contents[${index}]`;
    if (!isObject(content)) {
      yield invalidValue(where, content);
      continue;
    }
    yield* unknownFields(content, ['role', 'parts'], where);
    const { role, parts } = content;
    const isAlone = contents.length === 1 && role === undefined;
    if (role !== 'user' && role !== 'model' && !isAlone) {
      yield { rule: 'roles', message: 'Please use a valid role: user, model.' };
    }
    if (!Array.isArray(parts) || parts.length === 0) {
      const message = `* GenerateContentRequest.${where}.parts: contents.parts must not be empty.`;
      yield { rule: 'blank', message };
    }
    for (const [place, part] of asList(parts).entries()) yield* checkPart(part, role, `${where}.parts[${place}]`);
  }
}

function* checkPart(part: Json, role: Json | undefined, where: string): Findings {
  if (!isObject(part)) {
    yield invalidValue(where, part);
    return;
  }
  yield* unknownFields(part, partFields, where);
  const held = dataFields.filter((key) => part[key] !== undefined);
  if (held.length === 0) {
    const message = `* GenerateContentRequest.${where}.data: required oneof field 'data' must have one initialized field`;
    yield { rule: 'input', message };
  }
  if (held.length > 1) {
    const message = `Invalid value at '${where}' (oneof), oneof field 'data' is already set. Cannot set '${held[1]}'`;
    yield { rule: 'input', message };
  }
  const { text, thought, inlineData, functionCall, functionResponse } = part;
  if (thought !== undefined && typeof thought !== 'boolean') yield invalidValue(`${where}.thought`, thought);
  if (text !== undefined) yield* checkText(part, where);
  if (inlineData !== undefined) yield* checkData(inlineData, `${where}.inline_data`);
  if (functionCall !== undefined) yield* checkCall(functionCall, role, `${where}.function_call`);
  if (functionResponse !== undefined) yield* checkResponse(functionResponse, role, `${where}.function_response`);
}

function* checkText({ text, thoughtSignature }: JsonObject, where: string): Findings {
  if (typeof text !== 'string') yield invalidValue(`${where}.text`, text);
  // An empty text may carry a signature, and nothing else may be empty.
  if (text !== '' || thoughtSignature !== undefined) return;
  yield { rule: 'blank', message: `${where}: Unable to submit request because it must have a text parameter.` };
}

function* checkData(data: Json, where: string): Findings {
  if (!isObject(data)) {
    yield { rule: 'images', message: `Invalid value at '${where}': an object is expected.` };
    return;
  }
  yield* unknownFields(data, ['mimeType', 'data', 'displayName'], where);
  const kind = asText(data['mimeType']);
  const isForeign = kind.startsWith('image/') && !imageKinds.includes(kind);
  if (!mediaType.test(kind) || isForeign) yield { rule: 'images', message: `Unsupported MIME type: ${kind}` };
  if (isBase64(data['data'])) return;
  yield { rule: 'images', message: `Invalid value at '${where}.data' (TYPE_BYTES), Base64 decoding failed` };
}

function* checkCall(call: Json, role: Json | undefined, where: string): Findings {
  if (role !== 'model') yield { rule: 'input', message: `${where}: function calls are the model's` };
  if (!isObject(call)) {
    yield invalidValue(where, call);
    return;
  }
  yield* unknownFields(call, ['id', 'name', 'args'], where);
  yield* checkNames(call, where);
  const { args } = call;
  if (args !== undefined && !isObject(args)) yield invalidValue(`${where}.args`, args);
}

function* checkResponse(answer: Json, role: Json | undefined, where: string): Findings {
  if (role === 'model') yield { rule: 'input', message: `${where}: function responses are the user's` };
  if (!isObject(answer)) {
    yield invalidValue(where, answer);
    return;
  }
  yield* unknownFields(answer, ['id', 'name', 'response', 'parts', 'scheduling', 'willContinue'], where);
  yield* checkNames(answer, where);
  const { response, parts } = answer;
  if (!isObject(response)) yield invalidValue(`${where}.response`, response);
  for (const [index, part] of asList(parts).entries()) {
    const place = `${where}.parts[${index}]`;
    if (!isObject(part)) {
      yield invalidValue(place, part);
      continue;
    }
    yield* unknownFields(part, ['inlineData', 'fileData'], place);
    if (part['inlineData'] !== undefined) yield* checkData(part['inlineData'], `${place}.inline_data`);
  }
}

function* checkNames({ id, name }: JsonObject, where: string): Findings {
  if (asText(name) === '') {
    const message = `* GenerateContentRequest.${where}.name: Name cannot be empty.`;
    yield { rule: 'input', message };
  }
  if (id !== undefined && typeof id !== 'string') yield invalidValue(`${where}.id`, id);
}

/** The order of the roles: the user begins and has the last word, and calls come right after the user. */
export function* checkOrder(body: JsonObject, paused: boolean): Findings {
  const contents = rawContents(requestOf(body));
  if (contents[0]?.role === 'model') {
    yield { rule: 'roles', message: 'Please ensure that the first content is of the user.' };
  }
  for (const { index, role, parts } of contents) {
    const before = contents[index - 1]?.role;
    if (role !== 'model' || before !== 'model' || !parts.some(isCall)) continue;
    const message =
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
    yield { rule: 'roles', message };
  }
  const last = contents.at(-1);
  // Calls without responses are refused as such.
  if (last?.role !== 'model' || last.parts.some(isCall) || paused) return;
  yield {
    rule: 'roles',
    message: 'Requests ending with a model turn are not supported unless the last part is a function response.',
  };
}

const isCall = (part: Json): boolean => isObject(part) && part['functionCall'] !== undefined;
