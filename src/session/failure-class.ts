/** The classes of what goes wrong with a provider. */
import type { FailureClass } from '../core/index.ts';
import { oneOf, type Words } from './shape.ts';

export const failureClass = oneOf({
  retryable: true,
  wait: true,
  'broken-stream': true,
  unreachable: true,
  auth: true,
  quota: true,
  overflow: true,
  content: true,
  protocol: true,
  cancelled: true,
} satisfies Words<FailureClass>);
