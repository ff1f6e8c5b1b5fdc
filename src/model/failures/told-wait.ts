/** How long a provider asks to wait, out of the headers of its answer or out of its words. */

/** Header names in lower case. */
export type Headers = { [name: string]: string };

/** Milliseconds, never negative; undefined where nothing is said. `now` is the time of the answer, in milliseconds since the epoch. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const exact = headers['retry-after-ms'];
  if (exact !== undefined && isNumber(exact)) return Math.max(0, Number(exact));
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  if (isNumber(value)) return Math.max(0, Number(value) * 1_000);
  return durationOf(value) ?? untilDate(value, now);
}

function isNumber(value: string): boolean {
  return /^\s*-?\d+(?:\.\d+)?\s*$/.test(value);
}

function untilDate(value: string, now: number): number | undefined {
  const date = Date.parse(value);
  return Number.isFinite(date) ? Math.max(0, date - now) : undefined;
}

const units: { [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const durationShape = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;

/** Milliseconds of a duration like `1s`, `6m0s`, `20ms`, `1h2m` or `21.5s`; undefined for anything else. */
export function durationOf(text: string): number | undefined {
  const tight = text.trim().toLowerCase();
  // The length is bounded first: the shape of a hostile text would be tried in every way.
  if (tight.length > 40 || !durationShape.test(tight)) return undefined;
  const parts = [...tight.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0), 0);
}

const inWords =
  /\b(?:(?:try again|retry|available|resets?)(?: again)? in|wait)(?: for)?(?: about)? (\d[\d.]{0,12}) ?((?:milli)?seconds?|minutes?|hours?|days?|(?:ms|[smhd])(?:\d[\d.smh]{0,20})?)(?![a-z])/i;

/** Milliseconds of “Please try again in 1.2s” and the like; undefined where the words tell no time. */
export function toldInWords(message: string): number | undefined {
  const [, count, unit = ''] = inWords.exec(message.slice(0, 4_000)) ?? [];
  if (count === undefined) return undefined;
  const word = unit.toLowerCase();
  if (word.startsWith('milli')) return durationOf(`${count}ms`);
  const isWord = /^[a-z]{3,}$/.test(word);
  return durationOf(count + (isWord ? word.slice(0, 1) : word.replace(/\.$/, '')));
}

/** Limits by their headers: `anthropic-ratelimit-tokens-reset`, `x-ratelimit-reset-requests`, or a bare `x-ratelimit-reset`. */
const resetHeader = /^(?:(anthropic-ratelimit-.+)-reset|((?:x-)?ratelimit)-reset(-.+)?)$/;

/** The end of the limits that are used up; where none says so, the first that ends. */
export function untilReset(headers: Headers, now: number): number | undefined {
  const limits = Object.entries(headers).flatMap(([name, value]) => {
    const [, vendor, common, limit = ''] = resetHeader.exec(name) ?? [];
    if (vendor === undefined && common === undefined) return [];
    const wait = untilTime(value, now);
    if (wait === undefined) return [];
    const remaining = headers[vendor === undefined ? `${common}-remaining${limit}` : `${vendor}-remaining`];
    return [{ wait, isUsedUp: remaining?.trim() === '0' }];
  });
  if (limits.length === 0) return undefined;
  const usedUp = limits.filter((limit) => limit.isUsedUp).map((limit) => limit.wait);
  return usedUp.length > 0 ? Math.max(...usedUp) : Math.min(...limits.map((limit) => limit.wait));
}

/** Numbers from here on are times since the epoch, in seconds (2001 and later) or milliseconds; smaller ones are seconds from now. */
const firstEpochSecond = 1e9;
const firstEpochMillisecond = 1e11;

/** A time as providers write it: a duration, a date, seconds from now, seconds or milliseconds since the epoch. */
function untilTime(value: string, now: number): number | undefined {
  if (!isNumber(value)) return durationOf(value) ?? untilDate(value, now);
  const number = Number(value);
  if (number >= firstEpochMillisecond) return Math.max(0, number - now);
  if (number >= firstEpochSecond) return Math.max(0, number * 1_000 - now);
  return Math.max(0, number * 1_000);
}
