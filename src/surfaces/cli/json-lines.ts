/** What `--json` writes: one JSON object a line. This is a contract (docs/cli.md): names, order and meaning change only with the version. */
import type { Event, Notification, RunOutcome } from '../../harness/index.ts';
import type { Failure } from './failure.ts';
import { printableJson } from './printable.ts';

const contractVersion = 1;

export type OutcomeLine = Omit<RunOutcome, 'outcome' | 'session' | 'log' | 'head'> & {
  outcome: RunOutcome['outcome'] | 'usage';
} & Partial<Pick<RunOutcome, 'session' | 'log' | 'head'>>;

/** Writes the lines of one run. The first line and the outcome carry the version; after the outcome comes nothing. */
export class JsonLines {
  readonly #write: (line: string) => void;
  #isFirst = true;
  #isOver = false;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  event(event: Event): void {
    this.#line('event', eventFields(event));
  }

  delta(notification: Notification): void {
    this.#line('delta', deltaFields(notification));
  }

  /** The last line; a second outcome is not written. */
  outcome(outcome: OutcomeLine): void {
    const { outcome: name, exit, ...rest } = outcome;
    this.#isFirst = true;
    this.#line('outcome', { outcome: name, exit, ...rest });
    this.#isOver = true;
  }

  #line(type: string, fields: object): void {
    if (this.#isOver) return;
    const head = this.#isFirst ? { type, version: contractVersion } : { type };
    this.#isFirst = false;
    this.#write(jsonLine({ ...head, ...fields }));
  }
}

export function jsonLine(value: object): string {
  return `${printableJson(JSON.stringify(value))}\n`;
}

/** An event as the log has it, without the hash that chains it to the line before: that belongs to the file. */
export function eventFields({ id, parent, at, kind, data }: Event): object {
  return { id, parent, at, kind, data };
}

function deltaFields(notification: Notification): object {
  switch (notification.type) {
    case 'text':
    case 'thinking':
      return { kind: notification.type, request: notification.request, text: notification.delta };
    case 'output':
      return { kind: 'output', call: notification.call, text: notification.delta };
    case 'call':
      return { kind: 'call', request: notification.request, index: notification.index, name: notification.name };
    case 'waiting':
      return { kind: 'waiting', until: notification.until, why: notification.why };
    default:
      return { kind: notification.type satisfies 'void', request: notification.request };
  }
}

/** The outcome of what never became a session's own end; with what the session has done so far where there is one. */
export function failedOutcome(failure: Failure, soFar?: RunOutcome): OutcomeLine {
  const { outcome, exit, code, detail } = failure;
  const { answer: _answer, code: _code, ...done }: OutcomeLine = { ...nothingDone, ...soFar, outcome, exit, detail };
  return { ...done, ...(code === undefined ? {} : { code }) };
}

const nothingDone = {
  turns: 0,
  calls: 0,
  usage: {},
  changed: [],
  evidence: [],
  checksWaived: false,
  denials: [],
  resumable: false,
} satisfies Partial<RunOutcome>;
