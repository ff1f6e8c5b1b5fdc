/** Text from models, tools and files on its way to a terminal: nothing in it is obeyed, and it fits the width. */

/**
 * Control characters but tab and line feed, and what hides or reorders text (zero width, bidirectional marks, line separators,
 * fillers, annotations, tags). Joiners stay: scripts and emoji need them.
 */
const obeyed =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const colour = /\u001b\[[0-9;]*m/g;

/** The text with every dangerous character written out (`\x1b`, `\u202e`); line ends become plain line feeds. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(obeyed, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** On one line: line ends as a mark, tabs as blanks. Colours of a program's output go without a trace, they say nothing. */
export function oneLine(text: string): string {
  // Line by line: a search for line ends among blanks would take the square of how many there are.
  const lines = printable(text.replace(colour, ''))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.join(' ↵ ').replaceAll(/\t+/g, ' ');
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const joining = /[\p{Mn}\p{Me}\u200c\u200d]/u;

/** Columns that a terminal needs for a character. */
function columnsOf(character: string): number {
  if (character >= ' ' && character <= '~') return 1;
  if (joining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Columns that a terminal needs for a text without control characters. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** The beginning of a text that fits into so many columns, with an ellipsis where something was left out. */
export function clip(text: string, columns: number): string {
  if (text.length <= columns && widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns - 1) break;
    kept += character;
  }
  // Where it would have fitted after all, nothing was left out.
  return widthOf(text) <= columns ? text : `${kept.trimEnd()}…`;
}

/** Padded with blanks on the right to so many columns. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/**
 * JSON text with what a terminal or a reader of lines could obey written as escapes: the same value in other bytes. JSON itself
 * escapes only what is below a blank.
 */
export function printableJson(text: string): string {
  return text.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
