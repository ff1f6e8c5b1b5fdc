/** Every port on one screen: what the loop needs of the world. Each has a contract suite in test/contracts. */
import type { Gist } from './compactions.ts';
import type { CallKey, Draft, Event, EventData, EventId, Notification } from './events.ts';
import type { Check } from './setup.ts';
import type { DefinerChange } from './evidence.ts';
import type { Judged } from './judgement.ts';
import type { JsonObject } from './messages.ts';
import type { CallState } from './segment.ts';
import type { View } from './view.ts';

/** The one way into the log: serialises, appends, folds into the view. Rejects with `log-append-failed`, after which nothing else is recorded. */
export type Record = (draft: Draft) => Promise<Event>;
export type Notify = (notification: Notification) => void;

/**
 * The log of one session. `append` gives the event its id (sortable, unique in the log) and has it written when it resolves, so
 * that it survives the end of this process; after `sync` it survives the end of the machine. Events are appended in call order.
 * After a failed append every later one fails too: a log with a hole can't be trusted.
 */
export interface Log {
  append(event: { parent: EventId | null; at: number } & Draft): Promise<Event>;
  sync(): Promise<void>;
}

/** Time. `sleep` resolves at `until` (milliseconds since the epoch) or when `wake` is aborted, whichever is first; it never rejects. */
export interface Clock {
  now(): number;
  sleep(until: number, wake: AbortSignal): Promise<void>;
}

export interface AskModel {
  closing: boolean;
  /** The turn this request belongs to, from 1, and the attempt at it, from 1. */
  turn: number;
  attempt: number;
  /** The most output tokens to offer. */
  maxOutput: number;
  /** Another model than the setup's, one of its routes, and why. */
  route?: NonNullable<EventData['request']['route']>;
}

export interface PreparedRequest {
  data: EventData['request'];
  body: Uint8Array;
}

export type ModelOutcome =
  | { kind: 'reply'; data: Omit<EventData['reply'], 'request'> }
  | { kind: 'failure'; data: Omit<EventData['failure'], 'request'> };

/**
 * The model. `prepare` gives the exact bytes for this view and what the log keeps of them; the same view and log give the same
 * bytes. `send` never rejects for anything a provider or a network does: that is a failure, with the time of the next try in it.
 * A reply is only what ended with the wire's terminal event. An aborted signal gives a failure of class `cancelled`, at once.
 */
export interface Model {
  prepare(view: View, ask: AskModel): Promise<PreparedRequest>;
  send(request: PreparedRequest, id: EventId, signal: AbortSignal, notify: Notify): Promise<ModelOutcome>;
}

/** A call of the model that has no result yet, and how far it has come. */
export type OpenCall = Readonly<CallState>;

/** A call that may be executed: its verdict and its `start` are durable. */
export interface PreparedCall {
  key: CallKey;
  tool: string;
  arguments: JsonObject;
}

type ResultFacts =
  | 'text'
  | 'blob'
  | 'bytes'
  | 'images'
  | 'changes'
  | 'mayHaveChanged'
  | 'exit'
  | 'failed'
  | 'tries'
  | 'facts';
/** What came of executing a call, before it is bounded and recorded. */
export type CallOutcome = { outcome: 'ok' | 'error' | 'cancelled' | 'interrupted' } & Pick<
  EventData['result'],
  ResultFacts
>;

/**
 * The way of a call (docs/tools.md). `prepare` records verdict, question, answer and start, or the refusing result, and continues from
 * wherever the call stands; it gives undefined when the call is settled or waits for an answer. `execute` touches the world and
 * never rejects for what a tool does. `finish` bounds the outcome and records the result. `run` takes all of them through, in
 * batches that keep the order of conflicting calls, and returns when nothing more can run now.
 */
export interface Calls {
  prepare(call: OpenCall, record: Record, signal: AbortSignal): Promise<PreparedCall | undefined>;
  execute(call: PreparedCall, signal: AbortSignal, notify: Notify): Promise<CallOutcome>;
  finish(call: PreparedCall, outcome: CallOutcome, elapsed: number, record: Record): Promise<void>;
  run(calls: OpenCall[], record: Record, signal: AbortSignal, notify: Notify): Promise<void>;
}

export type CheckOutcome = Pick<
  EventData['evidence'],
  'passed' | 'exit' | 'outcome' | 'output' | 'elapsed' | 'shown' | 'findings'
>;

/** Checks and what they cover. `snapshot` describes the workspace; `definersChanged` names what defines a check and isn't what it was; `ownChecks` says what the model's own commands prove of what changed. */
export interface Verifier {
  check(check: Check, signal: AbortSignal, notify: Notify): Promise<CheckOutcome>;
  snapshot(view: View): Promise<EventData['checkpoint']>;
  definersChanged(checks: Check[], view: View): Promise<DefinerChange[]>;
  ownChecks(view: View): Promise<Omit<EventData['own-checks'], 'covers'>>;
}

/** A question of the model to a person. `fallback` is what counts where nobody answers. */
export interface Question {
  call: CallKey;
  question: string;
  options: string[];
  fallback: string;
}

/** What was chosen, in the person's words or as one of the options, and by whom. */
export interface Choice {
  by: string;
  choice: string;
}

/** A person or program that may allow a call, and that reviews a plan (docs/approvals.md). `later` leaves the question open for an answer from elsewhere; nobody there means no. An abort of `signal` means that it was answered elsewhere. */
export interface Approver {
  ask(question: EventData['ask'], signal: AbortSignal): Promise<Omit<EventData['answer'], 'ask'> | 'later'>;
  /** Answers a question of the model. Absent, or undefined: nobody is there to be asked. */
  choose?(question: Question, signal: AbortSignal): Promise<Choice | undefined>;
}

/** Older turns that give way to a summary: those before the reply `tail`. */
export interface SummaryOrder {
  view: View;
  tail: EventId;
  /** The most tokens of the summary, and what the run’s own model takes of a question, as far as is known. */
  most: number;
  window: number;
  /** What it is to look at above all. */
  focus?: string;
}

/** What is shown in place of the turns; without a summary of them `problem` says why, and an earlier one stays. */
export type Summarised = Pick<Gist, 'shown' | 'summary' | 'files'> & { problem?: string };

/**
 * Summarises older turns. `shown` names the files that they read and changed, from the log and not from a model, and holds the summary, marked as
 * the words of a model; an earlier summary is merged into it. What a model is asked is recorded before it is sent, and so is what came of it.
 * Never rejects for what a model, its provider or a network does; an aborted signal gives what there is without a model, soon.
 */
export interface Summariser {
  summarise(order: SummaryOrder, signal: AbortSignal): Promise<Summarised>;
}

/** Never rejects for what the model or its provider does: whatever goes wrong is no ruling. */
export interface Judge {
  judge(view: View, goal: string, signal: AbortSignal): Promise<Judged>;
}

export interface Ports {
  log: Log;
  clock: Clock;
  model: Model;
  calls: Calls;
  verifier: Verifier;
  summariser: Summariser;
  /** Where the run has a goal. */
  judge?: Judge;
}
