/** What the record holds of permissions: verdicts, questions, answers, and what commands were let through to. */
import type { Effect } from './effects.ts';
import type { CallKey, EventId } from './identifiers.ts';
import type { JsonObject } from './messages.ts';

/** How long a yes holds: for this call, for what is of its shape in this session, or in this workspace for always. */
export type Scope = 'once' | 'session' | 'always';

/** A thing that calls may conflict over. */
export interface Resource {
  access: 'read' | 'write';
  /** A real path inside the workspace, or a named thing (`process:*`). */
  path: string;
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
  };
  answer: {
    ask: EventId;
    by: string;
    decision: 'yes' | 'no';
    scope: Scope;
    reason?: string;
    /** With yes: the call as it is to be made instead; it is judged anew. */
    arguments?: JsonObject;
    /** The inbox message it came from. */
    message?: string;
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
