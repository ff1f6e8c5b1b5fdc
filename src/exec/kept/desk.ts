/** Where a supervisor answers those who ask for its job. */
import type { Socket } from 'node:net';
import type { Shell } from '../command.ts';
import { readLines, sendLine } from './lines.ts';
import type { Answer, Question } from './order.ts';

export class Desk {
  readonly #jobs: Shell['jobs'];
  /** The job as this process names it, and as everybody else does. */
  readonly #job: string;
  readonly #id: string;
  readonly #sockets = new Set<Socket>();
  readonly #pending = new Set<Promise<void>>();
  #isClosed = false;

  constructor(jobs: Shell['jobs'], job: string, id: string) {
    this.#jobs = jobs;
    this.#job = job;
    this.#id = id;
  }

  serve(socket: Socket): void {
    const gone = new AbortController();
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      gone.abort();
    });
    readLines(socket, (message) => {
      if (this.#isClosed) return;
      const pending = this.#reply(socket, message as Question, gone.signal).finally(() =>
        this.#pending.delete(pending),
      );
      this.#pending.add(pending);
    });
  }

  /** Whoever asked until now is answered first; whoever asks from now on is not, and reads what is left behind. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#pending);
  }

  /** Tells those who still wait for an answer that there will be none. */
  sendAway(): void {
    for (const socket of this.#sockets) socket.end();
  }

  async #reply(socket: Socket, question: Question, signal: AbortSignal): Promise<void> {
    const said = await this.#answer(question, signal);
    sendLine(socket, 'report' in said ? { report: { ...said.report, id: this.#id, kind: 'kept' } } : said);
  }

  async #answer(question: Question, signal: AbortSignal): Promise<Answer> {
    if (question.do === 'type') return (await this.#jobs.type(this.#job, question.input)) ?? { typed: true };
    if (question.do === 'end') return reported(await this.#jobs.end(this.#job));
    const { pattern, wait } = question;
    const asked = pattern === undefined ? {} : { pattern: new RegExp(pattern.source, pattern.flags) };
    return reported(await this.#jobs.look(this.#job, { ...asked, wait, untoldOnAbort: true }, signal));
  }
}

function reported(report: Awaited<ReturnType<Shell['jobs']['look']>>): Answer {
  return 'refused' in report ? report : { report };
}
