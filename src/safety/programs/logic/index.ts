/** Logic for programs whose words data alone can't take apart, by the name that the table gives it. */
import { awk } from './awk.ts';
import type { Logic } from './call.ts';
import { find } from './find.ts';
import { sed } from './sed.ts';

export const logic: { readonly [name: string]: Logic } = { awk, find, sed };
