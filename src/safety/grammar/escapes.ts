/** What backslashes stand for in a shell. */
import type { Piece } from './tree.ts';

/** Text outside quotes: what follows a backslash is quoted. */
export function unquotedPieces(text: string): Piece[] {
  if (!text.includes('\\')) return text === '' ? [] : [{ kind: 'text', text, quoted: false }];
  const pieces: Piece[] = [];
  for (const [piece] of text.matchAll(/\\[\s\S]|[^\\]+|\\$/g)) {
    const isEscape = piece.startsWith('\\') && piece.length > 1;
    if (isEscape && piece === '\\\n') continue;
    pieces.push({ kind: 'text', text: isEscape ? piece.slice(1) : piece, quoted: isEscape });
  }
  return pieces;
}

/** Text in double quotes, or in a heredoc, where a double quote is nothing special. */
export function quotedText(text: string, isHeredoc: boolean): string {
  if (!text.includes('\\')) return text;
  const special = isHeredoc ? /\\([$`\\\n])/g : /\\([$`"\\\n])/g;
  return text.replace(special, (_, character: string) => (character === '\n' ? '' : character));
}

const named: { readonly [letter: string]: string } = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The text of `$'...'`; undefined where it holds bytes that are no text. */
export function ansiText(text: string): string | undefined {
  let isText = true;
  const decoded = text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g,
    (_, hex?: string, short?: string, long?: string, octal?: string, control?: string, letter = '') => {
      const unicode = short ?? long;
      if (unicode !== undefined) {
        const point = Number.parseInt(unicode, 16);
        if (point === 0 || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) isText = false;
        return isText ? String.fromCodePoint(point) : '';
      }
      const byte = hex ?? octal;
      if (byte !== undefined) {
        const code = Number.parseInt(byte, hex === undefined ? 8 : 16) & 0xff;
        if (code === 0 || code > 0x7f) isText = false;
        return String.fromCodePoint(code);
      }
      if (control !== undefined) {
        const code = control.charCodeAt(0) & 0x1f;
        if (code === 0 || control.charCodeAt(0) > 0x7f) isText = false;
        return String.fromCodePoint(code);
      }
      const stands = named[letter] ?? (/["'\\?]/.test(letter) ? letter : undefined);
      return stands ?? `\\${letter}`;
    },
  );
  return isText ? decoded : undefined;
}
