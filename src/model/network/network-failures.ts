/** What the network did, in the one classification of failures. */
import type { ErrorCode, FailureClass } from '../../core/index.ts';
import type { BrokenProblem, HttpEnd } from './exchange.ts';
import type { ProviderFailure } from '../failures/index.ts';

type Ended = Extract<HttpEnd, { kind: 'broken' | 'aborted' }>;

const classes: { [P in BrokenProblem]: { class: FailureClass; code: ErrorCode; final?: true } } = {
  refused: { class: 'unreachable', code: 'connect-failed' },
  timeout: { class: 'unreachable', code: 'connect-timeout' },
  // A certificate doesn't become trusted by asking again, and asking elsewhere would be no better.
  certificate: { class: 'unreachable', code: 'connect-failed', final: true },
  proxy: { class: 'unreachable', code: 'connect-failed' },
  'proxy-login': { class: 'auth', code: 'connect-failed', final: true },
  lost: { class: 'broken-stream', code: 'stream-cut' },
  aborted: { class: 'cancelled', code: 'request-cancelled' },
  'first-byte-timeout': { class: 'broken-stream', code: 'first-byte-timeout' },
  'silence-timeout': { class: 'broken-stream', code: 'silence-timeout' },
  'not-http': { class: 'protocol', code: 'stream-invalid' },
  // Characters that HTTP doesn't allow come from a key that was pasted with its line end.
  'bad-request': { class: 'auth', code: 'provider-auth', final: true },
};

export function networkFailure(end: Ended): ProviderFailure {
  if (end.kind === 'aborted') return { ...classes.aborted, message: 'The request was cancelled.' };
  if (end.problem === 'lost' && !end.sent) return { ...classes.refused, message: end.message };
  return { ...classes[end.problem], message: end.message };
}
