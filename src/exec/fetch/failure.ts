/** What went wrong on the way, in words that hold nothing of what the other side said. */

/** `transient`: it may work if it is tried again at once. */
export interface Failure {
  refused: string;
  transient?: true;
}

export class FetchFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure | string) {
    const known = typeof failure === 'string' ? { refused: failure } : failure;
    super(known.refused);
    this.name = 'FetchFailure';
    this.failure = known;
  }
}

const passing = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
]);
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO|ERR_SSL|ERR_TLS|EPROTO/;
const malformed = /^(HPE_|Z_|ERR_BROTLI|ERR_ZLIB|ERR_STREAM|ERR__ERROR|ERR_PADDING|ERR_)/;

/** The failure behind an error of a connection to `place`. */
export function failureOf(error: unknown, place: string): Failure {
  if (error instanceof FetchFailure) return error.failure;
  const code = codeOf(error);
  if (untrusted.test(code)) return { refused: `There is no trusted TLS connection to ${place} (${code}).` };
  if (malformed.test(code)) return { refused: `What ${place} sent can’t be read as HTTP, or is damaged (${code}).` };
  return failureWith(`The connection to ${place} failed`, code);
}

/** A failure that a code of Node explains. */
export function failureWith(text: string, code: string): Failure {
  const refused = `${text} (${code}).`;
  return passing.has(code) ? { refused, transient: true } : { refused };
}

/** The code of an error of Node, for several addresses of one name that of the first. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
