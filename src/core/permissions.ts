/** What the record holds of permissions: verdicts, questions, answers, and what commands were let through to. */
import type { Effect } from './effects.ts';
import type { CallKey, EventId } from './identifiers.ts';
import type { JsonObject, Source, Usage } from './messages.ts';
import type { Mode } from './setup.ts';

/** How long a yes holds: for this call, for what is of its shape in this session, or in this workspace for always. */
export type Scope = 'once' | 'session' | 'always';

/** A thing that calls may conflict over. */
export interface Resource {
  access: 'read' | 'write';
  /** A real path inside the workspace, or a named thing (`process:*`). */
  path: string;
}

/** A plan under review: its file, its text as the person sees it, and the modes in which the work may go on, the careful one first. */
export interface ReviewedPlan {
  file: string;
  text: string;
  modes: Mode[];
}

export interface PermissionData {
  verdict: {
    call: CallKey;
    tool: string;
    decision: 'allow' | 'ask' | 'deny';
    /** The rule that decided: `floor`, `mode:plan`, `rule:<shape>`, `grant:<shape>`, ... */
    by: string;
    reason: string;
    /** The effective arguments, and who changed them when they aren't the model's. */
    arguments: JsonObject;
    changedBy?: string[];
    /** What the call would touch; undeclared effects conflict with everything. */
    resources: Resource[] | 'unknown';
    /** What the call would do, to which hosts, and the part of a command line that decided. */
    effects?: Effect[];
    hosts?: string[];
    part?: string;
    /** The shape an "always" would grant. */
    shape?: string;
  };
  ask: {
    call: CallKey;
    tool: string;
    question: string;
    /** The command line, where the call is one: a client may offer to edit it. */
    command?: string;
    /** Of the verdict that asks: what the call would do, what caused the question (`by`) in which part, and why. */
    effects?: Effect[];
    by?: string;
    part?: string;
    because?: string;
    /** Unified diff of the files that it would change. */
    diff?: string;
    shape?: string;
    /** Milliseconds since the epoch; unanswered until then it is a no. */
    until?: number;
    /** A question of the model. Its answer is the `reason`: one of these, or a person's own words. */
    options?: string[];
    /** The plan that is under review. A yes begins the work in the answer's `mode`, a no with a reason wants another plan. */
    plan?: ReviewedPlan;
  };
  answer: {
    ask: EventId;
    by: string;
    decision: 'yes' | 'no';
    scope: Scope;
    reason?: string;
    /** With yes: what takes the place of the call's arguments of the same names; the call is validated, analysed and judged anew. */
    arguments?: JsonObject;
    /** With yes to a plan: one of its modes, the first when left out. */
    mode?: Mode;
    /** The inbox message it came from. */
    message?: string;
  };
  /** A question is put to a reviewing model: what it is sent, recorded before it leaves. */
  review: {
    ask: EventId;
    source: Source;
    /** SHA-256 of the exact bytes, and the blob that holds them. */
    blob: string;
    bytes: number;
    /** Worst case: tokens of input (estimated) and output (offered), and dollars where priced. */
    reserved: { input: number; output: number; cost?: number };
  };
  /** What came of it. Without a decision it was no answer, and `failed` says why. */
  'review-end': {
    review: EventId;
    decision?: 'allow' | 'deny' | 'ask';
    reason?: string;
    failed?: string;
    /** What the model said, shortened. */
    text?: string;
    usage?: Usage;
    /** Dollars; absent without a rate or without usage. */
    cost?: number;
    estimated?: boolean;
    /** Milliseconds. */
    elapsed: number;
  };
  /** A connection that a command asked the harness for. */
  connection: {
    /** The call that made it, where that is known. */
    call?: CallKey;
    host: string;
    port: number;
    allowed: boolean;
    /** Why not, or which setting allowed it. */
    reason: string;
    /** Bytes from the command and to it. */
    sent?: number;
    received?: number;
  };
}
