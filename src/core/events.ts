/** The record: every kind of event and what it holds. Formats: docs/events.md. */
import type { AsideData } from './asides.ts';
import type { ChildData } from './children.ts';
import type { CompactionData } from './compactions.ts';
import type { EvidenceData } from './evidence.ts';
import type { CallKey, EventId } from './identifiers.ts';
import type { InstructionData } from './instructions.ts';
import type { JudgementData } from './judgement.ts';
import type { ImagePart, JsonObject, ReplyPart, ReplyStop, Source, Usage } from './messages.ts';
import type { PermissionData } from './permissions.ts';
import type { FailureClass, Role, SetupData } from './setup.ts';
import type { SteeringData } from './steering.ts';
import type { TitleData } from './titles.ts';

export type { CallKey, EventId } from './identifiers.ts';

export const logFormat = 4;

export type InputFrom = 'user' | 'steer' | 'follow-up' | 'hook' | 'harness' | 'parent';

/** An effect of a call on a file: its path relative to the workspace, SHA-256 of the whole file, null where there was or is none. */
export interface Change {
  path: string;
  before: string | null;
  after: string | null;
}

export type Outcome = 'ok' | 'error' | 'denied' | 'cancelled' | 'cut' | 'interrupted' | 'not-run';

type Ended = 'completed' | 'error' | 'unverified' | 'limit' | 'denied' | 'stuck' | 'provider' | 'refused';
export type StopReason = Ended | 'waiting' | 'cancelled';

/**
 * Why a call failed, for programs. `schema`: its arguments; `not-found`: no such tool; `timeout`: its time limit; `transient`: a fault that
 * may pass; `limit`: an own limit of the tool; `internal`: a defect of the tool; `failed`: what it did failed in an ordinary way.
 */
export type FailureKind = 'schema' | 'not-found' | 'timeout' | 'transient' | 'limit' | 'internal' | 'failed';

export interface EventData
  extends
    PermissionData,
    AsideData,
    ChildData,
    CompactionData,
    EvidenceData,
    InstructionData,
    JudgementData,
    SteeringData,
    TitleData {
  session: { format: number; reins: string; workspace: string; parent?: { session: string; event: EventId } };
  setup: SetupData;
  input: {
    from: InputFrom;
    text: string;
    images?: ImagePart[];
    /** Every compaction keeps it word for word. */
    pinned?: boolean;
    /** A stable name for what the harness itself says (limit-warning-turns, reply-cut, ...). */
    code?: string;
    /** The inbox message it came from, so that it is taken once. */
    message?: string;
  };
  cancel: { by: string; signal?: 'SIGINT' | 'SIGTERM'; message?: string };
  request: {
    turn: number;
    attempt: number;
    source: Source;
    /** SHA-256 of the exact bytes. */
    fingerprint: string;
    /** The exact bytes: the first `kept` bytes of the base request's, then `tail` (in a blob when large). */
    base: EventId | null;
    kept: number;
    tail: string;
    tailBlob?: string;
    bytes: number;
    /** Why it goes to another model than the setup's: `provider/model`, and the model that failed where one did. */
    route?: { to: string; from?: string; role?: Role; because: string };
    /** Tools that this provider can't be offered, and why. */
    leftOut?: { tool: string; why: string }[];
    /** Whether the canonical sequence (tools, system, messages) extends the base's; where not, the first part that broke. */
    extends: boolean;
    broke?: 'model' | 'tools' | 'system' | 'messages';
    /** Where the break begins and what it may cost. */
    miss?: {
      /** The first byte of the body that differs. */
      at: number;
      /** What the byte belongs to, in words: `tool read`, `message 3 of the user`, ... */
      of: string;
      /** Tokens of the request before that can't be read from the cache any more, estimated. */
      tokens: number;
      /** Dollars more than they would have cost from the cache, at most; absent without a rate. */
      cost?: number;
    };
    /** Worst case, reserved before sending: tokens of input (estimated) and output (offered), and dollars where priced. */
    reserved: { input: number; output: number; cost?: number };
    closing?: boolean;
  };
  reply: {
    /** Null: nobody here asked for it, it came with an imported session. */
    request: EventId | null;
    source: Source;
    parts: ReplyPart[];
    stop: ReplyStop;
    /** The stop reason in the provider's own word, and its details. */
    stopRaw?: string;
    stopDetail?: string;
    /** What was mended in arguments that were nearly right, in words, by the index of the call. */
    repairs?: { call: number; what: string }[];
    /** Calls, by their index, whose arguments held a secret that Reins knows: it was replaced, and they are not run. */
    withheld?: number[];
    usage?: Usage;
    /** Dollars; absent without a rate or without usage. */
    cost?: number;
    /** Milliseconds from sending to the first byte and to the end. */
    firstByte: number;
    elapsed: number;
    /** The provider's id of the reply and of the request. */
    providerId?: string;
    requestId?: string;
  };
  failure: {
    request: EventId;
    class: FailureClass;
    /** A code of the error catalogue. */
    code: string;
    message: string;
    status?: number;
    /** When to try again, in milliseconds since the epoch; absent when there is no sense in trying. */
    retryAt?: number;
    usage?: Usage;
    /** Dollars that the attempt cost; zero when it was rejected unread. */
    cost?: number;
    /** The cost is an estimate: the provider reported nothing, or not all. */
    estimated?: boolean;
    requestId?: string;
  };
  hook: JsonObject;
  /** `snapshot`: the workspace as it was right before (docs/undo.md); absent for a call that only reads. */
  start: { call: CallKey; tool: string; snapshot?: string };
  result: {
    call: CallKey;
    tool: string;
    outcome: Outcome;
    /** Exactly what the model sees. */
    text: string;
    /** Where the whole output is, when `text` is only head and tail. */
    blob?: string;
    bytes?: number;
    images?: ImagePart[];
    changes?: Change[];
    /** The call may have changed files that only a scan can tell. */
    mayHaveChanged?: boolean;
    exit?: number | null;
    elapsed?: number;
    /** Why it failed, and how often it was tried when that was more than once. */
    failed?: FailureKind;
    tries?: number;
    /** The workspace as it was right after: what differs from `start.snapshot` is this call's. */
    snapshot?: string;
    /** Facts for the pipeline's own later decisions (what was read, say). */
    facts?: JsonObject;
  };
  rewrite: JsonObject;
  checkpoint: {
    /** The commit that was checked out, null where there is none. */
    commit: string | null;
    /** SHA-256 of each file that differs from the commit (null: deleted); for a folder without Git, of each file. */
    files: { [path: string]: string | null };
    /** Paths that differ from the checkpoint before; absent in the first of a run. */
    changed?: string[];
    /** The scan gave up (too many files): whatever may have changed counts as changed. */
    incomplete?: string;
    /** Taken right after a check: what differs is the check's own writing. */
    afterCheck?: boolean;
  };
  /** A command that goes on in the background. A kept one outlives the session's process, until `until` at most. */
  job: { id: string; call: CallKey; command: string; kept: boolean; until?: number };
  /** `message` names the inbox message by which a person ends it. */
  'job-end': { id: string; how: JobEnd; exit: number | null; signal?: string; message?: string };
  /** Effects that were taken back: those of calls, or those of an earlier undo. */
  undo: {
    calls: CallKey[];
    undone?: EventId;
    /** The workspace right before and right after. */
    before: string;
    after: string;
    changes: Change[];
    /** Paths that were left as they are, and why. */
    kept: { path: string; why: string }[];
  };
  /** `branch`: the named branch that goes on from here; the one before goes on where none is named. */
  head: { from: EventId; why: 'rewind' | 'fork' | 'move'; branch?: string };
  notice: { code: string; level: 'info' | 'warning' | 'error'; text: string; data?: JsonObject };
  stop: {
    reason: StopReason;
    /** A code of the error catalogue, or which limit bound. */
    code?: string;
    detail: string;
    /** The model's last words, when it ended on its own. */
    answer?: string;
    signal?: 'SIGINT' | 'SIGTERM';
  };
}

/** How a job came to its end: by itself, by a call or a person, with the session's process, at its lifetime's end, or unseen. */
export type JobEnd = 'exited' | 'ended' | 'session' | 'lifetime' | 'lost';

export type Kind = keyof EventData;
export type Draft = { [K in Kind]: { kind: K; data: EventData[K] } }[Kind];
export interface EventOf<K extends Kind> {
  id: EventId;
  /** The event it follows on its path; null only for the first. */
  parent: EventId | null;
  /** Milliseconds since the epoch. */
  at: number;
  kind: K;
  data: EventData[K];
}
export type Event = { [K in Kind]: EventOf<K> }[Kind];

/** A line of a log that can't be read: it is named, never dropped. */
export interface Damage {
  damage: string;
  /** Number of the line, from 1, and how many bytes it has. */
  line: number;
  bytes: number;
}

/** A live delta for whoever watches; never needed for replay. */
export type Notification =
  | { type: 'text' | 'thinking'; request: EventId; delta: string }
  | { type: 'call'; request: EventId; index: number; name: string }
  | { type: 'output'; call: CallKey; delta: string }
  | { type: 'void'; request: EventId }
  | { type: 'waiting'; until: number; why: string };
