/** Small shapes that every step and tool handles: refusals, failures, the message of what was thrown. */
import type { CallOutcome } from '../core/index.ts';
import type { Refusal } from './needs.ts';

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value;
}

/** An error result of a tool that has changed nothing. */
export function failed(text: string): CallOutcome {
  return { outcome: 'error', text, changes: [] };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
