/** Finds text in a file's units, a line end in it standing for the file's own. */

/** A place in the units of a file: from (included) to (not included). */
export interface Span {
  start: number;
  end: number;
}

/** Where CRLF stands in the units, as the places of its LF in the text that has LF alone. */
interface Plain {
  text: string;
  crlf: number[];
}

/**
 * All places at which `wanted` stands in `units`, overlapping ones included unless `apart`. A bare LF in `wanted` stands for LF and
 * for CRLF, line by line; a CRLF in it for CRLF only; everything else for itself.
 */
export function findAll(units: string, wanted: string, { from = 0, apart }: { from?: number; apart: boolean }): Span[] {
  if (wanted === '') return [];
  // A CR at its end may be the first half of a CRLF, which has no place of its own in a text with LF alone.
  const flexible = wanted.includes('\n') && units.includes('\r\n') && !wanted.endsWith('\r');
  if (!flexible) {
    return placesOf(units, wanted, { from, apart }).map((start) => ({ start, end: start + wanted.length }));
  }
  const plain = withPlainLineEnds(units);
  const sought = withPlainLineEnds(wanted);
  const isPlace = (place: number): boolean =>
    original(plain, place) >= from && sought.crlf.every((at) => isCrlf(plain, place + at));
  return placesOf(plain.text, sought.text, { from: plainPlace(plain, from), apart }, isPlace).map((place) => ({
    start: original(plain, place),
    end: original(plain, place + sought.text.length),
  }));
}

/** Only what is a place keeps others `apart` from it. */
function placesOf(
  text: string,
  wanted: string,
  { from, apart }: { from: number; apart: boolean },
  isPlace: (place: number) => boolean = () => true,
): number[] {
  const places: number[] = [];
  let at = text.indexOf(wanted, from);
  while (at !== -1) {
    const isOne = isPlace(at);
    if (isOne) places.push(at);
    at = text.indexOf(wanted, at + (isOne && apart ? wanted.length : 1));
  }
  return places;
}

function withPlainLineEnds(units: string): Plain {
  const crlf: number[] = [];
  let at = units.indexOf('\r\n');
  while (at !== -1) {
    crlf.push(at - crlf.length);
    at = units.indexOf('\r\n', at + 2);
  }
  return { text: units.replaceAll('\r\n', '\n'), crlf };
}

function isCrlf({ crlf }: Plain, place: number): boolean {
  return crlf[countBefore(crlf, place)] === place;
}

/** The place in the file's own units: each CRLF before it was one unit longer. */
function original({ crlf }: Plain, place: number): number {
  return place + countBefore(crlf, place);
}

/** The place in the text that has LF alone; of a place between CR and LF that of the LF. */
function plainPlace({ crlf }: Plain, place: number): number {
  let low = 0;
  let high = crlf.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((crlf[middle] ?? 0) + middle < place) low = middle + 1;
    else high = middle;
  }
  return place - low;
}

/** How many of the sorted numbers are smaller. */
function countBefore(sorted: number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
