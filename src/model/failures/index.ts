/** What goes wrong with a provider, classified once for all wires, and when it is tried again. */
export {
  brokenStream,
  classify,
  complaintOf,
  emptyReply,
  notAStream,
  type Complaint,
  type ProviderFailure,
} from './failures.ts';
export { keyShapes, quote, secretsOf } from './quote.ts';
export { failureText, nextTry, type NextTry } from './retry.ts';
export type { Headers } from './told-wait.ts';
