import type { Fragment } from '../fragment.ts';

/** Models that need some fragments in other words. Only what they were seen to do otherwise is a reason for one. */
export interface Family {
  /** Of the model's name without its maker, in lower case. */
  models: RegExp;
  /** In place of the fragments of the same names. */
  fragments: { readonly [name: string]: Fragment };
}
