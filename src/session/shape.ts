/** Small checks of parsed JSON that say what is wrong, and put together they say it of a whole event. */

/** Says what is wrong with a value, or nothing. */
export type Check = (value: unknown, path: string) => string | undefined;

/** A check for each field of a type: whoever gives the type another field must say here what it holds. */
export type Shape<T> = { [K in keyof T]-?: Check };
/** Each word of a type, so that one which the type gains can't be forgotten. */
export type Words<Word extends string> = { [W in Word]: true };

export const isObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const text: Check = (value, path) => (typeof value === 'string' ? undefined : `${path} is no text`);
export const number: Check = (value, path) => (Number.isFinite(value) ? undefined : `${path} is no number`);
export const flag: Check = (value, path) =>
  typeof value === 'boolean' ? undefined : `${path} is neither true nor false`;
export const object: Check = (value, path) => (isObject(value) ? undefined : `${path} is no object`);
export const anything: Check = (value, path) => (value === undefined ? `${path} is missing` : undefined);

export const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? undefined : check(value, path);
export const nullable =
  (check: Check): Check =>
  (value, path) =>
    value === null ? undefined : check(value, path);

export function list(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return `${path} is no list`;
    for (const [index, item] of value.entries()) {
      const wrong = check(item, `${path}[${index}]`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

export function fields(checks: { [key: string]: Check }): Check {
  const entries = Object.entries(checks);
  return (value, path) => {
    if (!isObject(value)) return `${path} is no object`;
    for (const [key, check] of entries) {
      const wrong = check(value[key], path === '' ? key : `${path}.${key}`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

export function each(check: Check): Check {
  return (value, path) => {
    if (!isObject(value)) return `${path} is no object`;
    for (const [key, item] of Object.entries(value)) {
      const wrong = check(item, `${path}.${key}`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

/** One of the words that are the keys. */
export function oneOf(words: { [word: string]: true }): Check {
  return (value, path) =>
    typeof value === 'string' && Object.hasOwn(words, value) ? undefined : `${path} has an unknown value`;
}
