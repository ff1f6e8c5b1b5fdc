/** Identifiers of events and sessions: sortable as plain text, unique without asking anybody. */
import { randomInt } from 'node:crypto';

/** Crockford's base 32 in lower case: its order is the order of the bytes, and it has no letters that look like digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const timeLength = 9;
const counterLength = 3;
const randomLength = 4;
const counterLimit = 32 ** counterLength;
/** Later times (from the year 2527) can only come from a damaged or foreign identifier, and would leave no room to count on. */
const timeLimit = 2 ** 44;

function encode(value: number, length: number): string {
  let text = '';
  for (let left = length; left > 0; left -= 1) {
    text = alphabet.charAt(value % 32) + text;
    value = Math.floor(value / 32);
  }
  return text;
}

function decode(text: string): number {
  let value = 0;
  for (const letter of text) value = value * 32 + alphabet.indexOf(letter);
  return value;
}

const ownIdentifier = new RegExp(`^[${alphabet}]{${timeLength + counterLength + randomLength}}$`);

/**
 * Makes identifiers of 16 characters: milliseconds, a counter, and 20 random bits, so that two forks of one log that go on in the
 * same millisecond don't collide. Each is greater than all before it, also when the clock goes back.
 */
export class Identifiers {
  #time = 0;
  #counter = -1;

  /** Continues after an identifier that was made before; one of another make is ignored. */
  continueAfter(identifier: string): void {
    if (!ownIdentifier.test(identifier)) return;
    const time = decode(identifier.slice(0, timeLength));
    const counter = decode(identifier.slice(timeLength, timeLength + counterLength));
    const isLater = time > this.#time || (time === this.#time && counter > this.#counter);
    if (time >= timeLimit || !isLater) return;
    this.#time = time;
    this.#counter = counter;
  }

  /** The next identifier; `at` is in milliseconds since the epoch. */
  next(at: number): string {
    const now = Number.isFinite(at) ? Math.min(Math.max(0, Math.floor(at)), timeLimit) : 0;
    if (now > this.#time) {
      this.#time = now;
      this.#counter = 0;
    } else if (this.#counter + 1 < counterLimit) {
      this.#counter += 1;
    } else {
      this.#time += 1;
      this.#counter = 0;
    }
    return (
      encode(this.#time, timeLength) +
      encode(this.#counter, counterLength) +
      encode(randomInt(32 ** randomLength), randomLength)
    );
  }
}

/** `yyyymmdd-hhmmss-xxxxxx`: the time in UTC and six random characters. */
export function newSessionId(at: number): string {
  const digits = new Date(at).toISOString().replaceAll(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${encode(randomInt(32 ** 6), 6)}`;
}
