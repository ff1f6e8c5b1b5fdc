/** What the policy is told of a call, and what it answers; met structurally by the tools. */
import type { CommandAnalysis, Effect, Mode, Resource, Scope } from '../core/index.ts';

export interface JudgedCall {
  tool: string;
  arguments: { [key: string]: unknown };
  effects: {
    effects: Effect[];
    resources: Resource[] | 'unknown';
    /** The command line taken apart, where the call is one. */
    analysis?: CommandAnalysis;
    /** The command line that would run, where the call is one. */
    command?: string;
    /** The address that would be fetched, from hosts that the user has granted. */
    url?: string;
    /** All of it happens where the sandbox, if there is one, holds it. */
    confined?: boolean;
    /** A path that the call names leads where no call may go; why. */
    refused?: string;
  };
}

export interface Judgement {
  decision: 'allow' | 'ask' | 'deny';
  /** `floor`, `mode:<mode>`, `rule:<shape or name>`, `pack:<name>` or `grant:<shape>`. */
  by: string;
  /** A sentence for the model and the person, with the way out. */
  reason: string;
  /** The part of a command line that decided, as it is written. */
  part?: string;
  /** The shape that an "always" would grant; absent where none would be as narrow as what was asked. */
  shape?: string;
}

/** The policy of a run: the same call gets the same answer, but for what is granted meanwhile. */
export interface Policy {
  readonly mode: Mode;
  judge(call: JudgedCall): Judgement;
  /** Remembers an "always" for a shape, for as long as this policy lives. */
  grant(shape: string, scope?: Scope): Promise<void>;
}
