/** The lines of a file that somebody else wrote: what can't be read is named and left out, nothing else is done with it. */
import { createReadStream } from 'node:fs';
import type { Json, JsonObject } from '../../core/index.ts';

/** Longer lines, deeper nesting and larger files hold no session that a person had. */
const longestLine = 64 * 1024 * 1024;
const deepest = 200;
const largestFile = 1024 * 1024 * 1024;
const newline = 0x0a;

export interface ReadLines {
  /** Objects, with the number of their line. */
  objects: { line: number; value: JsonObject }[];
  /** Lines that were left out, and why. */
  broken: { line: number; why: string }[];
}

/** Rejects where the system refuses the file. */
export async function readObjects(file: string): Promise<ReadLines> {
  const read: ReadLines = { objects: [], broken: [] };
  let pieces: Buffer[] = [];
  let length = 0;
  let line = 1;
  let total = 0;
  const take = (): void => {
    if (length > longestLine) read.broken.push({ line, why: 'it is too long' });
    else takeLine(read, line, Buffer.concat(pieces, length));
    [pieces, length] = [[], 0];
    line += 1;
  };
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > largestFile) throw new Error('it is larger than a session can be');
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, end));
      take();
      from = end + 1;
    }
    keep(chunk.subarray(from));
  }
  if (length > 0) take();
  return read;

  function keep(piece: Buffer): void {
    length += piece.length;
    if (length <= longestLine) pieces.push(piece);
    else pieces = [];
  }
}

function takeLine(read: ReadLines, line: number, bytes: Buffer): void {
  const text = bytes.toString('utf8').trim();
  if (text === '') return;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    read.broken.push({ line, why: 'it is no JSON' });
    return;
  }
  if (!isObject(value)) read.broken.push({ line, why: 'it is no object' });
  else if (isTooDeep(value)) read.broken.push({ line, why: 'it is nested too deep' });
  else read.objects.push({ line, value });
}

function isTooDeep(root: Json): boolean {
  let level: Json[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textAt(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}

export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

export function objectsAt(object: JsonObject, name: string): JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}
