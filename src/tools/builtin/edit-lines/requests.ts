/** What a call asks for, checked for its form: the file isn't looked at yet. */
import { visible, cutLine } from '../../text/index.ts';

export interface EditLinesArguments {
  path: string;
  edits: { from?: string; to?: string; after?: string; text: string }[];
}

/** A line as a call names it. Number 0, without a tag, is the start of the file. */
export interface LineName {
  number: number;
  tag: string;
}

/** One edit of a call: it replaces the lines from `first` to `last`, or comes in after `after`. */
export interface LineEdit {
  /** Its place in the call, as errors name it. */
  path: string;
  target: { first: LineName; last: LineName } | { after: LineName };
  lines: string[];
}

const known = ['from', 'to', 'after', 'text'];
const valueShown = 60;

/** The edits of a call, or what is wrong with their form. */
export function requestsOf(args: EditLinesArguments): LineEdit[] | { problem: string } {
  const extra = Object.keys(args).find((key) => key !== 'path' && key !== 'edits');
  if (extra !== undefined) return { problem: `${visible(extra)}: unknown; known are path, edits` };
  if (args.edits.length === 0) return { problem: 'edits: there is none' };
  const requests: LineEdit[] = [];
  for (const [index, edit] of args.edits.entries()) {
    const request = requestOf(edit, `edits.${index}`);
    if ('problem' in request) return request;
    requests.push(request);
  }
  return requests;
}

function requestOf(edit: EditLinesArguments['edits'][number], path: string): LineEdit | { problem: string } {
  const extra = Object.keys(edit).find((key) => !known.includes(key));
  if (extra !== undefined) return { problem: `${path}.${visible(extra)}: unknown; known are ${known.join(', ')}` };
  const { from, to, after, text } = edit;
  if (!text.isWellFormed()) {
    return { problem: `${path}.text holds half of a surrogate pair, which is no character` };
  }
  const lines = linesOfNew(text);
  if (after !== undefined) {
    if (from !== undefined || to !== undefined) {
      return { problem: `${path}: \`after\` inserts and stands alone; \`from\` and \`to\` replace` };
    }
    if (lines.length === 0) return { problem: `${path}.text is empty: nothing to insert (“\\n” is an empty line)` };
    const name = after === '0' ? { number: 0, tag: '' } : nameOf(after, `${path}.after`);
    return 'problem' in name ? name : { path, target: { after: name }, lines };
  }
  if (from === undefined)
    return { problem: `${path}: \`from\` (lines to replace) or \`after\` (to insert) is missing` };
  const first = nameOf(from, `${path}.from`);
  if ('problem' in first) return first;
  const last = to === undefined ? first : nameOf(to, `${path}.to`);
  if ('problem' in last) return last;
  if (last.number < first.number) return { problem: `${path}: \`to\` is above \`from\`` };
  return { path, target: { first, last }, lines };
}

function nameOf(text: string, path: string): LineName | { problem: string } {
  const [, number, tag] = /^([1-9]\d{0,8}):([0-9a-z]+)$/.exec(text) ?? [];
  if (number !== undefined && tag !== undefined) return { number: Number(number), tag };
  const start = path.endsWith('after') ? ', or 0 for the start of the file' : '';
  const shown = cutLine(visible(text), valueShown);
  return { problem: `${path}: “${shown}” names no line. Give number and tag as read shows them, like 12:k3f${start}` };
}

/** A line end at the end closes the last line and begins no further one; nothing is no line at all. */
function linesOfNew(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
