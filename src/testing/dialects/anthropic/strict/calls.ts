/** Checks calls against their results, and thinking against what was issued. */
import type { JsonObject } from '../../../../core/index.ts';
import { isThinking, thinkingKey, type IssuedReplies } from '../issued.ts';
import { asText, blocksOfType, isObject, joinedMessages, objectsIn, rawMessages, type RawMessage } from '../shape.ts';
import type { Findings } from './findings.ts';

const idPattern = /^[a-zA-Z0-9_-]+$/;
const namePattern = /^[a-zA-Z0-9_-]{1,128}$/;

/** Each call has exactly one result right after it, results come first, and none is without its call. */
export function* checkCalls(body: JsonObject): Findings {
  const messages = joinedMessages(body);
  const seen = new Set<string>();
  for (const [place, message] of messages.entries()) {
    if (message.role === 'assistant') {
      yield* checkCallShapes(message, seen);
      yield* checkAnswered(message, messages[place + 1]);
    } else yield* checkAnswers(message, messages[place - 1]);
  }
}

function* checkCallShapes(message: RawMessage, seen: Set<string>): Findings {
  for (const call of blocksOfType(message, 'tool_use')) {
    const id = asText(call['id']);
    const where = `messages.${message.index}.tool_use`;
    if (!idPattern.test(id)) {
      yield { rule: 'ids', message: `${where}.id: String should match pattern '${idPattern.source}'` };
    }
    if (seen.has(id)) yield { rule: 'ids', message: `${where}: \`tool_use\` ids must be unique` };
    seen.add(id);
    if (!namePattern.test(asText(call['name']))) {
      yield { rule: 'input', message: `${where}.name: String should match pattern '${namePattern.source}'` };
    }
    if (!isObject(call['input'])) {
      yield { rule: 'input', message: `${where}.input: Input should be a valid dictionary` };
    }
  }
}

function* checkAnswered(message: RawMessage, next: RawMessage | undefined): Findings {
  const answered = blocksOfType(next, 'tool_result').map((result) => asText(result['tool_use_id']));
  const open = blocksOfType(message, 'tool_use')
    .map((call) => asText(call['id']))
    .filter((id) => !answered.includes(id));
  if (open.length === 0) return;
  yield {
    rule: 'results',
    message: `messages.${message.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  };
}

function* checkAnswers(message: RawMessage, previous: RawMessage | undefined): Findings {
  const blocks = objectsIn(message.blocks);
  const results = blocksOfType(message, 'tool_result').map((result) => asText(result['tool_use_id']));
  const calls = blocksOfType(previous, 'tool_use').map((call) => asText(call['id']));
  const orphan = results.find((id) => !calls.includes(id));
  if (orphan !== undefined) {
    yield {
      rule: 'orphan-results',
      message: `messages.${message.index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    };
  }
  const twice = results.find((id, index) => results.indexOf(id) !== index);
  if (twice !== undefined) {
    yield {
      rule: 'results',
      message: `messages.${message.index}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`,
    };
  }
  const late = blocks.findLastIndex((block) => block['type'] === 'tool_result') >= results.length;
  if (late) {
    yield {
      rule: 'results',
      message: `messages.${message.index}: \`tool_result\` blocks must come before all other content`,
    };
  }
}

/** Thinking goes back as it came, to the model it came from; with the latest calls it must go back at all. */
export function* checkThinking(body: JsonObject, issued: IssuedReplies): Findings {
  const model = asText(body['model']);
  const replies = rawMessages(body).filter((message) => message.role === 'assistant');
  for (const { index, blocks } of replies) {
    const foreign = objectsIn(blocks).find((block) => isThinking(block) && !issued.isIssued(model, block));
    if (!foreign) continue;
    yield {
      rule: 'signatures',
      message: `messages.${index}.content: Invalid \`signature\` in \`${asText(foreign['type'])}\` block`,
    };
  }
  const off = isObject(body['thinking']) && body['thinking']['type'] === 'disabled';
  const latest = replies.at(-1);
  const callId = asText(blocksOfType(latest, 'tool_use').at(-1)?.['id']);
  const thought = issued.thinkingOf(model, callId);
  if (!latest || !thought || off) return;
  const sent = objectsIn(latest.blocks).filter(isThinking).map(thinkingKey);
  // What came before a pause may be joined to it in front.
  if (sent.slice(sent.length - thought.length).join() === thought.join()) return;
  yield {
    rule: 'signatures',
    message: `messages.${latest.index}.content: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
  };
}
