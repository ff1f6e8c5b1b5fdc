/** Times as people give them to options: a date, a date with a time, or how long ago. */
import { UsageError } from './arguments.ts';
import { oneLine } from './printable.ts';

const units: { readonly [unit: string]: number } = {
  m: 60_000,
  h: 3_600_000,
  d: 24 * 3_600_000,
  w: 7 * 24 * 3_600_000,
};

/** `30m`, `12h`, `7d`, `2w` in milliseconds; undefined for what is no duration. */
function durationIn(value: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(value) ?? [];
  const each = units[unit];
  return each === undefined ? undefined : Number(count) * each;
}

/** A point in time, in milliseconds since the epoch: so long before `now`, or a date (local time) as 2026-11-30 or 2026-11-30T14:00. */
export function timeIn(option: string, value: string, now: number): number {
  const duration = durationIn(value);
  if (duration !== undefined) return now - duration;
  // A date alone would be read as one of UTC.
  const at = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00`) : Date.parse(value);
  if (/^\d{4}-\d{2}-\d{2}/.test(value) && Number.isFinite(at)) return at;
  const shown = JSON.stringify(oneLine(value));
  throw new UsageError(
    `--${option} must be a date (2026-11-30, 2026-11-30T14:00) or how long ago (30m, 12h, 7d, 2w), not ${shown}.`,
  );
}
