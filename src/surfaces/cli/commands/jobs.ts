/** `reins jobs`: commands that go on in the background, and their end. */
import { UsageError, valueIn } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { clip, oneLine, printable, widthOf } from '../printable.ts';
import { clockTime, styleOf } from '../render/index.ts';
import type { JobRow } from '../../../harness/index.ts';

export const command: Command = {
  name: 'jobs',
  summary: 'List the commands that run in the background, or end one.',
  usage: ['jobs', 'jobs --end ID [--session ID]'],
  examples: ['jobs', 'jobs --end job-1'],
  positionals: 0,
  options: [
    { name: 'end', value: 'ID', about: 'End this job, with everything that it started.' },
    { name: 'session', value: 'ID', about: 'The session that it belongs to, where several have one of this name.' },
    { name: 'json', about: 'One JSON object a line.' },
  ],
  async run(parsed, { output: { out, err } }) {
    const { endJob, listJobs } = await import('../../../harness/index.ts');
    const id = valueIn(parsed, 'end');
    const session = valueIn(parsed, 'session');
    if (id !== undefined) {
      out.write(`${printable(await endJob(undefined, id, session))}\n`);
      return 0;
    }
    if (session !== undefined) throw new UsageError('--session belongs to --end.');
    const jobs = await listJobs();
    if (parsed.options.has('json')) {
      for (const job of jobs) out.write(jsonLine(job));
      return 0;
    }
    if (jobs.length === 0) err.write('No command runs in the background.\n');
    const { width } = styleOf(out);
    for (const job of jobs) out.write(`${lineOf(job, width)}\n`);
    return 0;
  },
};

function lineOf(job: JobRow, width: number): string {
  const exit = job.exit === undefined || job.exit === null ? '' : ` ${job.exit}`;
  const whose = job.session === undefined ? 'kept' : `of ${oneLine(job.session)}`;
  const until = job.until === undefined || job.state !== 'running' ? '' : ` until ${clockTime(job.until)}`;
  const before = `${oneLine(job.id)}  ${clockTime(job.startedAt)}  ${job.state}${exit}  ${whose}${until}  `;
  return `${before}${clip(oneLine(job.command), Math.max(20, width - widthOf(before)))}`;
}
