import type { Notes } from '../../needs.ts';
import { failed } from '../../outcome.ts';
import { defineTool, type Tool } from '../../tool.ts';
import { description } from './description.ts';
import { schema } from './schema.ts';

export function createMemoryTool(notes: Notes): Tool {
  return defineTool({
    name: 'memory',
    description,
    input: schema,
    // It changes nothing in the workspace and nothing in this session; whether it ever counts is for the user to say.
    effects: { effects: ['read'], resources: [] },
    atOnce: 1,
    deferral: 'never',
    keywords: ['remember', 'notes', 'preference', 'lesson'],
    execute: async (change) => {
      const said = await notes.change(change);
      return typeof said === 'string' ? said : failed(said.refused);
    },
    summary: ({ scope, old, note }) =>
      [
        `memory ${scope}`,
        ...(old === undefined ? [] : [`- ${old}`]),
        ...(note === undefined ? [] : [`+ ${note}`]),
      ].join('\n'),
  });
}
