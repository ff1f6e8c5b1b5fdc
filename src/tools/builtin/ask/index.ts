import { defineTool, type Tool } from '../../tool.ts';
import { description } from './description.ts';
import { askUser } from './execute.ts';
import { schema } from './schema.ts';

/** A person may be away for long; where nobody is, the question isn't waited for at all. */
const timeout = 24 * 3_600_000;

export const askTool: Tool = defineTool({
  name: 'ask',
  description,
  input: schema,
  timeout,
  // It touches nothing, so every mode lets it pass.
  effects: { effects: ['read'], resources: [] },
  // A person answers one question at a time.
  atOnce: 1,
  deferral: 'never',
  keywords: ['question', 'choice', 'decide', 'clarify'],
  execute: askUser,
  summary: ({ question, options }) => `ask: ${question}\n${options.map((option) => `- ${option}`).join('\n')}`,
});
