import type { Effects, Jobs } from '../../needs.ts';
import { visible } from '../../text/index.ts';
import { defineTool, type Tool } from '../../tool.ts';
import { secondsOf, type JobArguments } from './arguments.ts';
import { description } from './description.ts';
import { askJob } from './execute.ts';
import { schema } from './schema.ts';

/** What ending a job may take beyond the wait, in milliseconds, before it is given up. */
const grace = 15_000;

/** Typing and ending do something to the job; what is typed is no command line, and no rule for those is asked about it. */
function effectsOf({ id = '*', input, end }: JobArguments): Effects {
  const path = `job:${id}`;
  if (input === undefined && end !== true) return { effects: ['read'], resources: [{ access: 'read', path }] };
  return { effects: ['execute'], resources: [{ access: 'write', path }], confined: true };
}

function summaryOf({ id, input, wait, end }: JobArguments): string {
  if (id === undefined) return 'job: list them';
  if (end === true) return `end ${id}`;
  if (input !== undefined) return `type into ${id}:\n${visible(input)}`;
  return wait === undefined ? `look at ${id}` : `wait in ${id} for ${wait}`;
}

export function createJobTool(jobs: Jobs): Tool {
  return defineTool({
    name: 'job',
    description,
    input: schema,
    timeout: (args) => secondsOf(args) * 1000 + grace,
    effects: effectsOf,
    execute: (args, context) => askJob(jobs, args, context),
    summary: summaryOf,
    keywords: ['background', 'process', 'server', 'terminal', 'stdin', 'kill', 'stop'],
  });
}
