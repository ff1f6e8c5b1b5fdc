/** Checks calls against their responses, and signatures against what was issued. */
import type { JsonObject } from '../../../../core/index.ts';
import { signsAlways, type IssuedParts } from '../issued.ts';
import { asText, callParts, heldIn, isObject, objectsIn, rawContents, requestOf, type RawContent } from '../shape.ts';
import { isBase64, type Findings } from './findings.ts';

const callsIn = (content: RawContent | undefined): JsonObject[] =>
  content?.role === 'model' ? heldIn(content.parts, 'functionCall') : [];

const responsesIn = (content: RawContent | undefined): JsonObject[] =>
  content?.role === 'user' ? heldIn(content.parts, 'functionResponse') : [];

/** Each turn with calls is followed by one with as many responses, of the same names and, where given, ids. */
export function* checkCalls(body: JsonObject): Findings {
  const contents = rawContents(requestOf(body));
  for (const content of contents) {
    const calls = callsIn(content);
    const responses = responsesIn(contents[content.index + 1]);
    if (calls.length > 0 && calls.length !== responses.length) {
      const message =
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
      yield { rule: 'results', message };
    } else if (calls.length > 0) yield* checkPairs(calls, responses, content.index + 1);
    if (responsesIn(content).length > 0 && callsIn(contents[content.index - 1]).length === 0) {
      const message = 'Please ensure that function response turn comes immediately after a function call turn.';
      yield { rule: 'orphan-results', message };
    }
  }
}

function* checkPairs(calls: JsonObject[], responses: JsonObject[], index: number): Findings {
  const names = calls.map(({ name }) => name);
  const ids = calls.map(({ id }) => id);
  for (const { name, id } of responses) {
    const place = names.indexOf(name);
    if (place < 0) {
      const message = `contents[${index}]: there is no open function call of the name ${asText(name)} in the turn before.`;
      yield { rule: 'orphan-results', message };
    } else names.splice(place, 1);
    if (id === undefined) continue;
    const known = ids.indexOf(id);
    if (known < 0) {
      const message = `contents[${index}]: there is no open function call of the id ${asText(id)} in the turn before.`;
      yield { rule: 'ids', message };
    } else ids.splice(known, 1);
  }
}

/** A signature goes back as it came, on the part that it came on, to the model that it came from. */
export function* checkSignatures(body: JsonObject, model: string, issued: IssuedParts): Findings {
  const contents = rawContents(requestOf(body));
  for (const { index, parts } of contents) {
    for (const part of objectsIn(parts)) {
      const { thoughtSignature: proof } = part;
      if (proof === undefined) continue;
      const where = `contents[${index}]`;
      if (!isBase64(proof)) {
        const message = `Invalid value at '${where}.thought_signature' (TYPE_BYTES), Base64 decoding failed`;
        yield { rule: 'signatures', message };
        continue;
      }
      const verdict = issued.judge(model, part);
      if (verdict === 'unknown') yield { rule: 'signatures', message: `${where}: Thought signature is not valid.` };
      if (verdict !== 'elsewhere') continue;
      const message = `${where}: Thought signature is not valid: it must stay on the part that it came on, unchanged.`;
      yield { rule: 'signatures', message };
    }
  }
  yield* checkCurrentTurn(contents, model, issued);
}

/** Since the last word of the user, the first call of each step must have its signature. */
function* checkCurrentTurn(contents: RawContent[], model: string, issued: IssuedParts): Findings {
  const start = contents.findLastIndex((content) => content.role === 'user' && responsesIn(content).length === 0);
  let messages = 0;
  for (const { index, role, parts } of contents) {
    // Neighbours of one role count as one message.
    const isNew = contents[index - 1]?.role !== role;
    if (isNew) messages += 1;
    const [first] = role === 'model' ? callParts(parts) : [];
    if (!first || index < start || first['thoughtSignature'] !== undefined) continue;
    if (!signsAlways(model) && !issued.wasSigned(model, messages - 1, first)) continue;
    const call = first['functionCall'];
    const name = isObject(call) ? asText(call['name']) : '';
    const message = `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\`, position ${index + 1}.`;
    yield { rule: 'signatures', message };
  }
}
