import type { PlanItem } from '../../../core/index.ts';
import { defineTool, type Tool } from '../../tool.ts';
import { description } from './description.ts';
import { setPlan } from './execute.ts';
import { schema } from './schema.ts';

/** `current`: the list as the session has it now. */
export function createPlanTool(current: () => readonly PlanItem[] | undefined): Tool {
  return defineTool({
    name: 'plan',
    description,
    input: schema,
    // It is written down in the log and nowhere else, so every mode lets it pass.
    effects: { effects: ['read'], resources: [] },
    // Of two lists in one reply the later one counts.
    atOnce: 1,
    idempotent: true,
    deferral: 'never',
    keywords: ['todo', 'tasks', 'steps', 'progress'],
    execute: ({ items }) => setPlan(items, current()),
    summary: ({ items }) => `plan\n${items.join('\n')}`,
  });
}
