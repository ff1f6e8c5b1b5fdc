import { withoutMiddle } from '../../text/index.ts';
import { defineTool } from '../../tool.ts';
import { effectsOnFile } from '../file-access.ts';
import { previewOf } from '../preview.ts';
import { description } from './description.ts';
import { editLines } from './execute.ts';
import type { EditLinesArguments } from './requests.ts';
import { schema } from './schema.ts';

/** Characters that a person is shown. */
const shown = 3_000;

export const editLinesTool = defineTool({
  name: 'edit_lines',
  description,
  keepsSecrets: true,
  input: schema,
  effects: ({ path }, context) => effectsOnFile(path, ['read', 'write'], context),
  execute: editLines,
  preview: previewOf(editLines),
  summary: ({ path, edits }) => [`edit ${path}`, withoutMiddle(edits.map(summaryOf).join('\n'), shown)].join('\n'),
});

function summaryOf({ from, to, after, text }: EditLinesArguments['edits'][number]): string {
  const where = after === undefined ? `${from ?? '?'}${to === undefined ? '' : ` to ${to}`}` : `after ${after}`;
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  return [`@ ${where}`, ...lines.map((line) => `+ ${line}`)].join('\n');
}
