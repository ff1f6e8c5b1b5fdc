/** A definition as one line of text. */
import type { Lexis } from './languages/index.ts';

/** Characters of it. */
const longest = 140;
/** Characters of a definition that are looked at: one may be made to take long. */
const longestRead = 1_000;
/** Characters that may stand before a definition in its line and belong to it: `export default`. */
const longestLead = 40;

/** What may be a password rather than a part of a type; long ones say little anyway. */
const longText = /(["'`])(?:\\.|(?!\1)[^\\]){12,}\1/g;
/** Where a quotation mark alone begins the name of a lifetime. */
const longDoubleText = /(")(?:\\.|[^"\\]){12,}"/g;
/** Marks on a definition that say how it is treated, not what it is. */
const marks = /^(?:@[\w.]+(?:\([^()]*\))?\s*|\[[^[\]]*\]\s*|#\[[^[\]]*\]\s*)+(?=\S)/;

/** From the beginning of its line, where nothing else stands there, to `end`. */
export function signatureOf(text: string, start: number, end: number, lexis: Lexis): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lead = text.slice(lineStart, start);
  const isOwn = lead.length <= longestLead && !/[{};]/.test(lead);
  return shortened(text.slice(isOwn ? lineStart : start, Math.min(end, start + longestRead)), lexis);
}

function shortened(written: string, lexis: Lexis): string {
  const plain = written
    .replaceAll(/\s+/g, ' ')
    .replaceAll('( ', '(')
    .replaceAll(/,? \)/g, ')')
    .trim()
    .replace(marks, '')
    .replaceAll(lexis === 'rust' ? longDoubleText : longText, '$1...$1')
    .replace(/\s*(?:=>|[{:=;,])?\s*$/, '');
  return plain.length > longest ? `${plain.slice(0, longest).toWellFormed()}...` : plain;
}
