import { isProblem, parsePatch, type Operation } from '../../edits/index.ts';
import { visible, withoutMiddle } from '../../text/index.ts';
import { defineTool } from '../../tool.ts';
import { previewOf } from '../preview.ts';
import { description, withGrammar } from './description.ts';
import { effectsOfPatch } from './effects.ts';
import { applyPatch } from './execute.ts';
import { grammar } from './grammar.ts';
import { schema } from './schema.ts';

/** Characters of the patch that a person is shown, and files that are named above it. */
const shown = 4_000;
const filesShown = 20;

export const patchTool = defineTool({
  name: 'apply_patch',
  description,
  keepsSecrets: true,
  input: schema,
  text: { argument: 'patch', description: withGrammar, grammar },
  effects: effectsOfPatch,
  execute: applyPatch,
  preview: previewOf(applyPatch),
  summary: ({ patch }) => [`apply_patch${filesOf(patch)}`, withoutMiddle(patch, shown)].join('\n'),
});

/** The files in a line, since the middle of a long patch isn't shown. */
function filesOf(patch: string): string {
  const parsed = parsePatch(patch);
  if (isProblem(parsed)) return '';
  const names = parsed.operations.map(nameOf);
  const more = names.length > filesShown ? `, and ${names.length - filesShown} more` : '';
  return `: ${names.slice(0, filesShown).join(', ')}${more}`;
}

function nameOf(operation: Operation): string {
  const target = operation.kind === 'update' ? operation.target : undefined;
  const to = target === undefined ? '' : ` and move it to ${visible(target.path)}`;
  return `${operation.kind} ${visible(operation.path)}${to}`;
}
