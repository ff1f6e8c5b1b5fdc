/** Reads a scope contract: what a run may change, what is asked about, what accepts the work, and its time. */
import { existsSync } from 'node:fs';
import type { Contract } from '../../harness/index.ts';
import { UsageError } from './arguments.ts';
import { readText } from './given-file.ts';
import { oneLine } from './printable.ts';

const lists = ['allowed', 'forbidden', 'ask', 'acceptance'] as const;

export function contractFrom(file: string): Contract {
  const wrong = (what: string): UsageError => new UsageError(`--contract ${JSON.stringify(oneLine(file))}: ${what}`);
  if (!existsSync(file)) throw wrong('there is no such file.');
  let value: unknown;
  try {
    value = JSON.parse(readText(file));
  } catch (error) {
    throw wrong(`it can’t be read as JSON: ${oneLine(error instanceof Error ? error.message : String(error))}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('expected an object.');
  const contract = value as { [key: string]: unknown };
  for (const [key, given] of Object.entries(contract)) {
    if (key === 'minutes') {
      if (typeof given !== 'number' || !(given > 0)) throw wrong('minutes must be a number above 0.');
    } else if (!(lists as readonly string[]).includes(key)) {
      throw wrong(`${JSON.stringify(oneLine(key))} is none of ${lists.join(', ')}, minutes.`);
    } else if (!Array.isArray(given) || !given.every((each) => typeof each === 'string' && each.trim() !== '')) {
      throw wrong(`${key} must be a list of texts.`);
    }
  }
  return contract;
}
