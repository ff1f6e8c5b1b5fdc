/** The edits that a call asks for, checked for what its schema doesn't say. */
import type { Replacement } from '../../edits/index.ts';
import { unknownArgument } from '../file-access.ts';

export interface EditArguments {
  path: string;
  old: string;
  new: string;
  all?: boolean;
  /** Further edits of the same file. */
  more?: { [key: string]: unknown }[];
}

const known = ['path', 'old', 'new', 'all', 'more'];
const knownOfMore = ['old', 'new', 'all'];

/** All edits in order, or what is wrong with their form. */
export function requestsOf(args: EditArguments): Replacement[] | { problem: string } {
  const extra = unknownArgument(args, known);
  if (extra !== undefined) return { problem: extra };
  const edits: Replacement[] = [{ old: args.old, new: args.new, all: args.all ?? false }];
  for (const [index, edit] of (args.more ?? []).entries()) {
    const request = requestOf(edit, `more.${index}`);
    if ('problem' in request) return request;
    edits.push(request);
  }
  return edits;
}

function requestOf(edit: { [key: string]: unknown }, path: string): Replacement | { problem: string } {
  const extra = unknownArgument(edit, knownOfMore);
  if (extra !== undefined) return { problem: `${path}.${extra}` };
  const { old, new: made, all = false } = edit;
  if (typeof old !== 'string') return { problem: `${path}.old: missing` };
  if (typeof made !== 'string') return { problem: `${path}.new: missing` };
  if (typeof all !== 'boolean') return { problem: `${path}.all: must be true or false` };
  return { old, new: made, all };
}
