/** The styles in which a model may be asked to write, as data; users add their own as files. */
import type { Fragment } from '../fragment.ts';
import { concise } from './concise.ts';
import { explanatory } from './explanatory.ts';

/** `default` adds nothing. */
export const styles: { readonly [name: string]: Fragment } = { concise, explanatory };
