/** Where texts and files come from: the programs whose output they hold, as far as the line shows that. */
import { resolve } from 'node:path/posix';
import type { CommandPart } from '../../core/index.ts';
import type { Findings, Invocation, Word } from '../programs/index.ts';

/** One for a whole line: what has come to hold a program's output on any way through it counts. */
export class Origins {
  /** Of the bodies of substitutions. */
  readonly #outputs = new WeakMap<object, readonly string[]>();
  readonly #parts = new WeakMap<CommandPart, readonly string[]>();
  /** By absolute path; where that can't be told, as the line spells it. */
  readonly #files = new Map<string, readonly string[]>();
  /** What descriptors were opened on. */
  opened: readonly string[] = [];

  outputOf(body: object): readonly string[] {
    return this.#outputs.get(body) ?? [];
  }

  addOutput(body: object, parts: readonly CommandPart[]): void {
    this.#outputs.set(body, union(this.outputOf(body), this.of(parts)));
  }

  /** What these parts give together. */
  of(parts: readonly CommandPart[]): readonly string[] {
    return union(...parts.map((part) => this.#parts.get(part) ?? []));
  }

  file(key: string): readonly string[] {
    return this.#files.get(key) ?? [];
  }

  /** A part gives what it makes itself and what it was given; that is in all the files that it writes, too. */
  addPart(part: CommandPart, { words, redirections, input }: Invocation, { written }: Findings): void {
    const [program] = words;
    const targets = redirections.map(({ target }) => target);
    const read = part.paths.flatMap(({ path }) => this.file(path));
    const given = [...words, ...targets].flatMap((word) => [...(word.from ?? []), ...(word.fileFrom ?? [])]);
    const named = words.flatMap((word) => this.file(spelling(word)));
    const gives = union(program?.text == null ? [] : [baseName(program.text)], input.of ?? [], given, read, named);
    this.#parts.set(part, gives);
    const paths = part.paths.filter(({ access }) => access === 'write');
    for (const key of [...paths.map(({ path }) => path), ...written.map(spelling)])
      this.#files.set(key, union(this.file(key), gives));
  }
}

/** The input of the command itself, under its names as a file. */
const input = /^(?:-|\/dev\/stdin|\/(?:dev|proc\/self)\/fd\/\d+)$/;
const address = /^(https?|ftp):\/\//i;

/** What a word names as a file, or as an address (which counts as its scheme), was made by these programs. */
export async function originsOfFile(
  word: Word,
  { folder, input: read }: Invocation,
  origins: Origins,
  options: { realPath(path: string): Promise<string> },
): Promise<readonly string[]> {
  const { text, fileFrom = [] } = word;
  const start = text ?? word.prefix ?? '';
  const [, scheme] = address.exec(start) ?? [];
  if (scheme !== undefined) return [scheme.toLowerCase()];
  if (text !== null && input.test(text))
    return union(fileFrom, read.of ?? [], text.includes('fd') ? origins.opened : []);
  const key = keyOf(word, folder);
  return union(fileFrom, origins.file(key), key.startsWith('/') ? origins.file(await options.realPath(key)) : []);
}

/** The absolute path of a file, or how the line spells it where that can’t be told. */
export function keyOf(word: Word, folder: string | null): string {
  if (word.text === null || (folder === null && !word.text.startsWith('/'))) return spelling(word);
  return resolve(folder ?? '/', word.text);
}

/** What stands for a word that can't be told: its text in the line, however it is quoted. */
function spelling({ source }: Word): string {
  return source.replaceAll('"', '');
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

export function union(...lists: (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}
