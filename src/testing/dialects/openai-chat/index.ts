/** The Chat Completions API of OpenAI, as many others speak it too. */
import type { JsonObject } from '../../../core/index.ts';
import type { ScriptedReply } from '../../scenario/index.ts';
import type { Question } from '../../script/index.ts';
import type { Dialect, ReplyContext } from '../dialect.ts';
import { errorBody, isObject, IssuedReasoning, limitHeaders, overloadedStatus } from '../openai/index.ts';
import { rawDeltas, rememberReasoning } from './reasoning.ts';
import { eventText, outBlocks, streamReply, wholeReply, type OutBlock } from './reply.ts';
import { canonicalParts, readQuestion } from './request.ts';
import { firstViolation } from './strict/index.ts';

export function openaiChat(): Dialect {
  const issued = new IssuedReasoning();
  const withUsage = new WeakSet<Question>();
  const issue = (reply: ScriptedReply, context: ReplyContext): OutBlock[] => {
    const blocks = outBlocks(reply, context);
    const deltas = reply.raw ? rawDeltas(reply.raw) : blocks.map((block) => block.whole);
    rememberReasoning(issued, context.question.model, deltas);
    return blocks;
  };
  return {
    route: (method, path) => (method === 'POST' && path.endsWith('/chat/completions') ? 'reply' : undefined),
    read(body) {
      const question = readQuestion(body);
      if (asksForUsage(body)) withUsage.add(question);
      return question;
    },
    check: (body, options) => firstViolation(body, options, issued),
    canonical: canonicalParts,
    stream: (reply, context) =>
      streamReply(reply, context, issue(reply, context), { includeUsage: withUsage.has(context.question) }),
    whole: (reply, context) => wholeReply(reply, context, issue(reply, context)),
    // The wire has no request for it; nobody is routed here.
    counted: (tokens) => ({ total_tokens: tokens }),
    error: (status, message, type) => errorBody(status, message, type),
    errorEvent: (message, type) => eventText(errorBody(overloadedStatus, message, type)),
    headers: limitHeaders,
  };
}

const asksForUsage = ({ stream_options: options }: JsonObject): boolean =>
  isObject(options) && options['include_usage'] === true;
