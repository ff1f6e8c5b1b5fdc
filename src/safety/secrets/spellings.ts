/** A known value as it may be spelled: as it is, encoded, escaped. Lines of a value count by themselves, so that lines stay lines. */
import { isOrdinary, leastLength } from './ordinary.ts';

/** Characters of a value that are considered. */
const longest = 4096;

export function spellingsOf(value: string): string[] {
  const found = new Set<string>();
  for (const part of [value, ...value.split(/\r?\n|\\n/)]) {
    const line = part.trim();
    if (line.length < leastLength || line.length > longest || line.includes('\n') || isOrdinary(line)) continue;
    for (const spelling of encodings(line)) if (spelling.length >= leastLength) found.add(spelling);
  }
  if (value.includes('\n')) for (const spelling of escaped(value.trim())) found.add(spelling);
  return [...found].filter((spelling) => spelling.length <= 2 * longest && !spelling.includes('\n'));
}

function* encodings(text: string): Generator<string> {
  yield text;
  yield* escaped(text);
  for (const shift of [0, 1, 2]) yield* base64At(text, shift);
  const url = encodeURIComponent(text.toWellFormed());
  yield url;
  yield url.replaceAll('%20', '+');
  yield url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  yield Buffer.from(text).toString('hex');
}

function* escaped(text: string): Generator<string> {
  const json = JSON.stringify(text).slice(1, -1);
  yield json;
  yield JSON.stringify(json).slice(1, -1);
  yield json.replaceAll('/', '\\/');
}

/** The characters that stand for this text alone when it begins `shift` bytes into a group of three: `user:password` is encoded so. */
function* base64At(text: string, shift: number): Generator<string> {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
  const first = [0, 2, 3][shift] ?? 0;
  const sure = Math.floor((bytes.length * 8) / 6);
  const standard = bytes.toString('base64').slice(first, sure);
  yield standard;
  yield standard.replaceAll('+', '-').replaceAll('/', '_');
}
