/** Times in the headers of a recorded answer, moved to today: what was to come in a minute then is to come in a minute now. */
import type { Headers } from '../failures/index.ts';

/** The headers that may name a point in time; all others stay as they are. */
const timed = /^(?:retry-after|(?:.+-)?ratelimit(?:-.+)?)$/;

/** `by` is in milliseconds. */
export function shiftedHeaders(headers: Headers, by: number): Headers {
  const entries = Object.entries(headers).map(([name, value]) => [name, timed.test(name) ? shifted(value, by) : value]);
  return Object.fromEntries(entries) as Headers;
}

/** A date, or seconds or milliseconds since the epoch; durations and counts are no points in time. */
function shifted(value: string, by: number): string {
  const number = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
  if (number !== undefined && number >= 1e11) return String(number + by);
  if (number !== undefined && number >= 1e9) return String(number + by / 1_000);
  if (number !== undefined || !/\d{4}/.test(value)) return value;
  const date = Date.parse(value);
  return Number.isFinite(date) ? new Date(date + by).toISOString() : value;
}
