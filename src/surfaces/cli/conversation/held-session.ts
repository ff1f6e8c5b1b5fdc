/** The session of a conversation: kept open from run to run, and opened anew where it can't stay as it is. */
import type { RunSettings, Session, SessionOptions } from '../../../harness/index.ts';

export type OpenSession = (which: Pick<SessionOptions, 'resume'> & { settings: RunSettings }) => Promise<Session>;

export class HeldSession {
  readonly #open: OpenSession;
  #session: Session | undefined;
  #taking: Promise<Session> | undefined;
  #resume: SessionOptions['resume'];
  /** Settings for the runs from the next opening on. */
  settings: RunSettings;
  /** The settings that it was opened with don't hold any more. */
  #isStale = false;

  constructor(open: OpenSession, settings: RunSettings, resume: SessionOptions['resume']) {
    this.#open = open;
    this.settings = settings;
    this.#resume = resume;
  }

  get current(): Session | undefined {
    return this.#session;
  }

  /** The id, once there is a session. */
  get id(): string | undefined {
    return this.#session?.id ?? (typeof this.#resume === 'string' ? this.#resume : undefined);
  }

  /** The session as it is: what has changed waits for the next run. */
  async reach(): Promise<Session> {
    return this.#session ?? this.take();
  }

  /** The session as it is to be: what has changed since it was opened takes effect here. Not while a run works. */
  take(): Promise<Session> {
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  async #take(): Promise<Session> {
    if (this.#isStale) await this.close();
    const resume = this.#resume;
    this.#session ??= await this.#open({ settings: this.settings, ...(resume !== undefined && { resume }) });
    this.#resume = this.#session.id;
    this.#isStale = false;
    return this.#session;
  }

  /** Takes effect with the next run: the mode and the limits are frozen for a run. */
  change(settings: Partial<RunSettings>): void {
    this.settings = { ...this.settings, ...settings };
    this.#isStale = true;
  }

  /** Another model from the next request on, and for good. */
  async switchModel(model: string): Promise<void> {
    await (await this.reach()).switchModel(model, 'user');
    this.settings = { ...this.settings, model };
  }

  /** Another session from now on; the one before stands where it stood. */
  async go(resume: string): Promise<Session> {
    const before = this.#resume;
    await this.close();
    this.#resume = resume;
    return this.take().catch((error: unknown) => {
      this.#resume = before;
      throw error;
    });
  }

  /** Lets go of the lock, so that somebody else may hold the session. One in which nothing was said is no session. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) return;
    const { isUnused } = await session.close({ dropUnused: true });
    if (isUnused) this.#resume = undefined;
  }
}
