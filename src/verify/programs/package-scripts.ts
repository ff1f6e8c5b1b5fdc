/** The scripts of a package.json (or a composer.json): the part of it that defines a check. */
import { createHash } from 'node:crypto';
import { constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import type { Json, JsonObject } from '../../core/index.ts';

/** Bytes; a package file of more isn't one. */
const largest = 8 * 1024 * 1024;

/** The scripts by name; undefined where there is no such file, or it has none. */
export function scriptsOf(file: string): JsonObject | undefined {
  const scripts = readPackage(file)?.['scripts'];
  return isObject(scripts) ? scripts : undefined;
}

/** SHA-256 of the scripts alone, whatever their order: other parts of the file may change. Null where there are none. */
export function scriptsHash(file: string): string | null {
  const scripts = scriptsOf(file);
  if (scripts === undefined) return null;
  return createHash('sha256')
    .update(JSON.stringify(sorted(scripts)))
    .digest('hex');
}

/** The folders of the packages that belong to a package: `workspaces` with plain paths, and with a star at the end. */
export function memberFolders(workspace: string): string[] {
  const declared = readPackage(join(workspace, 'package.json'))?.['workspaces'];
  const patterns = isObject(declared) ? declared['packages'] : declared;
  if (!Array.isArray(patterns)) return [];
  return patterns.flatMap((pattern) => (typeof pattern === 'string' ? matching(workspace, normalize(pattern)) : []));
}

function matching(workspace: string, pattern: string): string[] {
  if (pattern.startsWith('..')) return [];
  const star = /^(?<parent>[^*]*)\/\*{1,2}\/?$/.exec(pattern);
  const parent = star?.groups?.['parent'];
  if (parent === undefined) return [pattern.replace(/\/$/, '')];
  try {
    return readdirSync(join(workspace, parent)).map((name) => join(parent, name));
  } catch {
    return []; // No such folder: no packages in it.
  }
}

function readPackage(file: string): JsonObject | undefined {
  try {
    const status = statSync(file);
    if (!status.isFile() || status.size > largest) return undefined;
    const text = readFileSync(file, { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NONBLOCK });
    const value = JSON.parse(text.replace(/^\ufeff/, '')) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Not there, or not JSON: a package manager finds no scripts in it either.
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}
