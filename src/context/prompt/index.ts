/** The door of the prompt: its fragments, and the lines that depend on a run. */
import { care } from './care.ts';
import { data } from './data.ts';
import { ending } from './ending.ts';
import type { Fragment } from './fragment.ts';
import { honesty } from './honesty.ts';
import { instructions } from './instructions.ts';
import { map } from './map.ts';
import { memory } from './memory.ts';
import { preamble } from './preamble.ts';
import { role } from './role.ts';
import { work } from './work.ts';

export { families, familyOf } from './families/index.ts';
export { styles } from './styles/index.ts';
export type { Fragment } from './fragment.ts';
export { checksText } from './checks.ts';
export { modeText } from './mode.ts';
export { placeText, type Place } from './place.ts';
export { sandboxText, sandboxTexts } from './sandbox.ts';

/** The fragments of the static layer, in their order. */
export const fragments: { readonly [name: string]: Fragment } = { role, work, honesty, data, care, ending };

/** Fragments of the standing layers, each only where there is something to say. */
export const standingFragments = { instructions, memory, preamble, map } as const satisfies {
  readonly [name: string]: Fragment;
};
