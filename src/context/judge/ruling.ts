/** The answer of a judge: one strict form, and whatever else it says is no answer. */
import type { Ruling } from '../../core/index.ts';

/** Characters of a reason. */
const longestReason = 2_000;

export function readRuling(text: string): { ruling: Ruling; reason: string } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'its answer isn’t one JSON object' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'its answer isn’t one JSON object' };
  }
  const { ruling, reason, ...rest } = value as { ruling?: unknown; reason?: unknown };
  if (Object.keys(rest).length > 0) return { problem: 'its answer has keys that it may not have' };
  // Of a key that is there twice the parser keeps the last, whatever the first said.
  if ((text.match(/"ruling"\s*:/g) ?? []).length !== 1) return { problem: 'its answer has a key twice' };
  if (ruling !== 'met' && ruling !== 'not-yet' && ruling !== 'impossible') {
    return { problem: 'its ruling is none of met, not-yet and impossible' };
  }
  if (typeof reason !== 'string' || reason.trim() === '') return { problem: 'it gives no reason' };
  if (reason.length > longestReason) return { problem: `its reason has more than ${longestReason} characters` };
  return { ruling, reason: reason.trim() };
}
