/**
 * The process that a kept job runs under: it outlives the one of the session, holds the sandbox, ends the job when its time is over,
 * and answers whoever asks for it through a socket in the job's folder. Started with the folder as its working folder; its order comes
 * as one line on its standard input.
 */
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { loadSandbox } from '../sandbox/index.ts';
import { createShell } from '../shell.ts';
import type { Shell } from '../command.ts';
import { FolderBlobs } from './blobs.ts';
import { Desk } from './desk.ts';
import type { JsonObject } from '../../core/index.ts';
import type { ByteFilter } from '../needs.ts';
import type { Begun, KeptOrder } from './order.ts';
import { socketName } from './place.ts';
import { startOf } from '../process/index.ts';
import { writeEnd, writeRecord } from './record.ts';

/** The file to start it with. */
export const supervisorFile = fileURLToPath(import.meta.url);

/** The longest time that a timer of Node can take. */
const longestTimer = 2 ** 31 - 1;

if (process.argv[1] === supervisorFile) await supervise();

async function supervise(): Promise<void> {
  const order = JSON.parse(await readOrder()) as KeptOrder;
  const { id, command, workspace, until, sandbox: kind, environment, secretNames, pass, hide, grants, limits } = order;
  const sandbox = await loadSandbox({ kind, workspace, environment, secretNames, pass, hide, grants, limits });
  const over = Promise.withResolvers<void>();
  const filter = await filterOf(order);
  const blobs = new FolderBlobs('blobs');
  const shell = createShell({ workspace, sandbox, blobs, onJobEnd: () => over.resolve(), ...(filter && { filter }) });
  const job = await begin(shell, order);
  if ('refused' in job) {
    say(job);
    await sandbox.close();
    return;
  }
  const desk = new Desk(shell.jobs, job.id, id);
  const server = createServer((socket) => desk.serve(socket));
  await new Promise<void>((resolve) => server.listen(socketName, resolve));
  const start = startOf(process.pid);
  writeRecord('.', { id, command, workspace, startedAt: Date.now(), until, pid: process.pid, start });
  say({ begun: true });
  const timer = setTimeout(() => void shell.jobs.end(job.id), Math.min(until - Date.now(), longestTimer));
  process.on('SIGTERM', () => void shell.jobs.end(job.id));
  await over.promise;
  clearTimeout(timer);
  await desk.close();
  await leaveEnd(shell, job.id, id);
  server.close();
  desk.sendAway();
  await shell.close();
  await sandbox.close();
}

async function filterOf({ filter }: KeptOrder): Promise<(() => ByteFilter) | undefined> {
  if (filter === undefined) return undefined;
  const { createFilter } = (await import(filter.module)) as { createFilter: (data: JsonObject) => ByteFilter };
  return () => createFilter(filter.data);
}

/** The command goes on as a job of this process from its first moment. */
async function begin(
  shell: Shell,
  { command, folder, terminal }: KeptOrder,
): Promise<{ id: string } | { refused: string }> {
  const place = folder === undefined ? {} : { folder };
  const request = { command, ...place, terminal, timeout: 1, goesOn: 'job' as const, untold: true };
  const { job, notStarted, exit, head } = await shell.run(request, new AbortController().signal);
  if (job !== undefined) return { id: job };
  return { refused: notStarted ?? `it ended at once, with the exit code ${exit}: ${head.slice(0, 500)}` };
}

function readOrder(): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk) => (text += chunk));
    process.stdin.once('end', () => resolve(text));
  });
}

function say(begun: Begun): void {
  // Whoever started it may be gone by now; then nobody reads.
  process.stdout.on('error', () => undefined);
  process.stdout.write(`${JSON.stringify(begun)}\n`);
}

/** What nobody has looked at yet stays to be looked at. */
async function leaveEnd(shell: Shell, job: string, id: string): Promise<void> {
  const report = await shell.jobs.look(job, { wait: 0 }, new AbortController().signal);
  if (!('refused' in report)) writeEnd('.', { ...report, id, kind: 'kept' });
}
