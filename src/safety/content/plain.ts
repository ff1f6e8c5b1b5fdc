/** Text as phrases are looked for in it: however words are spelled, spaced, hidden or dressed up, they come out plain. */

export interface PlainText {
  text: string;
  /** Where each line begins in it, the first at 0. */
  lines: number[];
}

/** Letters of other scripts that look like Latin ones; taken for those only in words that mix the two. */
const lookAlikes: { readonly [letter: string]: string } = {
  а: 'a',
  в: 'b',
  е: 'e',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  і: 'i',
  ј: 'j',
  ѕ: 's',
  ԁ: 'd',
  һ: 'h',
  ӏ: 'l',
  ո: 'n',
  α: 'a',
  β: 'b',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  γ: 'y',
  η: 'n',
};
const word = /\p{L}{1,40}/gu;
const mixed =
  /[a-z].*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]|[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}].*[a-z]/u;

/** The number of a line and the sign of a comment or a quotation before it. */
const lead = /^(?:\s*\d+(?:\s*[:|]|\t))?\s*(?:\/\/+|--+|;+|>+|<!--)?/;
/** Marks of formatting between words. */
const dressing = /[*_`~"“”,#]+/g;
/** Format characters (zero width, bidirectional, tags), fillers and variation selectors; also written out as results show them. */
const unseen = new RegExp(
  String.raw`\\u\{[0-9a-f]{2,6}\}|[\p{Cf}\u034f\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
  'gu',
);
const nonAscii = /[^\x00-\x7f]/;
/** `i g n o r e`, `i.g.n.o.r.e`, `i-g-n-o-r-e`: words in such a row are a blank more apart. */
const spaced = /(?<![a-z])(?:[a-z][ .-]){3,60}[a-z](?![a-z])/g;

export function plainOf(text: string): PlainText {
  const lines: number[] = [];
  let plain = '';
  for (const line of text.split('\n')) {
    lines.push(plain.length);
    const words = plainLine(line);
    if (words !== '') plain += `${words} `;
  }
  return { text: plain, lines };
}

function plainLine(line: string): string {
  const seen = line.includes('\\u{') || nonAscii.test(line) ? line.replaceAll(unseen, '').normalize('NFKC') : line;
  const lower = seen.toLowerCase().replace(lead, '').replaceAll(dressing, ' ');
  const latin = nonAscii.test(lower) ? lower.replaceAll(word, latinOf) : lower;
  // Two blanks part the words of a spaced line.
  const joined = latin.replaceAll(/ {2,}/g, '\t').replaceAll(spaced, (row) => row.replaceAll(/[ .-]/g, ''));
  return joined.replaceAll(/\s+/g, ' ').trim();
}

function latinOf(letters: string): string {
  if (!mixed.test(letters)) return letters;
  return Array.from(letters, (letter) => lookAlikes[letter] ?? letter).join('');
}
