/** How long a provider asks to wait, out of the headers of its answer. */

/** Header names in lower case. */
export type Headers = { [name: string]: string };

/** Milliseconds, never negative; undefined where nothing is said. `now` is the time of the answer, in milliseconds since the epoch. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const exact = headers['retry-after-ms'];
  if (exact !== undefined && isNumber(exact)) return Math.max(0, Number(exact));
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  if (isNumber(value)) return Math.max(0, Number(value) * 1_000);
  const date = Date.parse(value);
  return Number.isFinite(date) ? Math.max(0, date - now) : undefined;
}

function isNumber(value: string): boolean {
  return /^\s*-?\d+(?:\.\d+)?\s*$/.test(value);
}

const resetHeader = /^anthropic-ratelimit-(.+)-reset$/;

/** The end of the limits that are used up; where none says so, the first that ends. Times are ISO dates or seconds since the epoch. */
export function untilReset(headers: Headers, now: number): number | undefined {
  const limits = Object.entries(headers).flatMap(([name, value]) => {
    const limit = resetHeader.exec(name)?.[1];
    const at = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value);
    if (limit === undefined || !Number.isFinite(at)) return [];
    const isUsedUp = headers[`anthropic-ratelimit-${limit}-remaining`] === '0';
    return [{ wait: Math.max(0, at - now), isUsedUp }];
  });
  if (limits.length === 0) return undefined;
  const usedUp = limits.filter((limit) => limit.isUsedUp).map((limit) => limit.wait);
  return usedUp.length > 0 ? Math.max(...usedUp) : Math.min(...limits.map((limit) => limit.wait));
}
