/** What a session did, out of its events: what a rehearsal plays again, and what the two are compared by. */
import { foldAll, type CallKey, type Event, type EventData, type JsonObject } from '../../core/index.ts';
import { pathOf, readLog, scan } from '../../session/index.ts';

/** A call of the model: `turn` counts the replies of the session from 1, `index` the calls of a reply from 0. */
export interface WorkCall {
  turn: number;
  index: number;
  tool: string;
  arguments: JsonObject;
  verdict?: EventData['verdict'];
  answer?: EventData['answer'];
  result?: EventData['result'];
}

/** Something from outside that came while the run was under way; `after` is the step that it followed. */
export type Arrival = { after: string } & (
  | { kind: 'input'; data: EventData['input'] }
  | { kind: 'cancel'; data: EventData['cancel'] }
);

/** From an input to a stop. */
export interface Drive {
  /** What was said before anything was asked. */
  inputs: EventData['input'][];
  replies: EventData['reply'][];
  /** What was said of older turns when they gave way while it ran. */
  summaries: string[];
  arrivals: Arrival[];
  /** The last attempt failed, and no reply came after it. */
  failure?: EventData['failure'];
  stop?: EventData['stop'];
}

/** What one setup stands for: one opening of the session and its drives. */
export interface Opening {
  setup: EventData['setup'];
  /** The workspace as it was found, and as it was seen last. */
  found?: EventData['checkpoint'];
  left?: EventData['checkpoint'];
  drives: Drive[];
}

export interface Work {
  workspace: string;
  openings: Opening[];
  /** By turn and index, in the order of the record. */
  calls: Map<string, WorkCall>;
  /** What was said of plans, by the turn that ended the planning. */
  reviews: Map<string, EventData['answer']>;
  evidence: EventData['evidence'][];
  /** Files that changed, with the hash after the last change that a tool reported; undefined where only a scan saw it. */
  changed: Map<string, string | null | undefined>;
  /** Lines that can't be read. */
  damaged: number;
  /** The head was moved: what left branches did to files is not part of this. */
  branched: boolean;
  /** Runs that ended without a stop: their process was killed, or somebody was waited for. */
  unended: number;
}

/** Reads a session’s log along the path to its head. Throws `session-missing` and `log-unreadable`. */
export function readWork(folder: string): Work {
  const path = pathOf(scan(folder));
  const reading = new Reading();
  let damaged = 0;
  for (const item of readLog(folder)) {
    if ('damage' in item) damaged += 1;
    else if (path.has(item.id)) reading.take(item);
  }
  const view = foldAll(readLog(folder), path);
  return { ...reading.work, damaged, changed: changesIn(view.ledger.changedPaths, reading.hashes) };
}

function changesIn(paths: ReadonlySet<string>, hashes: ReadonlyMap<string, string | null>): Work['changed'] {
  return new Map([...paths].toSorted().map((path) => [path, hashes.get(path)]));
}

/** Names the steps of a run, so that a place in one session can be found again in another. */
export class Steps {
  #turn = 0;
  #evidence = 0;
  #stops = 0;
  readonly #calls = new Map<CallKey, string>();

  /** The step that an event is; undefined for events that are none. */
  take(event: Event): string | undefined {
    switch (event.kind) {
      case 'request':
        return `request ${this.#turn + 1}`;
      case 'reply': {
        this.#turn += 1;
        const calls = event.data.parts.filter(({ type }) => type === 'call');
        for (const index of calls.keys()) this.#calls.set(`${event.id}/${index}`, `${this.#turn}/${index}`);
        this.#calls.set(`${event.id}/plan`, `${this.#turn}/plan`);
        return `reply ${this.#turn}`;
      }
      case 'verdict':
      case 'ask':
      case 'start':
      case 'result':
        return `${event.kind} ${this.callOf(event.data.call)}`;
      case 'evidence':
        return `evidence ${(this.#evidence += 1)}`;
      case 'stop':
        return `stop ${(this.#stops += 1)}`;
      default:
        return undefined;
    }
  }

  /** `turn/index` of a call. */
  callOf(key: CallKey): string {
    return this.#calls.get(key) ?? key;
  }

  get turn(): number {
    return this.#turn;
  }
}

class Reading {
  readonly work: Omit<Work, 'changed' | 'damaged'> = {
    workspace: '',
    openings: [],
    calls: new Map(),
    reviews: new Map(),
    evidence: [],
    branched: false,
    unended: 0,
  };
  readonly hashes = new Map<string, string | null>();
  readonly #steps = new Steps();
  readonly #asks = new Map<string, CallKey>();
  readonly #summaries = new Set<string>();
  #step = '';
  /** A plan was accepted in the last opening: whatever comes next carries it out. */
  #isAccepted = false;

  take(event: Event): void {
    this.#step = this.#steps.take(event) ?? this.#step;
    const { work } = this;
    switch (event.kind) {
      case 'session':
        work.workspace ||= event.data.workspace;
        return;
      case 'setup':
        return this.#open(event.data);
      case 'input':
      case 'cancel':
        return this.#arrive(event);
      case 'reply':
        return this.#reply(event.data);
      case 'failure':
        if (this.#drive !== undefined) this.#drive.failure = event.data;
        return;
      case 'aside':
        if (event.data.purpose === 'summary') this.#summaries.add(event.id);
        return;
      case 'aside-end':
        return this.#summary(event.data);
      case 'checkpoint': {
        const opening = work.openings.at(-1);
        if (opening === undefined) return;
        opening.found ??= event.data;
        opening.left = event.data;
        return;
      }
      case 'evidence':
        work.evidence.push(event.data);
        return;
      case 'head':
        work.branched = true;
        return;
      case 'stop':
        if (this.#drive !== undefined) this.#drive.stop = event.data;
        return;
      default:
        this.#progress(event);
    }
  }

  /** One that a person asked for belongs to no run. */
  #summary({ aside, text }: EventData['aside-end']): void {
    const isOfRun = this.#drive !== undefined && this.#drive.stop === undefined;
    if (isOfRun && text !== undefined && this.#summaries.has(aside)) this.#drive?.summaries.push(text);
  }

  get #drive(): Drive | undefined {
    return this.work.openings.at(-1)?.drives.at(-1);
  }

  /** Where the run before has no end, this one only takes it up again, but for one that carries out its plan. */
  #open(setup: EventData['setup']): void {
    if (setup.switched !== undefined) return;
    const before = this.#drive;
    if (before !== undefined && before.stop === undefined) {
      const isFresh = before.replies.length === 0 && before.inputs.length === 0;
      if (!isFresh) this.work.unended += 1;
      if (!isFresh && !this.#isAccepted) return;
      if (isFresh) this.work.openings.pop();
    }
    this.#isAccepted = false;
    this.work.openings.push({ setup, drives: [emptyDrive()] });
  }

  #arrive(event: Extract<Event, { kind: 'input' | 'cancel' }>): void {
    const opening = this.work.openings.at(-1);
    // What a harness or a hook says, today's says again if it sees fit.
    if (event.kind === 'input' && (event.data.from === 'harness' || event.data.from === 'hook')) return;
    if (opening === undefined) return;
    if (this.#drive?.stop !== undefined) opening.drives.push(emptyDrive());
    const drive = this.#drive;
    if (drive === undefined) return;
    const isBefore = drive.replies.length === 0 && drive.arrivals.length === 0 && !this.#step.startsWith('request');
    if (event.kind === 'input' && isBefore) drive.inputs.push(event.data);
    else drive.arrivals.push({ after: this.#step, kind: event.kind, data: event.data } as Arrival);
  }

  #reply(reply: EventData['reply']): void {
    const drive = this.#drive;
    if (drive === undefined) return;
    drive.replies.push(reply);
    delete drive.failure;
    const { turn } = this.#steps;
    const calls = reply.parts.filter((part) => part.type === 'call');
    for (const [index, { name: tool, arguments: args }] of calls.entries()) {
      this.work.calls.set(`${turn}/${index}`, { turn, index, tool, arguments: args });
    }
  }

  #progress(event: Event): void {
    if (event.kind === 'ask') this.#asks.set(event.id, event.data.call);
    if (event.kind === 'answer') this.#answer(event.data);
    if (event.kind !== 'verdict' && event.kind !== 'result') return;
    const call = this.work.calls.get(this.#steps.callOf(event.data.call));
    if (call === undefined) return;
    if (event.kind === 'verdict') call.verdict ??= event.data;
    else call.result ??= event.data;
    if (event.kind === 'result') for (const { path, after } of event.data.changes ?? []) this.hashes.set(path, after);
  }

  #answer(answer: EventData['answer']): void {
    const name = this.#steps.callOf(this.#asks.get(answer.ask) ?? '');
    if (name.endsWith('/plan') && !this.work.reviews.has(name)) {
      this.work.reviews.set(name, answer);
      this.#isAccepted = answer.decision === 'yes';
    }
    const call = this.work.calls.get(name);
    if (call !== undefined) call.answer ??= answer;
  }
}

function emptyDrive(): Drive {
  return { inputs: [], replies: [], summaries: [], arrivals: [] };
}
