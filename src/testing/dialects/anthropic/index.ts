/** The Messages API of Anthropic. */
import type { JsonObject } from '../../../core/index.ts';
import type { ScriptedReply } from '../../scenario/index.ts';
import type { Dialect, ReplyContext } from '../dialect.ts';
import { IssuedReplies } from './issued.ts';
import { eventText, outBlocks, streamReply, wholeReply, type OutBlock } from './reply.ts';
import { canonicalParts, readQuestion } from './request.ts';
import { firstViolation } from './strict/index.ts';

const errorTypes: { [status: number]: string } = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

const typeOf = (status: number): string => errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');

export function anthropicMessages(): Dialect {
  const issued = new IssuedReplies();
  const issue = (reply: ScriptedReply, context: ReplyContext): OutBlock[] => {
    const { model } = context.question;
    if (reply.raw) issued.rememberRaw(model, reply.raw as (string | JsonObject)[]);
    const blocks = outBlocks(reply, context);
    issued.remember(
      model,
      blocks.map((block) => block.whole),
    );
    return blocks;
  };
  return {
    route(method, path) {
      if (method !== 'POST') return undefined;
      if (path === '/v1/messages') return 'reply';
      return path === '/v1/messages/count_tokens' ? 'count' : undefined;
    },
    read: readQuestion,
    check: (body, options) => firstViolation(body, options, issued),
    canonical: canonicalParts,
    stream: (reply, context) => streamReply(reply, context, issue(reply, context)),
    whole: (reply, context) => wholeReply(reply, context, issue(reply, context)),
    counted: (tokens) => ({ input_tokens: tokens }),
    error: (status, message, type, requestId) => ({
      type: 'error',
      error: { type: type ?? typeOf(status), message },
      request_id: requestId,
    }),
    errorEvent: (message, type) => eventText({ type: 'error', error: { type: type ?? 'overloaded_error', message } }),
    headers: limitHeaders,
  };
}

const tokenLimit = 2_000_000;
const requestLimit = 4000;

/** Limits that are never reached, told as the provider tells them. */
function limitHeaders(requestId: string, inputTokens: number): { [name: string]: string } {
  const reset = new Date(Math.ceil(Date.now() / 1000) * 1000).toISOString().replace('.000', '');
  const limit = (name: string, most: number, left: number) => ({
    [`anthropic-ratelimit-${name}-limit`]: String(most),
    [`anthropic-ratelimit-${name}-remaining`]: String(left),
    [`anthropic-ratelimit-${name}-reset`]: reset,
  });
  return {
    'request-id': requestId,
    ...limit('requests', requestLimit, requestLimit - 1),
    ...limit('input-tokens', tokenLimit, Math.max(0, tokenLimit - inputTokens)),
    ...limit('output-tokens', tokenLimit, tokenLimit),
    ...limit('tokens', 2 * tokenLimit, Math.max(0, 2 * tokenLimit - inputTokens)),
  };
}
