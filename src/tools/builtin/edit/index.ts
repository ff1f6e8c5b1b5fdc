import { withoutMiddle } from '../../text/index.ts';
import { defineTool } from '../../tool.ts';
import { effectsOnFile } from '../file-access.ts';
import { previewOf } from '../preview.ts';
import { description } from './description.ts';
import { edit } from './execute.ts';
import { requestsOf } from './requests.ts';
import { schema } from './schema.ts';

/** Characters of the old and of the new text of an edit that a person is shown. */
const partShown = 1_500;

/** The lines of a part of an edit, as a patch shows them. */
function marked(sign: string, text: string): string[] {
  return withoutMiddle(text, partShown)
    .split('\n')
    .map((line) => `${sign} ${line}`);
}

export const editTool = defineTool({
  name: 'edit',
  description,
  keepsSecrets: true,
  input: schema,
  effects: ({ path }, context) => effectsOnFile(path, ['read', 'write'], context),
  execute: edit,
  preview: previewOf(edit),
  summary: (args) => {
    const edits = requestsOf(args);
    if ('problem' in edits) return `edit ${args.path} (${edits.problem})`;
    const single = edits.length === 1;
    return edits
      .flatMap(({ old, new: made, all }, index) => {
        const head = single ? `edit ${args.path}` : index === 0 ? `edit ${args.path}, ${edits.length} times` : '@';
        return [`${head}${all ? ', every match' : ''}`, ...marked('-', old), ...marked('+', made)];
      })
      .join('\n');
  },
});
