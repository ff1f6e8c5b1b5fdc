/** JSON for strict readers. */

const loneSurrogate = /\\ud[89a-f]/;

/** JSON in which every string is valid Unicode: half a character (of a text that was cut, say) becomes U+FFFD. */
export function json(value: unknown): string {
  const text = JSON.stringify(value);
  return loneSurrogate.test(text) ? JSON.stringify(wellFormed(value)) : text;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key.toWellFormed(), wellFormed(entry)]));
}
