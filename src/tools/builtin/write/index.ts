import { count } from '../../text/index.ts';
import { defineTool } from '../../tool.ts';
import { effectsOnFile } from '../file-access.ts';
import { previewOf } from '../preview.ts';
import { description } from './description.ts';
import { write } from './execute.ts';
import { schema } from './schema.ts';

export const writeTool = defineTool({
  name: 'write',
  description,
  keepsSecrets: true,
  input: schema,
  effects: ({ path }, context) => effectsOnFile(path, ['write'], context),
  execute: write,
  preview: previewOf(write),
  summary: ({ path, content }) => `write ${path} (${count(Buffer.byteLength(content), 'byte')})\n${content}`,
});
