/** Formats of the log: how lines of an older one become today's events when they are read. The file itself is never changed. */
import { logFormat } from '../core/index.ts';
import type { Line } from './line.ts';
import { isObject } from './shape.ts';

export type UpCast = (line: Line) => Line;

export interface Formats {
  /** The format that this version writes. */
  current: number;
  /** Turns a line of format n into one of format n + 1; a line that is of that format already stays. */
  upCasts: { [format: number]: UpCast };
}

export const formats: Formats = { current: logFormat, upCasts: { 1: fromFirst, 2: fromSecond } };

export function castUp(line: Line, format: number, known: Formats): Line {
  for (let from = format; from < known.current; from += 1) line = known.upCasts[from]?.(line) ?? line;
  return line;
}

/** What was known of every model of the first format: they were of one provider. */
const firstAbilities = {
  images: true,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  thinking: 'either',
  sampling: true,
  systemMessages: false,
  edits: 'replace',
};

/** A setup had its settings in the words of the wire, and said nothing of what the model can do; compactions were only reserved. */
function fromFirst(line: Line): Line {
  if (!isObject(line.data)) return line;
  if (line.kind === 'compaction' && !('elided' in line.data)) {
    return { ...line, data: { why: 'overflow', elided: [], before: 0, after: 0 } };
  }
  if (line.kind !== 'setup' || 'abilities' in line.data) return line;
  const { settings, limits } = line.data;
  const maxOutput = isObject(limits) ? limits['outputTokens'] : undefined;
  const neutral = isObject(settings) ? neutralSettings(settings) : settings;
  return { ...line, data: { ...line.data, settings: neutral, abilities: firstAbilities, maxOutput } };
}

function neutralSettings({ thinking, ...rest }: { [key: string]: unknown }): { [key: string]: unknown } {
  if (!isObject(thinking)) return rest;
  if (typeof thinking['budget_tokens'] === 'number') return { ...rest, thinking: thinking['budget_tokens'] };
  return { ...rest, thinking: thinking['type'] === 'disabled' ? 'off' : 'adaptive' };
}

/** Jobs were only reserved: what a line holds of one stays, what it lacks is empty. */
function fromSecond(line: Line): Line {
  if (!isObject(line.data)) return line;
  if (line.kind === 'job') return { ...line, data: { id: '', call: '', command: '', kept: false, ...line.data } };
  if (line.kind === 'job-end') return { ...line, data: { id: '', how: 'lost', exit: null, ...line.data } };
  return line;
}
