/** About how many tokens a text of code has, rather too many than too few: no tokenizer is loaded for a map. */

/** A word of letters in one case, a number, signs, white space. */
const pieces = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|\s+|[^\sA-Za-z\d]/g;
/** Characters of one token, at least: of a word, of a number. */
const ofWord = 8;
const ofNumber = 3;

export function tokensOf(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(pieces)) tokens += tokensOfPiece(piece);
  return tokens;
}

function tokensOfPiece(piece: string): number {
  const first = piece.charCodeAt(0);
  if (first >= 0x30 && first <= 0x39) return Math.ceil(piece.length / ofNumber);
  if ((first >= 0x41 && first <= 0x5a) || (first >= 0x61 && first <= 0x7a)) return Math.ceil(piece.length / ofWord);
  // One space belongs to the word behind it.
  if (piece === ' ') return 0;
  return first < 0x80 ? 1 : 2;
}
