/** What kind of failure something is that a tool has thrown. */
import type { FailureKind } from '../../core/index.ts';

/** Codes of Node and of its fetch for what may be over at the next try. */
const passing = new Set(
  [
    'ECONNRESET ECONNREFUSED ECONNABORTED EPIPE ETIMEDOUT EAI_AGAIN',
    'ENETDOWN ENETRESET ENETUNREACH EHOSTDOWN EHOSTUNREACH',
    'EAGAIN EBUSY EINTR EMFILE ENFILE ENOBUFS ETXTBSY',
    'UND_ERR_SOCKET UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT',
  ].flatMap((codes) => codes.split(' ')),
);
/** An error can be the cause of another; a ring of causes is cut here. */
const deepest = 5;

/** A fault that may pass, a time limit that the tool has set itself, or else a defect of it. */
export function kindOf(thrown: unknown): FailureKind {
  const chain = causesOf(thrown, deepest);
  if (chain.some(({ code }) => typeof code === 'string' && passing.has(code))) return 'transient';
  return chain.some(({ name }) => name === 'TimeoutError') ? 'timeout' : 'internal';
}

type Thrown = { code?: unknown; name?: unknown; cause?: unknown; errors?: unknown };

function causesOf(thrown: unknown, depth: number): Thrown[] {
  if (typeof thrown !== 'object' || thrown === null || depth === 0) return [];
  const { cause, errors } = thrown as Thrown;
  const parts = Array.isArray(errors) ? errors : [];
  return [thrown, ...[cause, ...parts].flatMap((part) => causesOf(part, depth - 1))];
}
