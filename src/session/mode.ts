import type { Mode } from '../core/index.ts';
import { oneOf, type Words } from './shape.ts';

export const mode = oneOf({ plan: true, ask: true, edit: true, auto: true, unsafe: true } satisfies Words<Mode>);
