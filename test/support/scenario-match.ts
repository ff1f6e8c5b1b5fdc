/**
 * Patterns for events and other plain values. An object in a pattern must have the keys that are named, others don't matter; a list
 * must have just so many items; anything else must be equal. In place of a value may stand what can be said of it:
 * `{"$contains": [texts]}`, `{"$lacks": [texts]}`, `{"$matches": "expression"}`, `{"$atLeast": n}`, `{"$atMost": n}`,
 * `{"$ends": "text"}`, `{"$absent": true}`, `{"$size": n}` (of a list or a text); several together must all hold.
 */

type Plain = { [key: string]: unknown };

/** Where and how a value differs from a pattern, in words; undefined when it fits. */
export function mismatch(pattern: unknown, value: unknown, path = ''): string | undefined {
  if (isPlain(pattern) && Object.keys(pattern).some((key) => key.startsWith('$'))) {
    return said(pattern, value, path);
  }
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value)) return `${path} is no list: ${shown(value)}`;
    if (value.length !== pattern.length)
      return `${path} has ${value.length} items, not ${pattern.length}: ${shown(value)}`;
    return first(pattern, (item, index) => mismatch(item, value[index] as unknown, `${path}[${index}]`));
  }
  if (isPlain(pattern)) {
    if (!isPlain(value)) return `${path} is no object: ${shown(value)}`;
    return first(Object.entries(pattern), ([key, inner]) => {
      return mismatch(inner, value[key], path === '' ? key : `${path}.${key}`);
    });
  }
  return Object.is(pattern, value) ? undefined : `${path} is ${shown(value)}, not ${shown(pattern)}`;
}

const sayings: { [name: string]: (wanted: unknown, value: unknown) => boolean } = {
  $contains: (wanted, value) => texts(wanted).every((text) => String(value).includes(text)),
  $lacks: (wanted, value) => texts(wanted).every((text) => !String(value).includes(text)),
  $matches: (wanted, value) => typeof value === 'string' && new RegExp(String(wanted), 'su').test(value),
  $ends: (wanted, value) => String(value).endsWith(String(wanted)),
  $atLeast: (wanted, value) => typeof value === 'number' && value >= Number(wanted),
  $atMost: (wanted, value) => typeof value === 'number' && value <= Number(wanted),
  $absent: (_, value) => value === undefined,
  $size: (wanted, value) => (Array.isArray(value) || typeof value === 'string') && value.length === wanted,
};

function said(pattern: Plain, value: unknown, path: string): string | undefined {
  return first(Object.entries(pattern), ([name, wanted]) => {
    const holds = sayings[name];
    if (holds === undefined)
      throw new TypeError(`A pattern says ${name}, which is none of ${Object.keys(sayings).join(', ')}.`);
    if (value === undefined && name !== '$absent') return `${path} is not there`;
    return holds(wanted, value) ? undefined : `${path}: ${name} ${shown(wanted)} does not hold of ${shown(value)}`;
  });
}

/** Whether the patterns fit items in this order, others between them; if not, which one is missing and what came nearest. */
export function missingInOrder(patterns: readonly unknown[], items: readonly unknown[]): string | undefined {
  let next = 0;
  for (const [index, pattern] of patterns.entries()) {
    const found = items.findIndex((item, at) => at >= next && mismatch(pattern, item) === undefined);
    if (found >= 0) {
      next = found + 1;
      continue;
    }
    const rest = items.slice(next);
    const near = rest.filter((item) => isPlain(item) && isPlain(pattern) && item['kind'] === pattern['kind']);
    const why = near.map((item) => `  ${mismatch(pattern, item)}`).join('\n');
    const kinds = rest
      .map((item) => (isPlain(item) && typeof item['kind'] === 'string' ? item['kind'] : 'damage'))
      .join(' ');
    return `number ${index + 1} of the expected is missing: ${shown(pattern)}\nafter what fitted came: ${kinds}\n${why}`;
  }
  return undefined;
}

function first<T>(items: readonly T[], check: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function texts(wanted: unknown): string[] {
  return [wanted].flat().map(String);
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As JSON, cut where it gets long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 700 ? `${text.slice(0, 500)}… …${text.slice(-150)}` : text;
}
