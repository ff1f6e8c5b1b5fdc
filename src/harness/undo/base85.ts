/** Bytes as the lines of a binary patch: five characters for four bytes, at most 52 bytes a line, each line with its length before it. */

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const bytesInLine = 52;

export function baseLines(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += bytesInLine) lines.push(lineOf(bytes.subarray(at, at + bytesInLine)));
  return lines;
}

function lineOf(bytes: Buffer): string {
  const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
  bytes.copy(padded);
  let line = lengthOf(bytes.length);
  for (let at = 0; at < padded.length; at += 4) line += group(padded.readUInt32BE(at));
  return line;
}

/** A to Z for 1 to 26, a to z for 27 to 52. */
function lengthOf(length: number): string {
  return String.fromCharCode(length <= 26 ? 64 + length : 70 + length);
}

function group(value: number): string {
  let text = '';
  for (let rest = value, place = 0; place < 5; place += 1) {
    text = `${digits.charAt(rest % 85)}${text}`;
    rest = Math.floor(rest / 85);
  }
  return text;
}
