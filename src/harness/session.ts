/** One session, held for driving. */
import {
  decide,
  plural,
  ReinsError,
  run,
  Stepper,
  targetName,
  type Approver,
  type Draft,
  type EventData,
  type Items,
  type Loop,
  type Outcomes,
  type RunEnd,
  type SetupData,
  type View,
  type WorkItem,
} from '../core/index.ts';
import type { Redactor } from '../safety/index.ts';
import { readLog } from '../session/index.ts';
import { diffOf, type Diff } from '../verify/index.ts';
import { changed as withTexts } from './admission.ts';
import type { Approval } from './approval.ts';
import { systemClock } from './clock.ts';
import type { Hands } from './hands.ts';
import { keepImages, type ImageBytes } from './images.ts';
import { attachInbox, takeAll } from './inbox.ts';
import { outcomeOf } from './outcome.ts';
import type { Provider } from './models/index.ts';
import { letGo, type OpenRecord } from './record.ts';
import type { RunOutcome, RunReport, Session, SessionOptions } from './types.ts';

interface DrivenParts {
  loop: Loop;
  record: OpenRecord;
  hands: Hands;
  provider: Provider;
  secrets: Pick<Redactor, 'redact'>;
  approval: Approval;
  /** The real path of the workspace. */
  workspace: string;
  notices: EventData['notice'][];
  options: SessionOptions;
  /** Ends everything that was started for the session. */
  close: () => Promise<void>;
}

export class DrivenSession implements Session {
  readonly id: string;
  readonly folder: string;
  readonly notices: EventData['notice'][];
  readonly #parts: DrivenParts;
  readonly #stepper: Stepper;
  #inbox: ReturnType<typeof attachInbox> | undefined;
  /** The workspace as the run found it. */
  #before: EventData['checkpoint'] | undefined;
  #report: { at: View['head']; report: RunReport } | undefined;

  constructor(parts: DrivenParts) {
    const { record, options } = parts;
    this.#parts = parts;
    this.id = record.session.id;
    this.folder = record.session.folder;
    this.notices = parts.notices;
    this.#stepper = new Stepper(parts.loop);
    record.recorder.listen((event) => {
      if (event.kind === 'checkpoint') this.#before ??= event.data;
      options.onEvent?.(event);
    });
  }

  get view(): View {
    return this.#parts.record.view;
  }

  /** Takes in what waits in the inbox, and records what is standing and what a person should know. */
  async begin(setup: SetupData, note?: Draft): Promise<void> {
    const { recorder, session, fresh } = this.#parts.record;
    for (const event of fresh) this.#parts.options.onEvent?.(event);
    // What was left there was meant for what went on then: a cancel of that must not cancel what begins now.
    await takeAll(session.inbox, recorder);
    // A cancel that nobody lived to carry out is carried out first: what was open then must not run now.
    if (this.view.cancel !== undefined) await run(this.#parts.loop);
    await recorder.record({ kind: 'setup', data: setup });
    if (note !== undefined) await recorder.record(note);
    for (const data of this.notices) await recorder.record({ kind: 'notice', data });
    this.#inbox = attachInbox(session.inbox, recorder);
    await this.#inbox.ready;
  }

  async say(
    text: string,
    from: 'user' | 'steer' | 'follow-up' = 'user',
    given: readonly ImageBytes[] = [],
  ): Promise<void> {
    if (text.trim() === '') throw new ReinsError('usage-arguments', 'There is nothing to say.');
    const { recorder, session } = this.#parts.record;
    const images = await keepImages(given, (bytes) => session.blobs.put(bytes));
    await recorder.record({ kind: 'input', data: { from, text, ...(images.length > 0 && { images }) } });
  }

  async run(): Promise<RunOutcome> {
    for (;;) {
      const end = await run(this.#parts.loop);
      await this.#parts.record.recorder.sync();
      // What came in since then is part of this run: nobody else would answer it.
      if (!this.#isOver()) continue;
      if (!('waiting' in end) || !(await this.#answered(end))) return this.#reported();
    }
  }

  async #reported(): Promise<RunOutcome> {
    const report = await this.report();
    const { writeReport } = await import('./run-report/index.ts');
    try {
      return { ...this.outcome(), report: writeReport(this.folder, report) };
    } catch (error) {
      const text = `report.json could not be written: ${error instanceof Error ? error.message : String(error)}`;
      const notice = { code: 'report-unwritten', level: 'warning', text } as const;
      // A disk that is full now has taken the whole record of the work: the outcome stands.
      await this.#parts.record.recorder.record({ kind: 'notice', data: notice }).catch(() => undefined);
      return this.outcome();
    }
  }

  /** Stopped, or nothing can be done before somebody says something. */
  #isOver(): boolean {
    if (this.view.stop !== undefined) return true;
    const next = decide(this.view, this.#parts.loop.rules, this.#parts.loop.ports.clock.now());
    return next.do === 'wait' && (next.until === undefined || next.asks !== undefined);
  }

  async switchModel(name: string, by = 'user'): Promise<void> {
    const target = await this.#parts.provider.find(name);
    const recorded = await this.#parts.record.recorder.recordIf(({ setup }) => {
      if (setup === undefined) return undefined;
      // What only the model before had (a price, a dialect) must not stay.
      const { profile: _, rates: __, ...rest } = setup;
      return { kind: 'setup', data: { ...rest, ...target, switched: { from: targetName(setup), by } } };
    });
    if (recorded === undefined) throw new ReinsError('defect', 'A session without a setup has no model to switch.');
  }

  async compact(focus?: string): Promise<EventData['compaction'] | undefined> {
    const { compactNow } = await import('./compaction/index.ts');
    const { loop, record } = this.#parts;
    return compactNow(record, loop.ports.summariser, focus);
  }

  step(): Promise<WorkItem> {
    return this.#stepper.step();
  }

  settle<K extends keyof Outcomes>(item: Items[K], outcome: Outcomes[K]): Promise<void> {
    return this.#stepper.settle(item, outcome);
  }

  async cancel(by: string, signal?: 'SIGINT' | 'SIGTERM'): Promise<void> {
    await this.#parts.record.recorder.record({ kind: 'cancel', data: { by, ...(signal !== undefined && { signal }) } });
  }

  async diff(): Promise<string> {
    const { text, cutLines } = await this.#difference();
    const shown = this.#parts.secrets.redact(text);
    return cutLines === 0 ? shown : `${shown}\n(${plural(cutLines, 'more line')})\n`;
  }

  async #difference(): Promise<Diff> {
    const { workspace, hands } = this.#parts;
    const changed = [...this.view.ledger.changedPaths];
    if (changed.length === 0) return { text: '', files: [], cutLines: 0 };
    return diffOf({ workspace, git: hands.git, before: this.#before, changed });
  }

  async report(): Promise<RunReport> {
    const at = this.view.head;
    if (this.#report?.at === at) return this.#report.report;
    const { recordIn, reportOf } = await import('./run-report/index.ts');
    const { files: lines } = await this.#difference();
    const derived = reportOf(this.outcome(), this.view, recordIn(readLog(this.folder)), lines);
    const report = withTexts(derived, (text) => this.#parts.secrets.redact(text));
    this.#report = { at, report };
    return report;
  }

  outcome(): RunOutcome {
    const { session } = this.#parts.record;
    return outcomeOf(this.view, { session: this.id, log: session.file, head: session.head ?? '' });
  }

  async close({ dropUnused = false }: { dropUnused?: boolean } = {}): Promise<{ isUnused: boolean }> {
    const { close, record } = this.#parts;
    await this.#inbox?.end();
    await close();
    await record.recorder.drained();
    const isUnused = dropUnused && record.fresh.length > 0 && isUnsaid(this.view);
    await (isUnused ? letGo(record) : record.session.close());
    return { isUnused };
  }

  /** A question that was left open by an earlier process is put to whoever is here now. */
  async #answered(end: Extract<RunEnd, { waiting: unknown }>): Promise<boolean> {
    const { recorder } = this.#parts.record;
    const [ask] = end.waiting.asks ?? [];
    const question = ask === undefined ? undefined : this.view.ledger.openAsks.get(ask);
    if (ask === undefined || question === undefined) return false;
    const approver = whoAnswers(question, this.#parts.approval);
    if (approver === undefined) return false;
    const withdrawn = new AbortController();
    const unlisten = recorder.listen((event) => {
      if (event.kind === 'cancel' || !this.view.ledger.openAsks.has(ask)) withdrawn.abort();
    });
    const { until } = question;
    if (until !== undefined) void systemClock.sleep(until, withdrawn.signal).then(() => withdrawn.abort());
    try {
      const answer = await approver.ask(question, withdrawn.signal);
      // Answered elsewhere, or too late: what counts then is said by the log and by the rules.
      if (answer !== 'later' && !withdrawn.signal.aborted) {
        await recorder.record({ kind: 'answer', data: { ask, ...answer } });
      }
      return answer !== 'later' || withdrawn.signal.aborted;
    } finally {
      unlisten();
      withdrawn.abort();
    }
  }
}

/** A plan is reviewed by a person alone: no model stands in for them, and nobody being there is no answer. */
function whoAnswers({ plan }: EventData['ask'], { approver, isThere, person }: Approval): Approver | undefined {
  if (plan !== undefined) return person;
  return isThere ? approver : undefined;
}

function isUnsaid({ transcript }: View): boolean {
  return transcript.size === 0 && transcript.held.length === 0;
}
