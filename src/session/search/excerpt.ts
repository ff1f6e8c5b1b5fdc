/** The part of an event's text in which it was found, read from the log itself: the index holds no text. */
import { asEvent } from '../decoder.ts';
import { logFile } from '../folders.ts';
import { castUp, formats } from '../formats.ts';
import { parseLine } from '../line.ts';
import { readPlace } from '../physical-lines.ts';
import { searchedIn } from './texts.ts';
import type { Term } from './words.ts';

const before = 60;
const longest = 240;

export interface Place {
  offset: number;
  bytes: number;
  format: number;
}

/** Empty where the line isn't what it was any more. */
export function excerptAt(folder: string, place: Place, terms: readonly Term[]): string {
  const line = parseLine(readPlace(logFile(folder), place));
  const event = 'damage' in line ? line : asEvent(castUp(line, place.format, formats));
  if ('damage' in event) return '';
  return around(searchedIn(event, undefined)?.text ?? '', terms);
}

export function around(text: string, terms: readonly Term[]): string {
  const found = firstMatch(text, terms);
  const from = found <= before ? 0 : found - before;
  const cut = text.slice(from, from + longest);
  // A cut in the middle of a word or of a character is no word and no character.
  const begun = from === 0 ? cut : `…${cut.replace(/^\S{0,20}\s|^[\uDC00-\uDFFF]/, '')}`;
  return from + longest >= text.length ? begun : `${begun.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Where the first of the terms stands, as words and without regard to what is between them; the beginning where none is found as it was typed. */
function firstMatch(text: string, terms: readonly Term[]): number {
  const places = terms.map(({ text: term }) => {
    const words = term.match(/[\p{L}\p{N}]+/gu) ?? [];
    const pattern = words.join('[^\\p{L}\\p{N}]+');
    return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}`, 'iu').exec(text)?.index ?? -1;
  });
  const found = places.filter((place) => place >= 0);
  return found.length === 0 ? 0 : Math.min(...found);
}
