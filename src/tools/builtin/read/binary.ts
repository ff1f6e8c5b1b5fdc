/** Binary files: what they are, and how to look into them. */
import type { CallOutcome } from '../../../core/index.ts';
import { anyCommands, binaryKindOf } from '../../content/index.ts';
import { count } from '../../text/index.ts';
import type { Subject } from './subject.ts';

const bytesShown = 16;

export function describeBinary({ name, state: { bytes } }: Subject): CallOutcome {
  const start = bytes
    .subarray(0, bytesShown)
    .toString('hex')
    .replaceAll(/(..)(?=.)/g, '$1 ');
  const kind = binaryKindOf(bytes);
  const what = kind === undefined ? '' : `, probably ${kind.name}`;
  const how = `Look into it with a command, such as ${kind?.commands ?? anyCommands}.`;
  const text = `${name} is binary: ${count(bytes.length, 'byte')}, beginning with ${start}${what}. It isn’t shown and can’t be edited as text. ${how}`;
  return { outcome: 'ok', text };
}
