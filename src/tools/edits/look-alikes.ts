/** Text as a row of marks that compare equal where people would take them for the same: case, quotes, dashes and composition apart. */

/** A character, or a few that stand for one; before it lies what is passed over: blanks, escapes, what can't be seen. */
export interface Mark {
  /** The characters themselves. */
  raw: string;
  /** Where the passed-over part begins, where the character itself begins, and where it ends. */
  gap: number;
  start: number;
  end: number;
}

export interface Marks {
  marks: Mark[];
  /** What all marks look like, one after the other, each between separators. */
  looks: string;
}

/** No text has it: a file that does is binary. */
const separator = '\0';

/** Characters without a width or a look of their own. */
const invisible =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff';
const invisibles = new RegExp(`[${invisible}]`, 'g');
const passedOver = `\\\\[ntr0]|[\\s${invisible}\\\\]`;
const allPassedOver = new RegExp(passedOver, 'g');
/** One part of a text after the other; what is passed over is in a group of its own. */
const parts = new RegExp(`(${passedOver})|\\.{3}|\\P{M}\\p{M}*|\\p{M}`, 'gsu');

const alike: [RegExp, string][] = [
  [/["\u2018-\u201f\u2032\u2033\u00b4`\u00ab\u00bb]/g, "'"],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/\.{3}/g, '\u2026'],
];

/** What a text looks like, case and the kind of quotes apart. */
export function lookOf(text: string): string {
  return alike.reduce((look, [from, to]) => look.replaceAll(from, to), text.normalize('NFC').toLowerCase());
}

/** What a line looks like without all that is passed over. */
export function keyOf(line: string): string {
  return lookOf(line).replaceAll(allPassedOver, '');
}

export function withoutInvisible(text: string): string {
  return text.replaceAll(invisibles, '');
}

export function marksOf(text: string): Marks {
  const marks: Mark[] = [];
  const looks: string[] = [''];
  let gap = 0;
  for (const match of text.matchAll(parts)) {
    const [raw, skipped] = match;
    if (skipped !== undefined) continue;
    const end = match.index + raw.length;
    marks.push({ raw, gap, start: match.index, end });
    looks.push(lookOf(raw));
    gap = end;
  }
  return { marks, looks: [...looks, ''].join(separator) };
}

/** The number (from 0) of the first mark at which another text stands, but for look-alikes; undefined where it doesn't. */
export function placeAlike(there: Marks, wanted: Marks): number | undefined {
  const at = wanted.marks.length === 0 ? -1 : there.looks.indexOf(wanted.looks);
  return at === -1 ? undefined : there.looks.slice(0, at).split(separator).length - 1;
}
