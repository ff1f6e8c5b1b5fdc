/** The strict mode of Chat Completions: what real providers refuse, refused permanently and by name. */
import type { JsonObject } from '../../../../core/index.ts';
import type { CheckOptions, Violation } from '../../dialect.ts';
import { asText, checkBody, firstOf, type Findings, type IssuedReasoning } from '../../openai/index.ts';
import { foreignReasoning } from '../reasoning.ts';
import { rawMessages } from '../shape.ts';
import { checkCalls } from './calls.ts';
import { checkEnvelope } from './envelope.ts';
import { checkMarks } from './marks.ts';
import { checkMessages } from './messages.ts';

/** The first rule that a request breaks, those left out that `options` excepts. */
export const firstViolation = (
  body: JsonObject,
  options: CheckOptions,
  issued: IssuedReasoning,
): Violation | undefined => firstOf(allViolations(body, options, issued), options);

function* allViolations(body: JsonObject, options: CheckOptions, issued: IssuedReasoning): Findings {
  yield* checkBody(body, options);
  yield* checkEnvelope(body);
  yield* checkMarks(body);
  yield* checkMessages(body, options);
  yield* checkCalls(body);
  yield* checkReasoning(body, issued);
  yield* checkWindow(body, options);
}

/** Reasoning goes back as it came, to the model it came from, or not at all. */
function* checkReasoning(body: JsonObject, issued: IssuedReasoning): Findings {
  const model = asText(body['model']);
  for (const { role, index, message } of rawMessages(body)) {
    const foreign = role === 'assistant' ? foreignReasoning(issued, model, message) : undefined;
    if (foreign === undefined) continue;
    yield {
      rule: 'signatures',
      message: `Invalid 'messages[${index}].${foreign}': it is not reasoning that this model has given in this form.`,
    };
  }
}

function* checkWindow(body: JsonObject, { window, inputTokens: input }: CheckOptions): Findings {
  const most = body['max_completion_tokens'] ?? body['max_tokens'];
  const output = typeof most === 'number' ? most : 0;
  const limit = `This model's maximum context length is ${window} tokens.`;
  if (input > window) {
    yield {
      rule: 'window',
      message: `${limit} However, your messages resulted in ${input} tokens. Please reduce the length of the messages.`,
    };
  } else if (input + output > window) {
    yield {
      rule: 'window',
      message: `${limit} However, you requested ${input + output} tokens (${input} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`,
    };
  }
}
