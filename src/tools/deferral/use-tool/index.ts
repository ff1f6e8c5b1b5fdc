import { failed } from '../../outcome.ts';
import { useToolName } from '../names.ts';
import { defineTool, type Tool } from '../../tool.ts';
import { description } from './description.ts';
import { schema } from './schema.ts';

/** Stands for every tool that isn't in the model's list: a call of it goes the whole way as one of the tool that it names. */
export const useTool: Tool = defineTool({
  name: useToolName,
  description,
  input: schema,
  deferral: 'never',
  // Never reached on the way of calls, where the named tool takes its place.
  execute: ({ name }) => failed(`${name} can only be called in a session that has it.`, 'not-found'),
  summary: ({ name }) => `use ${name}`,
});
