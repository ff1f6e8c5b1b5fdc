/**
 * Tags of lines: read shows `12:k3f` and a tab before a line, an edit names the line by that, and doesn’t apply where the line that
 * has the number now has another tag.
 */

/** No letters that are taken for others (i, l, o, u). */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const tagLength = 3;
const bitsOfLetter = 5;

/**
 * The tag of a line, given without its line end: three letters, the same in every version. It is made from the UTF-16 units of the whole
 * line (FNV-1a of 32 bits, mixed as by MurmurHash3’s end, the lowest 15 bits). One of 32,768 other lines has the same tag, so
 * that is how rarely a line that was changed still passes for the one that was read.
 */
export function tagOf(line: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < line.length; index++) {
    const unit = line.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  let tag = '';
  for (let letter = 0; letter < tagLength; letter++) {
    tag += alphabet.charAt((hash >>> (letter * bitsOfLetter)) & 31);
  }
  return tag;
}

/** What stands before a line that is shown with its tag: its number, from 1, and the tag. */
export function lineName(number: number, line: string): string {
  return `${number}:${tagOf(line)}`;
}
