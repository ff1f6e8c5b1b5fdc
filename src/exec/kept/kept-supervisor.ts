/**
 * The process that a kept job runs under: it outlives the one of the session, holds the sandbox, ends the job when its time is over,
 * and answers whoever asks for it through a socket in the job's folder. Started with the folder as its working folder; its order comes
 * as one line on its standard input.
 */
import { createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createSandbox } from '../sandbox/index.ts';
import { createShell } from '../shell.ts';
import type { Shell } from '../command.ts';
import { FolderBlobs } from './blobs.ts';
import { readLines, sendLine } from './lines.ts';
import type { Answer, Begun, KeptOrder, Question } from './order.ts';
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
  const { id, command, workspace, until, sandbox: kind, environment, secretNames, hide } = order;
  const sandbox = createSandbox({ kind, workspace, environment, secretNames, hide });
  const over = Promise.withResolvers<void>();
  const shell = createShell({ workspace, sandbox, blobs: new FolderBlobs('blobs'), onJobEnd: () => over.resolve() });
  const job = await begin(shell, order);
  if ('refused' in job) {
    say(job);
    await sandbox.close();
    return;
  }
  const server = createServer((socket) => serve(socket, shell, job.id, id));
  await new Promise<void>((resolve) => server.listen(socketName, resolve));
  const start = startOf(process.pid);
  writeRecord('.', { id, command, workspace, startedAt: Date.now(), until, pid: process.pid, start });
  say({ begun: true });
  const timer = setTimeout(() => void shell.jobs.end(job.id), Math.min(until - Date.now(), longestTimer));
  process.on('SIGTERM', () => void shell.jobs.end(job.id));
  await over.promise;
  clearTimeout(timer);
  await leaveEnd(shell, job.id, id);
  server.close();
  await shell.close();
  await sandbox.close();
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

function serve(socket: Socket, shell: Shell, job: string, id: string): void {
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  readLines(socket, (message) => {
    void answer(message as Question, shell, job, gone.signal).then((said) => sendLine(socket, named(said, id)));
  });
}

async function answer(question: Question, shell: Shell, job: string, signal: AbortSignal): Promise<Answer> {
  if (question.do === 'type') return (await shell.jobs.type(job, question.input)) ?? { typed: true };
  if (question.do === 'end') return reported(await shell.jobs.end(job));
  const { pattern, wait } = question;
  const asked = pattern === undefined ? {} : { pattern: new RegExp(pattern.source, pattern.flags) };
  return reported(await shell.jobs.look(job, { ...asked, wait }, signal));
}

function reported(report: Awaited<ReturnType<Shell['jobs']['look']>>): Answer {
  return 'refused' in report ? report : { report };
}

/** Here it is the first job of a process; to everybody else it has another name. */
function named(said: Answer, id: string): Answer {
  return 'report' in said ? { report: { ...said.report, id, kind: 'kept' } } : said;
}

/** What nobody has looked at yet stays to be looked at. */
async function leaveEnd(shell: Shell, job: string, id: string): Promise<void> {
  const report = await shell.jobs.look(job, { wait: 0 }, new AbortController().signal);
  if (!('refused' in report)) writeEnd('.', { ...report, id, kind: 'kept' });
}
