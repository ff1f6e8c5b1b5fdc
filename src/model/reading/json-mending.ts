/**
 * JSON that is nearly right, mended only by rules that can't change what it means. What never ends is never closed: a call that
 * was cut must stay recognisable as one.
 */
import type { Json } from '../../core/index.ts';
import { parseJson } from '../reply.ts';

export interface Mended {
  value: Json;
  /** What was mended, in words; empty where nothing was. */
  repairs: string[];
}

/** What weak models put after their arguments; alone it means nothing. */
const closings = new Set(['```', '</tool_call>', '</function>', '</function_call>', '<|im_end|>', '<|eot_id|>']);
const literals: { [word: string]: string } = { True: 'true', False: 'false', None: 'null' };
/** Characters; what is longer is taken as it is. */
const longest = 2_000_000;
const openingFence = /^\s*```\w*[ \t]*\r?\n/;

/** An object or a list out of text that is one, but for what may be mended; undefined where more would be needed. */
export function mendJson(raw: string): Mended | undefined {
  if (raw.length > longest) return undefined;
  const fence = openingFence.exec(raw)?.[0] ?? '';
  const reading = new Reading(raw, fence.length);
  if (!reading.read()) return undefined;
  const rest = raw.slice(reading.end).trim();
  if (fence !== '' && rest !== '```') return undefined;
  if (rest !== '' && !closings.has(rest)) return undefined;
  if (fence !== '') reading.repairs.add('a fence around it');
  else if (rest !== '') reading.repairs.add(`"${rest}" after it`);
  const value = parseJson(reading.text);
  return value === undefined ? undefined : { value, repairs: [...reading.repairs] };
}

/** Where the object or list that begins at a place ends; undefined where it doesn't, or where none begins. */
export function endOfJson(text: string, start: number): number | undefined {
  let depth = 0;
  for (let place = start; place < text.length; place += 1) {
    const character = text[place];
    if (character === '"') {
      const end = endOfString(text, place);
      if (end === undefined) return undefined;
      place = end - 1;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return character === '}' || character === ']' ? place + 1 : undefined;
  }
  return undefined;
}

/** The place after the closing quote of a string that begins at a place. */
function endOfString(text: string, start: number): number | undefined {
  for (let place = start + 1; place < text.length; place += 1) {
    if (text[place] === '\\') place += 1;
    else if (text[place] === '"') return place + 1;
  }
  return undefined;
}

/** One pass over a text, which is written anew as it is understood. */
class Reading {
  readonly repairs = new Set<string>();
  end: number;
  private readonly source: string;
  private readonly start: number;
  private readonly pieces: string[] = [];
  /** The last character outside of strings that isn't space. */
  private before = '';

  constructor(source: string, start: number) {
    this.source = source;
    this.start = start + (/^\s*/.exec(source.slice(start))?.[0].length ?? 0);
    this.end = this.start;
  }

  get text(): string {
    return this.pieces.join('');
  }

  /** Whether an object or a list begins here and ends. */
  read(): boolean {
    const end = endOfJson(this.source, this.start);
    if (end === undefined) return false;
    this.end = end;
    for (let place = this.start; place < end;) place = this.step(place);
    return true;
  }

  private step(place: number): number {
    const character = this.source[place] ?? '';
    if (character === '"') return this.string(place);
    if (/[A-Za-z_]/.test(character)) return this.word(place);
    if (character === ',' && this.isTrailing(place)) this.repairs.add('a comma before a closing bracket');
    else this.pieces.push(character);
    if (!isSpace(character)) this.before = character;
    return place + 1;
  }

  private string(place: number): number {
    const end = endOfString(this.source, place) ?? this.end;
    const raw = this.source.slice(place, end);
    // One after a backslash stays: what was meant by the two can't be known.
    const escaped = raw.replaceAll(/\\[\s\S]|[\u0000-\u001f]/g, (found) =>
      found.length > 1 ? found : JSON.stringify(found).slice(1, -1),
    );
    if (escaped !== raw) this.repairs.add('line breaks or tabs in a string');
    this.pieces.push(escaped);
    this.before = '"';
    return end;
  }

  private word(place: number): number {
    const letters = /[A-Za-z_0-9]+/y;
    letters.lastIndex = place;
    const word = letters.exec(this.source)?.[0] ?? '';
    const literal = Object.hasOwn(literals, word) ? literals[word] : undefined;
    if (literal !== undefined) this.repairs.add(`"${word}" for ${literal}`);
    this.pieces.push(literal ?? word);
    this.before = 'a';
    return place + word.length;
  }

  private isTrailing(place: number): boolean {
    if ('{[,:'.includes(this.before) || this.before === '') return false;
    let next = place + 1;
    while (isSpace(this.source[next] ?? '')) next += 1;
    const after = this.source[next];
    return after === '}' || after === ']';
  }
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}
