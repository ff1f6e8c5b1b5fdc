/** A conversation on one session: what is typed is said to the model or is a command, and runs follow each other until somebody ends it. */
import type { Event, RunReport, RunSettings, Session } from '../../../harness/index.ts';
import { UsageError } from '../arguments.ts';
import { failureOf } from '../failure.ts';
import type { Output } from '../output.ts';
import { printable } from '../printable.ts';
import { createModelQuestion, createTerminalApprover, createTrustQuestion } from '../question.ts';
import { optionText, Progress, styleOf, turnLines } from '../render/index.ts';
import { headline, sessionOptionsOf, type RunRequest } from '../run-session.ts';
import { deeds, type Desk } from './deeds.ts';
import { HeldSession } from './held-session.ts';
import { optionsNow } from './options-now.ts';
import { Presses } from './presses.ts';
import { Prompt } from './prompt.ts';
import { commands, meaningOf, Message, type Typed } from './typed.ts';

export interface ConversationRequest extends Pick<
  RunRequest,
  'workspace' | 'settings' | 'trust' | 'resume' | 'record' | 'appendPrompt' | 'again'
> {
  /** The modes that there are, by name. */
  modes: readonly NonNullable<RunSettings['mode']>[];
  /** How Reins is called from here. */
  program: string;
}

export class Conversation {
  readonly #request: ConversationRequest;
  readonly #prompt: Prompt;
  readonly #progress: Progress;
  readonly #style: ReturnType<typeof styleOf>;
  readonly #width: () => number;
  readonly #held: HeldSession;
  readonly #message = new Message();
  readonly #presses = new Presses();
  readonly #over = Promise.withResolvers<number>();
  /** What is typed is taken in its order. */
  #taken: Promise<void> = Promise.resolve();
  #run: Promise<void> | undefined;
  /** The session that was shown last, with its notices. */
  #announced: { id?: string; notices: readonly string[] } = { notices: [] };
  #isEnding = false;
  /** Something was said that no run has begun with. */
  #isAsked = false;

  constructor(request: ConversationRequest, output: Output, keyboard: NodeJS.ReadStream = process.stdin) {
    this.#request = request;
    this.#style = styleOf(output.err);
    this.#width = () => output.err.width();
    this.#progress = new Progress(this.#style);
    const line = (text: string): void => this.#line(text);
    const press = (): void => this.#press();
    const end = (): void => void this.end(0);
    const keys = { line, press, end };
    this.#prompt = new Prompt(keyboard, output, this.#style, () => this.#progress.activity(), keys);
    this.#held = new HeldSession((which) => this.#open(which), request.settings, request.resume);
  }

  /** Resolves with the exit code when it has ended. What keeps the first session from being opened is thrown. */
  async hold(): Promise<number> {
    try {
      await this.#held.take();
      this.#prompt.lines([]);
      this.#drive(); // What was said meanwhile from elsewhere.
      return await this.#over.promise;
    } finally {
      this.#prompt.close();
      await this.#held.close();
    }
  }

  /** Cancels what runs, and ends; resolves when that is done. */
  async end(exit: number): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (this.#run !== undefined) await this.#held.current?.cancel('user');
    await this.#run;
    await this.#taken; // A command that holds the session, or opens it anew, comes to its end first.
    const { id, settings } = this.#held;
    await this.#held.close();
    const options = optionsNow(this.#request.again, settings).map(optionText).join('');
    if (this.#held.id !== undefined) this.#prompt.lines([`go on: ${this.#request.program} --resume ${id}${options}`]);
    this.#over.resolve(exit);
  }

  async #open(which: Parameters<ConstructorParameters<typeof HeldSession>[0]>[0]): Promise<Session> {
    const { createSession } = await import('../../../harness/index.ts');
    const { terminal } = this.#prompt;
    const session = await createSession({
      ...(await sessionOptionsOf({ ...this.#request, ...which })),
      approver: createTerminalApprover(terminal),
      chooseModel: createModelQuestion(terminal),
      confirmTrust: createTrustQuestion(terminal),
      onEvent: (event) => this.#event(event),
      onNotification: (notification) => this.#progress.notification(notification),
    });
    const notices = session.notices.flatMap((notice) => this.#progress.notice(notice));
    this.#announce(session.id, headline(session, undefined), notices);
    return session;
  }

  /** A session that is only opened anew, after a change of its mode, say, has nothing to say but what is new. */
  #announce(id: string, head: string, notices: readonly string[]): void {
    const isOther = this.#announced.id !== id;
    const known = isOther ? [] : this.#announced.notices;
    this.#announced = { id, notices: [...known, ...notices] };
    this.#prompt.lines([...(isOther ? [head] : []), ...notices.filter((line) => !known.includes(line))]);
  }

  #event(event: Event): void {
    this.#prompt.lines(this.#progress.event(event));
    // Whoever says something to a session at rest, here or from elsewhere, wants it answered.
    if (event.kind !== 'input' || event.data.from === 'harness') return;
    this.#isAsked = true;
    queueMicrotask(() => this.#drive());
  }

  #line(text: string): void {
    this.#presses.forget();
    const { lead } = this.#prompt;
    const message = this.#message.take(text);
    this.#prompt.lead = this.#message.isOpen ? '… ' : '> ';
    const typed = message === undefined ? undefined : meaningOf(message);
    // A steer is shown when it is recorded.
    const isShownLater = typed?.kind === 'text' && lead === '> ' && this.#run !== undefined;
    if (!isShownLater && text.trim() !== '') this.#prompt.lines([`${lead}${printable(text)}`]);
    if (typed === undefined) return;
    this.#taken = this.#taken.then(() => this.#take(typed)).catch((error: unknown) => this.#failed(error));
  }

  async #take(typed: Typed): Promise<void> {
    if (this.#isEnding) return;
    if (typed.kind === 'text') return this.#say(typed.text, this.#run === undefined ? 'user' : 'steer');
    if (typed.kind === 'unknown') {
      const hint = typed.near === undefined ? 'See /help.' : `Did you mean /${typed.near}?`;
      throw new UsageError(`There is no command /${typed.name}. ${hint}`);
    }
    if (this.#run !== undefined && !commands[typed.name].works) {
      throw new UsageError(`/${typed.name} can’t be while a run works: interrupt it first (Esc).`);
    }
    this.#prompt.lines(await deeds[typed.name](this.#desk(), typed.argument));
  }

  #desk(): Desk {
    return {
      held: this.#held,
      workspace: this.#held.current?.view.session?.workspace ?? this.#request.workspace,
      modes: this.#request.modes,
      works: this.#run !== undefined,
      width: this.#width(),
      say: (text, from) => this.#say(text, from),
      answer: (text) => this.#prompt.answer(text),
      quit: () => void this.end(0),
    };
  }

  async #say(text: string, from: 'user' | 'steer' | 'follow-up'): Promise<void> {
    const session = await (this.#run === undefined ? this.#held.take() : this.#held.reach());
    await session.say(text, from);
  }

  /** Drives the session as long as something was said that is unanswered; one run at a time. */
  #drive(): void {
    const session = this.#held.current;
    if (this.#run !== undefined || this.#isEnding || !this.#isAsked || session === undefined) return;
    if (session.view.stop !== undefined) return;
    this.#run = this.#runs(session).finally(() => {
      this.#run = undefined;
      this.#presses.forget();
      this.#prompt.lines([]);
      this.#drive();
    });
  }

  async #runs(first: Session): Promise<void> {
    try {
      const report = await this.#untilDone(first);
      if (report.answer !== undefined) this.#prompt.answer(printable(report.answer).trimEnd());
      this.#prompt.lines(turnLines(report, this.#style));
    } catch (error) {
      // What can't be kept in the log can't go on: the next input opens the session anew, or says why it can't.
      this.#failed(error);
      await this.#held.close().catch((closing: unknown) => this.#failed(closing));
    }
  }

  /** What came in meanwhile is answered too, and an accepted plan is carried out in the mode that was chosen for it. */
  async #untilDone(first: Session): Promise<RunReport> {
    let session = first;
    for (;;) {
      this.#isAsked = false;
      const outcome = await session.run();
      const { plan } = outcome;
      if (plan?.decision === 'accepted') {
        if (plan.mode !== undefined) this.#held.change({ mode: plan.mode });
        session = await this.#held.take();
        this.#prompt.lines([`mode ${session.view.setup?.mode}`]);
      } else if (session.view.stop !== undefined || outcome.outcome === 'waiting') return session.report();
    }
  }

  #press(): void {
    const meaning = this.#presses.press({ works: this.#run !== undefined, hasDraft: this.#prompt.draft !== '' });
    switch (meaning) {
      case 'clear':
        this.#message.drop();
        return this.#prompt.clear();
      case 'interrupt':
        this.#prompt.lines(['interrupting; once more ends']);
        void this.#held.current?.cancel('user').catch((error: unknown) => this.#failed(error));
        return;
      case 'warn':
        return this.#prompt.lines(['once more, or Ctrl-D, ends']);
      case 'end':
        return void this.end(this.#run === undefined ? 0 : 130);
      case 'end-at-once':
        process.exit(130);
    }
  }

  #failed(error: unknown): void {
    this.#prompt.lines([`reins: ${printable(failureOf(error).text)}`]);
  }
}
