/** The answer of a reviewing model: one strict form, and whatever else it says is no answer. */

export interface Ruling {
  decision: 'allow' | 'deny' | 'ask';
  reason: string;
}

/** Characters of a reason. */
const longestReason = 1_000;

export function parseRuling(text: string): Ruling | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'its answer isn’t one JSON object' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'its answer isn’t one JSON object' };
  }
  if (keysIn(text) > Object.keys(value).length) return { problem: 'its answer has a key twice' };
  const { decision, reason, ...rest } = value as { decision?: unknown; reason?: unknown };
  if (Object.keys(rest).length > 0) return { problem: 'its answer has keys that it may not have' };
  if (decision !== 'allow' && decision !== 'deny' && decision !== 'ask') {
    return { problem: 'its decision is none of allow, deny and ask' };
  }
  if (typeof reason !== 'string' || reason.trim() === '') return { problem: 'it gives no reason' };
  if (reason.length > longestReason) return { problem: `its reason has more than ${longestReason} characters` };
  return { decision, reason: reason.trim() };
}

/** Of JSON that parses: of a key that is there twice the parser keeps the last, whatever the first said. */
function keysIn(json: string): number {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length;
}
