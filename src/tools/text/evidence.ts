/** What bytes show by themselves: that they are no text, or that they are text of Western Europe, one byte a character. */

/** Control characters (other than tab, line ends, form feed, backspace, escape) that text may have: one in twenty. */
const controlsAtMost = 0.05;

export function looksBinary(text: string): boolean {
  if (text.includes('\0')) return true;
  const controls = text.match(/[\x01-\x07\x0b\x0e-\x1a\x1c-\x1f\x7f]/g)?.length ?? 0;
  return controls > text.length * controlsAtMost;
}

// In what follows each character is a byte as Windows-1252 has it: its letters, small and capital, and its signs.
const small = 'a-z\\x9a\\x9c\\x9e\\xaa\\xba\\xdf-\\xf6\\xf8-\\xff';
const capital = '\\x8a\\x8c\\x8e\\x9f\\xc0-\\xd6\\xd8-\\xde';
const accented = `\\x9a\\x9c\\x9e\\xdf-\\xf6\\xf8-\\xff${capital}`;
/** Letters that code lists one after the other, to say which a word may have. */
const listed = '\\xc4\\xc5\\xd6\\xdc\\xdf\\xe4\\xe5\\xf6\\xfc';
/** Between letters of a word stand only apostrophes, dashes, the soft hyphen, the micro sign and the dot of Catalan. */
const sign = '\\x80\\x82-\\x89\\x8b\\x91\\x93-\\x95\\x98\\x99\\x9b\\xa0-\\xac\\xae-\\xb3\\xb6\\xb8-\\xbf\\xd7\\xf7';

/** What text of Western Europe has not. Whatever is in doubt counts: what follows from it is only more care. */
const notWestern = new RegExp(
  [
    // Bytes without a meaning or with a rare one, UTF-8, long runs.
    '[\\x81\\x83\\x86-\\x89\\x8d\\x8f\\x90\\x98\\x9d]|[\\xc2-\\xf4][\\x80-\\xbf]',
    `(?=[\\x80-\\xff]{3})[${listed}]{0,2}(?![${listed}])[\\x80-\\xff]`,
    // Quotes, dots, dashes, bullets where none would be: the first halves of Japanese characters are such bytes.
    '[\\x82\\x84\\x91](?![\\w\\xc0-\\xff])|\\w[\\x82\\x84]|(?<!\\w)\\x93(?![\\w\\xc0-\\xff])|\\w\\x93[\\w\\x80-\\xff]',
    '(?<![\\w.!?,)\\]\\xc0-\\xff])[\\x92\\x94]|\\x94[\\x80-\\xff]|(?<![A-Za-z])\\x92[\\x80-\\xff]|\\x92(?:[\\x80-\\xbf]|[\\xc0-\\xff][\\x80-\\xff])',
    '\\x85(?![\\s"\')\\]]|$)|\\x95(?!\\s)|(?<!\\s)[\\x96\\x97]\\s|\\s[\\x96\\x97](?!\\s)|[\\x96\\x97](?![\\s\\w])',
    '(?<!\\d\\s?)\\x80(?!\\s?\\d)|(?<!\\w)\\x99',
    // Signs and capitals inside a word, signs behind a word that only stand before one or alone.
    `[${small}][${sign}]+[${small}]|(?![${listed}]{2})[${small}][${capital}]`,
    '[A-Za-z0-9][\\xa1\\xa4\\xa8\\xac\\xaf\\xb1\\xb4\\xb8\\xb9\\xbf]',
    '(?<![A-Za-z])[\\x8a\\x8c\\x8e\\x9a\\x9c\\x9e\\x9f](?![A-Za-z])',
    // Words of two accented letters and nothing else.
    `(?<![A-Za-z${accented}])(?![${listed}]{2})[${accented}]{2}(?![A-Za-z])`,
  ].join('|'),
);

/** Whether every byte above 7F stands where text of Western Europe would have it. Says nothing of double-byte encodings. */
export function looksWestern(units: string): boolean {
  return !notWestern.test(units);
}

/** A byte above 7F alone, the next one below 30: no half of a character is followed by that. In Japan A1-DF are whole ones. */
const loneByte = /(?<![\x80-\xff])[\x80-\xa0\xe0-\xff](?:[\0-\x2f]|$)/;
const loneSign = /(?<![\x80-\xff])[\xa1-\xdf](?:[\0-\x2f]|$)/;
/** One letter in a word, or a pair that Portuguese, French or German has. In East Asia that would be the rarest of characters. */
const letterOfWord =
  /(?<![\x80-\xff])(?:(?<=[A-Za-z])|(?=[\x80-\xff]{1,2}[A-Za-z]))(?:[\xc8-\xff]|\xe7[\xe3\xf5]|\xe9\xe9|[\xe4\xf6\xfc]\xdf)(?![\x80-\xff])/g;

/** Whether each byte is a character. False is no proof that none is. */
export function isByteByByteText(units: string): boolean {
  if (loneByte.test(units) || (loneSign.test(units) && !/[\x80-\x9f]|[\x80-\xff]{2}/.test(units))) return true;
  const letters = units.match(letterOfWord)?.length ?? 0;
  const runs = units.match(/[\x80-\xff]+/g)?.length ?? 0;
  return runs > 0 && letters * 4 >= runs * 3;
}

/** Latin-1 for certain: nothing in 80-9F, and nothing that only another encoding has. */
export function isLatin1(units: string): boolean {
  return !/[\x80-\x9f]/.test(units) && isByteByByteText(units) && looksWestern(units);
}

/** UTF-8 with broken places: two of three bytes above 7F are in whole characters of it. */
export function isBrokenUtf8(units: string): boolean {
  const all = units.match(/[\x80-\xff]/g)?.length ?? 0;
  const whole = units.match(/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g) ?? [];
  return whole.join('').length * 3 > all * 2;
}
