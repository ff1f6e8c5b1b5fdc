/**
 * File names are bytes, the log holds text. A name that is valid UTF-8 is its own key; any other, and one that begins with a quote,
 * is written in quotes with octal escapes, as git does. No two names share a key.
 */

export function keyOf(path: Buffer): string {
  const text = path.toString('utf8');
  const isPlain = !text.startsWith('"') && Buffer.from(text, 'utf8').equals(path);
  return isPlain ? text : `"${[...path].map(escaped).join('')}"`;
}

function escaped(byte: number): string {
  const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
  return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
}

/** The name that belongs to a key. */
export function pathOf(key: string): Buffer {
  if (!key.startsWith('"')) return Buffer.from(key, 'utf8');
  const text = key
    .slice(1, -1)
    .replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return Buffer.from(text, 'latin1');
}

/** The key as an argument for git, or undefined for a name that an argument can't carry (arguments are text, too). */
export function argumentOf(key: string): string | undefined {
  return key.startsWith('"') ? undefined : key;
}
