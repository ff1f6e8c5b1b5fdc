import { defineTool } from '../../tool.ts';
import { effectsOnFile } from '../file-access.ts';
import { description } from './description.ts';
import { charactersShown, read } from './execute.ts';
import { schema } from './schema.ts';

export const readTool = defineTool({
  name: 'read',
  description,
  input: schema,
  resultLimit: charactersShown,
  effects: ({ path }, context) => effectsOnFile(path, ['read'], context),
  execute: read,
  summary: ({ path }) => `read ${path}`,
});
