/** How the server proves its own thinking: a proof can be checked again also by a server that was started later. */
import { createHash } from 'node:crypto';

const digest = (model: string, text: string): Buffer =>
  createHash('sha512').update(`reins model server\n${model}\n${text}`).digest();

/** The signature of thinking by this model. */
export const sign = (model: string, thinking: string): string => digest(model, thinking).toString('base64');

/** Thinking that only the server can read. */
export const seal = (model: string, thinking: string): string =>
  Buffer.concat([digest(model, thinking), Buffer.from(thinking)]).toString('base64');

/** What is in a seal; undefined when it isn't one of this model. */
export function unseal(model: string, sealed: string): string | undefined {
  const thinking = Buffer.from(sealed, 'base64').subarray(64).toString();
  return sealed === seal(model, thinking) ? thinking : undefined;
}

/** An id that looks like a provider's, the same for the same seed. */
export const idOf = (prefix: string, seed: string, length = 22): string =>
  `${prefix}${createHash('sha256').update(seed).digest('base64url').replace(/[-_]/g, 'x').slice(0, length)}`;
