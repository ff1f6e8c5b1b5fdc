/**
 * File names are bytes. Inside, a name is held as text with one character a byte, which sorts as bytes do; outside, as a key: a name
 * that is valid UTF-8 is its own key, any other, and one that begins with a quote, stands in quotes with octal escapes, as Git writes it.
 */
import { isAbsolute, join, relative } from 'node:path';

/** A name or path, one character a byte. */
export type ByteText = string;

const beyondAscii = /[\u0080-\u00ff]/;

export function bytesOf(text: string): ByteText {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** A path as the system takes it. */
export function systemPath(path: ByteText): string | Buffer {
  return beyondAscii.test(path) ? Buffer.from(path, 'latin1') : path;
}

export function keyOf(path: ByteText): string {
  if (!path.startsWith('"') && !beyondAscii.test(path)) return path;
  const bytes = Buffer.from(path, 'latin1');
  const text = bytes.toString('utf8');
  const isPlain = !text.startsWith('"') && Buffer.from(text, 'utf8').equals(bytes);
  return isPlain ? text : `"${[...bytes].map(escaped).join('')}"`;
}

function escaped(byte: number): string {
  const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
  return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
}

export function pathOf(key: string): ByteText {
  if (!key.startsWith('"')) return bytesOf(key);
  return key
    .slice(1, -1)
    .replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** The steps from the workspace to a path (a key or an absolute path); undefined when it lies outside. No step: the workspace itself. */
export function stepsTo(workspace: string, path: string): ByteText[] | undefined {
  const inside = isAbsolute(path) ? relative(workspace, path) : path.startsWith('"') ? undefined : join(path);
  const steps = (inside === undefined ? pathOf(path) : bytesOf(inside))
    .split('/')
    .filter((step) => step !== '' && step !== '.');
  return steps.every(isName) ? steps : undefined;
}

/** Whether this can be the name of one entry of a folder: what is read from a store is never trusted to be one. */
export function isName(name: ByteText): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
}
