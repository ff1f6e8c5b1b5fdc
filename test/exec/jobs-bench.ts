/** What the tests of jobs share: a shell over a folder, what it tells of its jobs, and looks at them that must succeed. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { CommandOutcome, CommandRequest, JobEnd, JobReport, JobStart } from '../../src/exec/index.ts';
import { makeBench, makeFolder, type BenchOptions, type Kind } from './workbench.ts';

/** Milliseconds: a bound for what should come at once, however busy the machine is. */
export const soon = 15_000;

const never = new AbortController().signal;

export function makeJobs(t: TestContext, kind: Kind, options: BenchOptions = {}) {
  const folder = makeFolder(t);
  const begun: JobStart[] = [];
  const ended: JobEnd[] = [];
  const listener = { onJob: (job: JobStart) => begun.push(job), onJobEnd: (end: JobEnd) => ended.push(end) };
  const bench = makeBench(t, kind, folder, { ...options, shell: { ...listener, ...options.shell } });
  const { jobs } = bench.shell;
  return {
    ...bench,
    folder,
    begun,
    ended,
    jobs,
    /** Starts a command that goes on as a job soon, or after so many milliseconds. */
    start: (command: string, request: Partial<CommandRequest> = {}): Promise<CommandOutcome> =>
      bench.shell.run({ command, timeout: 50, goesOn: 'job', ...request }, never),
    /** Looks at once; with a pattern once that is there, with a time when it has ended. */
    look: async (id: string, until: RegExp | number = 0): Promise<JobReport> => {
      const pattern = typeof until === 'number' ? undefined : until;
      const report = await jobs.look(id, { wait: pattern ? soon : Number(until), ...(pattern && { pattern }) }, never);
      return sound(report);
    },
    end: async (id: string): Promise<JobReport> => sound(await jobs.end(id)),
    /** Lets a command go on that waits for a file. */
    touch: (name: string): void => writeFileSync(join(folder, name), ''),
  };
}

/** A shell loop that waits for a file. */
export const awaiting = (name: string): string => `until [ -e ${name} ]; do sleep 0.02; done`;

export function refusal(answer: unknown): string {
  assert.ok(typeof answer === 'object' && answer !== null && 'refused' in answer, JSON.stringify(answer));
  return String(answer.refused);
}

function sound(report: JobReport | { refused: string }): JobReport {
  assert.ok('output' in report, JSON.stringify(report));
  return report;
}
