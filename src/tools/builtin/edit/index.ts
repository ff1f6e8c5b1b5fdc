import { withoutMiddle } from '../../text/index.ts';
import { defineTool } from '../../tool.ts';
import { effectsOnFile } from '../file-access.ts';
import { description } from './description.ts';
import { edit } from './execute.ts';
import { schema } from './schema.ts';

/** Characters of the old and of the new text that a person is shown. */
const partShown = 1_500;

/** The lines of a part of the edit, as a patch shows them. */
function marked(sign: string, text: string): string[] {
  return withoutMiddle(text, partShown)
    .split('\n')
    .map((line) => `${sign} ${line}`);
}

export const editTool = defineTool({
  name: 'edit',
  description,
  input: schema,
  effects: ({ path }, context) => effectsOnFile(path, ['read', 'write'], context),
  execute: edit,
  summary: ({ path, old, new: made, all = false }) =>
    [`edit ${path}${all ? ', every match' : ''}`, ...marked('-', old), ...marked('+', made)].join('\n'),
});
