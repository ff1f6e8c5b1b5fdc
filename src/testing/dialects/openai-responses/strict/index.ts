/** The strict mode of the Responses API: what the real provider refuses, refused permanently and by name. */
import type { JsonObject } from '../../../../core/index.ts';
import type { CheckOptions, Violation } from '../../dialect.ts';
import { checkBody, firstOf, type Findings } from '../../openai/index.ts';
import { checkCalls } from './calls.ts';
import { checkEnvelope } from './envelope.ts';
import { checkInput } from './items.ts';
import type { Memory } from './memory.ts';
import { checkKnown, checkReasoning } from './reasoning.ts';
import { checkTools } from './tools.ts';

/** The first rule that a request breaks, those left out that `options` excepts. */
export const firstViolation = (body: JsonObject, options: CheckOptions, memory: Memory): Violation | undefined =>
  firstOf(allViolations(body, options, memory), options);

function* allViolations(body: JsonObject, options: CheckOptions, { issued, given }: Memory): Findings {
  const items = given.inputOf(body);
  yield* checkBody(body, options);
  yield* checkEnvelope(body, options);
  yield* checkTools(body);
  yield* checkInput(body, items, options);
  yield* checkCalls(items);
  yield* checkKnown(body, items, given);
  yield* checkReasoning(body, items, { issued, given });
  yield* checkWindow(body, options);
}

function* checkWindow(body: JsonObject, { window, inputTokens, counting }: CheckOptions): Findings {
  const most = body['max_output_tokens'];
  if (counting || inputTokens + (typeof most === 'number' ? most : 0) <= window) return;
  yield {
    rule: 'window',
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  };
}
