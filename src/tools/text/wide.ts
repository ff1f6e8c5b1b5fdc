/** UTF-16, with a byte order mark or, where nothing else can be meant, without. */

export type WideEncoding = 'utf-16le' | 'utf-16be';

/** Whether an encoding has units of two bytes. */
export function isWide(encoding: string): encoding is WideEncoding {
  return encoding === 'utf-16le' || encoding === 'utf-16be';
}

/** Units that are looked at to find UTF-16 without a mark, and the fewest that tell. */
const unitsProbed = 32_768;
const unitsNeeded = 8;

/** The text of UTF-16 bytes. An odd byte at the end is left out. */
export function wideText(bytes: Buffer, encoding: WideEncoding): string {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  return encoding === 'utf-16le' ? even.toString('utf16le') : Buffer.from(even).swap16().toString('utf16le');
}

/** UTF-16 without a mark: half of its units or more are ASCII, and nothing in it is what no text has. */
export function unmarkedWide(bytes: Buffer): WideEncoding | undefined {
  if (bytes.length % 2 !== 0 || bytes.length < unitsNeeded * 2) return undefined;
  const part = bytes.subarray(0, unitsProbed * 2);
  return (['utf-16le', 'utf-16be'] as const).find((encoding) => isSurelyText(wideText(part, encoding)));
}

function isSurelyText(text: string): boolean {
  // A probe may end within a surrogate pair.
  if (!text.replace(/[\ud800-\udbff]$/, '').isWellFormed()) return false;
  if (/[^\t\n\f\r\x20-\x7e\xa0-\ud7ff\ud800-\udfff\uf900-\uffef]/.test(text)) return false;
  const ascii = text.match(/[\t\n\r\x20-\x7e]/g)?.length ?? 0;
  return ascii * 2 >= text.length;
}
