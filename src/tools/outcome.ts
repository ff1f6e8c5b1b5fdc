/** Small shapes that every step and tool handles: refusals, failures, the message of what was thrown. */
import type { CallOutcome, FailureKind } from '../core/index.ts';
import type { Refusal } from './needs.ts';

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value;
}

/** An error result of a tool that has changed nothing. An ordinary failure, unless it says which kind. */
export function failed(text: string, kind?: FailureKind): CallOutcome {
  return { outcome: 'error', text, changes: [], ...(kind !== undefined && { failed: kind }) };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
