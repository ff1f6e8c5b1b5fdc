/** The Gemini API of Google: generateContent, streamed and whole, and countTokens. */
import type { JsonObject } from '../../../core/index.ts';
import type { ScriptedReply } from '../../scenario/index.ts';
import type { Dialect, ReplyContext } from '../dialect.ts';
import { addressOf } from './address.ts';
import { IssuedParts, partsInRaw } from './issued.ts';
import { eventText, outParts, streamReply, wholeReply, type OutPart } from './reply.ts';
import { canonicalParts, readQuestion } from './request.ts';
import { firstViolation } from './strict/index.ts';

/** The words of google.rpc.Code for HTTP statuses. */
const statusWords: { [status: number]: string } = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
};

const wordOf = (status: number): string => statusWords[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');

/** The status that a word stands for; one that isn't known is the server's own fault. */
function statusOf(word: string): number {
  const status = Object.keys(statusWords).find((known) => statusWords[Number(known)] === word);
  return status === undefined ? 500 : Number(status);
}

const errorBody = (code: number, message: string, status: string): JsonObject => ({
  error: { code, message, status, details: [] },
});

export function gemini(): Dialect {
  const issued = new IssuedParts();
  const issue = (reply: ScriptedReply, { question }: ReplyContext, streamed: boolean): OutPart[] => {
    const { model, messages } = question;
    const parts = reply.raw ? [] : outParts(reply, model, streamed);
    const sent = reply.raw ? partsInRaw(reply.raw as (string | JsonObject)[]) : parts.map(({ part }) => part);
    issued.remember(model, messages.length, sent);
    return parts;
  };
  return {
    route(method, path) {
      const address = method === 'POST' ? addressOf(path) : undefined;
      if (!address) return undefined;
      return address.method === 'countTokens' ? 'count' : 'reply';
    },
    read: readQuestion,
    check: (body, options) => firstViolation(body, options, issued),
    canonical: canonicalParts,
    stream: (reply, context) => streamReply(reply, context, issue(reply, context, true)),
    whole: (reply, context) => wholeReply(reply, context, issue(reply, context, false)),
    counted: (tokens) => ({ totalTokens: tokens }),
    error: (status, message, type) => errorBody(status, message, type ?? wordOf(status)),
    errorEvent: (message, type = 'UNAVAILABLE') => eventText(errorBody(statusOf(type), message, type)),
    // The provider sends neither limits nor the id of the request.
    headers: () => ({}),
  };
}
