/**
 * Characters that nobody sees, or that turn the order of what is seen, written out: they can hide words from people, or make a line read
 * other than it is (CVE-2021-42574). What scripts and emoji need of them stays as it is.
 */

/** Whatever may have to be written out: a text without any of it is left alone. */
const suspects = String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e01ef}]`;
const suspect = new RegExp(suspects, 'u');

/** One alternative after the other: sequences that stay are taken as a whole, so that what is found alone is not part of one. */
const parts = new RegExp(
  [
    // A flag of a region: a black flag, tags, the tag that ends it (Unicode TR51, ED-14a).
    '\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}',
    // Emoji joined to one (ED-16), and a single variation selector behind any character that shows.
    '\\p{Extended_Pictographic}[\\u{1f3fb}-\\u{1f3ff}\\ufe0f]?(?:\\u200d[\\p{Extended_Pictographic}\\u2640\\u2642\\u2695][\\u{1f3fb}-\\u{1f3ff}\\ufe0f]?)+',
    '(?![\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])[\\p{L}\\p{N}\\p{S}\\p{P}\\p{M}][\\ufe00-\\ufe0f](?![\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])',
    '\\p{Script=Han}[\\u{e0100}-\\u{e01ef}](?![\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])',
    '\\p{Script=Mongolian}[\\u180b-\\u180e](?=\\p{Script=Mongolian}|\\s|$)',
    // Joiners where a script tells words apart by them, and breaks between words of scripts that write none.
    '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{M}][\\u200c\\u200d]',
    '[\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{M}]\\u200b',
    // Marks of direction beside a letter that is written from right to left.
    '[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}][\\p{P}\\p{N}\\p{Zs}]{0,3}[\\u200e\\u200f\\u061c]',
    '[\\u200e\\u200f\\u061c](?=[\\p{P}\\p{N}\\p{Zs}]{0,3}[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}])',
    `(${suspects})`,
  ].join('|'),
  'gu',
);

/** The text with what is written out as `\u{202e}`. A byte order mark at its very beginning stays. */
export function showUnseen(text: string): string {
  if (!suspect.test(text)) return text;
  return text.replace(parts, (whole: string, found: string | undefined, at: number) => {
    if (found === undefined || (found === '\ufeff' && at === 0)) return whole;
    return `\\u{${found.codePointAt(0)?.toString(16)}}`;
  });
}

/** What was written out as characters again; anything else that reads like it, too. */
export function withUnseen(text: string): string {
  return text.replaceAll(/\\u\{([0-9a-f]{2,6})\}/g, (written, digits: string) => {
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff) return written;
    const character = String.fromCodePoint(code);
    return suspect.test(character) ? character : written;
  });
}
