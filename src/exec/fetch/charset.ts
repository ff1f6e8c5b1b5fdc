/** From the bytes of a page to its text: by its byte order mark, the header, what it says of itself, or how it looks. */
import { isUtf8 } from 'node:buffer';

/** Bytes in which a page says how it is encoded; the figure is that of the HTML standard. */
const declaredWithin = 1024;

export async function textOf(bytes: Buffer, charset: string | undefined, cut: boolean): Promise<string> {
  const whole = cut ? withoutBrokenEnd(bytes) : bytes;
  const encoding = markedAs(whole) ?? known(charset) ?? declaredIn(whole) ?? (isUtf8(whole) ? 'utf-8' : 'windows-1252');
  if (encoding === 'utf-8') return new TextDecoder().decode(whole);
  const { decode, encodingExists } = await import('iconv-lite').then((module) => module.default);
  // Node before 24 takes windows-1252 for Latin-1, so its own decoder only has what the library lacks.
  return encodingExists(encoding) ? decode(whole, encoding) : new TextDecoder(encoding).decode(whole);
}

function markedAs(bytes: Buffer): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** The encoding that a label of the web means; undefined for one that means none. */
function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined; // What nobody knows says nothing.
  }
}

function declaredIn(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, declaredWithin).toString('latin1');
  const [, label] =
    /<meta\s[^>]{0,300}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start) ??
    /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/.exec(start) ??
    [];
  const encoding = known(label);
  // Who could be read so far isn't in UTF-16.
  return encoding?.startsWith('utf-16') === true ? 'utf-8' : encoding;
}

/** Without the first bytes of a UTF-8 character whose last ones were left out. */
function withoutBrokenEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (byte >= 0xc0) return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
