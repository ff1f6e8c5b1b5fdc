/** A known value as it may be spelled: as it is, encoded, escaped, quoted. Lines of a value count by themselves, so that lines stay lines. */
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
  for (const kept of keptInUrls) yield* percentEncoded(text, kept);
  for (const signs of markedUp) yield text.replace(signs, (sign) => entities[sign] ?? sign);
  yield text.replace(/[\\"$`]/g, '\\$&');
  yield text.replaceAll("'", String.raw`'\''`);
  const hex = Buffer.from(text).toString('hex');
  yield hex;
  yield hex.toUpperCase();
}

/** What writers of JSON escape beside what they must: nothing, letters beyond ASCII, the signs of HTML, or both. */
const escapedInJson = [/(?!)/g, /[^\0-\x7f]/g, /[<>&]/g, /[^\0-\x7f]|[<>&'+`]/g];

function* escaped(text: string): Generator<string> {
  const json = JSON.stringify(text).slice(1, -1);
  yield JSON.stringify(json).slice(1, -1);
  for (const signs of escapedInJson) {
    const lower = json.replace(signs, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
    yield lower;
    yield lower.replaceAll('/', '\\/');
    yield lower.replace(/(?<=\\u)[0-9a-f]{4}/g, (code) => code.toUpperCase());
  }
}

/** What stays as it is in a part of an address, a form, a path, a whole address, its user and its query. */
const keptInUrls = ["!'()*~", '~', '*', '/~', "!'()*;,/?:@&=+$#~", "!'()*,&+$%~", '!()*;,/?:@&=+$%[]|\\^`{}~'];

function* percentEncoded(text: string, kept: string): Generator<string> {
  const strict = encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const url = strict.replace(/%[2-7][0-9A-F]/g, (code) => {
    const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return kept.includes(sign) ? sign : code;
  });
  yield url;
  yield url.replaceAll('%20', '+');
  yield url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/** What writers of HTML and XML replace: in a text, and in quotes of either sort. */
const markedUp = [/[&<>]/g, /[&<>"]/g, /[&<>"']/g];
const entities: { readonly [sign: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The characters that stand for this text alone when it begins `shift` bytes into a group of three: `user:password` is encoded so. */
function* base64At(text: string, shift: number): Generator<string> {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
  const first = [0, 2, 3][shift] ?? 0;
  const sure = Math.floor((bytes.length * 8) / 6);
  const standard = bytes.toString('base64').slice(first, sure);
  yield standard;
  yield standard.replaceAll('+', '-').replaceAll('/', '_');
}
