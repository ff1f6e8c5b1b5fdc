/** Git's configuration files, read without Git: to know what a command would make it run, without running it. */
import { dirname, isAbsolute, join } from 'node:path';
import { statSync } from 'node:fs';
import { readSmall } from './place.ts';

export interface Setting {
  /** Section, subsection and key, as `git config --list` writes them: section and key in lower case. */
  name: string;
  /** Undefined for a key without a value, which means true. */
  value: string | undefined;
}

/** Files that include one another. */
const deepest = 10;

interface Parsed {
  stamp: string;
  settings: Setting[] | undefined;
}

/** Parsed files, kept until they change. */
export class ConfigurationReader {
  readonly #files = new Map<string, Parsed>();
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  /**
   * The settings of a file and of all that it includes, in order; every condition counts as met. Empty where there is no file; undefined
   * where one is there that can't be read.
   */
  read(path: string, depth = 0): Setting[] | undefined {
    const own = this.#parsed(path);
    if (own === undefined || depth > deepest) return undefined;
    const all: Setting[] = [];
    for (const setting of own) {
      all.push(setting);
      if (!/^include(?:if\..*)?\.path$/s.test(setting.name) || setting.value === undefined) continue;
      const included = this.read(this.#placeOf(setting.value, path), depth + 1);
      if (included === undefined) return undefined;
      all.push(...included);
    }
    return all;
  }

  /** The files that were read, whether they could be parsed or not. */
  get files(): string[] {
    return [...this.#files.keys()];
  }

  #placeOf(written: string, from: string): string {
    if (written.startsWith('~/')) return join(this.#home, written.slice(2));
    return isAbsolute(written) ? written : join(dirname(from), written);
  }

  #parsed(path: string): Setting[] | undefined {
    const stamp = stampOf(path);
    if (stamp === undefined) return [];
    const known = this.#files.get(path);
    if (known?.stamp === stamp) return known.settings;
    // A link is followed, as Git does.
    const text = readSmall(path, true);
    const settings = text === undefined ? undefined : parseConfiguration(text);
    this.#files.set(path, { stamp, settings });
    return settings;
  }
}

/** What tells that a file is still the same; undefined where there is none. */
export function stampOf(path: string): string | undefined {
  try {
    const status = statSync(path, { bigint: true, throwIfNoEntry: false });
    return status === undefined ? undefined : [status.ino, status.size, status.mtimeNs, status.ctimeNs].join(':');
  } catch {
    return undefined; // not to be seen by us: Git sees no more
  }
}

/** The settings of a file; undefined where a line can't be read, as Git then stops, too, or reads it otherwise. */
function parseConfiguration(text: string): Setting[] | undefined {
  const settings: Setting[] = [];
  let section = '';
  // A backslash at the end of a line goes on with the next one.
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(/(?<!\\)((?:\\\\)*)\\\n/g, '$1')
    .split('\n');
  for (const line of lines) {
    let rest = line.trim();
    if (rest.startsWith('[')) {
      const header = headerOf(rest);
      if (header === undefined) return undefined;
      section = header.section;
      rest = header.rest;
    }
    if (rest === '' || rest.startsWith('#') || rest.startsWith(';')) continue;
    const [, key, hasValue, written = ''] =
      /^([A-Za-z][\w-]*)[ \t]*(?:(=)([\s\S]*))?$/.exec(withoutComment(rest)) ?? [];
    if (key === undefined || section === '') return undefined;
    const value = hasValue === undefined ? undefined : valueOf(written);
    if (value === null) return undefined;
    settings.push({ name: `${section}.${key.toLowerCase()}`, value });
  }
  return settings;
}

function headerOf(line: string): { section: string; rest: string } | undefined {
  const [all, name, sub] = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\s*\]/.exec(line) ?? [];
  if (all === undefined || name === undefined) return undefined;
  const section = name.toLowerCase() + (sub === undefined ? '' : `.${sub.replace(/\\(.)/g, '$1')}`);
  return { section, rest: line.slice(all.length).trim() };
}

/** The comment after a key without a value; a value's own is taken off with its quotes in mind. */
function withoutComment(line: string): string {
  return line.includes('=') ? line : line.replace(/\s*[#;].*$/s, '');
}

/** A value with its quotes and escapes resolved; null where they can't be. */
function valueOf(written: string): string | null {
  let value = '';
  let isQuoted = false;
  let kept = 0;
  for (const [piece] of written.trim().matchAll(/\\[\s\S]|[\s\S]/g)) {
    if (piece === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (piece === '#' || piece === ';')) break;
    else if (piece.startsWith('\\'))
      value += { n: '\n', t: '\t', b: '\b', '\\': '\\', '"': '"' }[piece.slice(1)] ?? '\0';
    else value += piece;
    if (isQuoted || !/^[ \t]$/.test(piece)) kept = value.length;
  }
  return isQuoted || value.includes('\0') ? null : value.slice(0, kept);
}
