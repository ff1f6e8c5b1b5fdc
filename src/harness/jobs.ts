/** The joint for background commands, seen from outside of the sessions that began them. */
import { join } from 'node:path';
import { placesOf, type LoadedSettings } from '../config/index.ts';
import { ReinsError, type EventData } from '../core/index.ts';
import { KeptJobs, type KeptCommands } from '../exec/index.ts';
import type { Redactor } from '../safety/index.ts';
import { sandboxSettings, type Hands } from './hands.ts';
import { deliver, held, readLog, sessionFolder } from '../session/index.ts';

type Variables = { readonly [name: string]: string | undefined };

/** A command that goes on in the background. */
export interface JobRow {
  id: string;
  /** It outlives its session, until `until` (milliseconds since the epoch). */
  kept: boolean;
  until?: number;
  /** The session that it belongs to; absent for a kept one. */
  session?: string;
  command: string;
  startedAt: number;
  state: 'running' | 'exited' | 'ended' | 'lost';
  exit?: number | null;
}

/** The folder of the kept jobs of this user. */
function jobsFolder(env: Variables | undefined): string {
  return join(placesOf(env).state, 'jobs');
}

/** Milliseconds that a kept job may live. */
const lifetime = 3_600_000;

/** What a session needs to begin commands that outlive it. */
export function keptCommands(
  env: Variables | undefined,
  { places, settings }: LoadedSettings,
  { environment, secretNames, pass, report }: Pick<Hands, 'environment' | 'secretNames' | 'pass' | 'report'>,
  workspace: string,
  secrets: Pick<Redactor, 'origin'>,
  onJob: (job: EventData['job']) => void,
): KeptCommands {
  const sandbox = report.works ? report.sandbox : 'none';
  return new KeptJobs(
    { jobs: jobsFolder(env), workspace },
    {
      sandbox,
      environment,
      secretNames,
      pass,
      hide: [places.state],
      ...sandboxSettings(settings),
      lifetime,
      filter: async () => {
        const { dataOf, filterModule } = await import('./kept-filter.ts');
        const { values, key } = secrets.origin();
        return { module: filterModule, data: dataOf(values, key) };
      },
      onJob: ({ id, call = '', command }) => onJob({ id, call, command, kept: true, until: Date.now() + lifetime }),
    },
  );
}

/** Those of all running sessions, and all that are kept, the oldest first. */
export async function listJobs(env?: Variables): Promise<JobRow[]> {
  const { state } = placesOf(env);
  const own = held(state).flatMap((session) => jobsOf(sessionFolder(state, session), session));
  const kept = await new KeptJobs({ jobs: jobsFolder(env) }).list();
  const rows = kept.map(({ kind: _, signal: __, ...job }): JobRow => ({ ...job, kept: true }));
  return [...own, ...rows].toSorted((a, b) => a.startedAt - b.startedAt);
}

/** Ends a job, wherever it runs; resolves to a sentence of what happened. Rejects with `job-missing`. */
export async function endJob(env: Variables | undefined, id: string, session?: string): Promise<string> {
  const kept = new KeptJobs({ jobs: jobsFolder(env) });
  if (kept.has(id)) {
    const report = await kept.end(id);
    return 'refused' in report ? report.refused : `Job ${id} is over (${report.state}).`;
  }
  const found = (await listJobs(env)).filter((job) => job.id === id && (session ?? job.session) === job.session);
  const [job, ...others] = found;
  if (job?.session === undefined) throw new ReinsError('job-missing', `No job ${id} is running.`);
  if (others.length > 0) {
    const sessions = found.map((each) => each.session).join(', ');
    throw new ReinsError('job-missing', `Several sessions have a job ${id}; name one with --session: ${sessions}.`);
  }
  const folder = sessionFolder(placesOf(env).state, job.session);
  await deliver(folder, { kind: 'job-end', data: { id, how: 'ended', exit: null } }, { now: () => Date.now() });
  return `Left for the process that drives session ${job.session}: it ends job ${id}.`;
}

/** The jobs of a session that haven't ended, as its log has them. */
function jobsOf(folder: string, session: string): JobRow[] {
  const open = new Map<string, JobRow>();
  for (const item of readLog(folder)) {
    if ('damage' in item) continue;
    if (item.kind === 'job' && !item.data.kept) open.set(item.data.id, rowOf(item.data, session, item.at));
    if (item.kind === 'job-end') open.delete(item.data.id);
    // A new setup may belong to a new process: what ran in the one before ended with it.
    if (item.kind === 'setup' && item.data.switched === undefined) open.clear();
  }
  return [...open.values()];
}

function rowOf({ id, command }: EventData['job'], session: string, startedAt: number): JobRow {
  return { id, kept: false, session, command, startedAt, state: 'running' };
}
