/** Who mentions what is defined where: files as nodes, and an edge for each name that one mentions and another one defines. */
import { familyOf, nameIn } from './mentions.ts';
import type { Definition } from './symbols.ts';

export interface MappedFile {
  /** Relative to the workspace. */
  path: string;
  definitions: readonly Definition[];
  /** For each definition the place, from 1, of what it is mentioned by in the list of names; 0: no other file can. */
  mentioned: ArrayLike<number>;
  /** Places, from 1, of what the file mentions. */
  references: ArrayLike<number>;
}

/** A name that more define says nothing of any of them: `main`, `toString`. */
const mostDefiners = 20;

/** By edge: the file that mentions, the one that defines, the definition by its number, and how much that says. */
export interface Graph {
  from: Uint32Array;
  to: Uint32Array;
  definition: Uint32Array;
  weight: Float64Array;
  /** The number of each file’s first definition, and how many there are in all. */
  firsts: Uint32Array;
}

/** `names`: by their places; `emphasis`: how much a name counts for what is asked, 1 for most. */
export function graphOf(
  files: readonly MappedFile[],
  names: readonly string[],
  emphasis: (name: string) => number,
): Graph {
  const definers = definersOf(files, names.length);
  let count = 0;
  eachTie(files, definers, () => (count += 1));
  const graph = {
    from: new Uint32Array(count),
    to: new Uint32Array(count),
    definition: new Uint32Array(count),
    weight: new Float64Array(count),
    firsts: definers.firsts,
  };
  const weights = weightsOf(names, definers, emphasis);
  let edge = 0;
  eachTie(files, definers, (from, to, definition, place) => {
    graph.from[edge] = from;
    graph.to[edge] = to;
    graph.definition[edge] = definition;
    graph.weight[edge] = weights[place] ?? 0;
    edge += 1;
  });
  return graph;
}

interface Definers {
  firsts: Uint32Array;
  /** By the number of a definition, its file. */
  owners: Uint32Array;
  /** By the place of a name, where its definitions begin in the list of numbers: those of the next place follow them. */
  begins: Uint32Array;
  numbers: Uint32Array;
}

function definersOf(files: readonly MappedFile[], places: number): Definers {
  const firsts = new Uint32Array(files.length + 1);
  const begins = new Uint32Array(places + 2);
  files.forEach(({ mentioned }, file) => {
    firsts[file + 1] = (firsts[file] ?? 0) + mentioned.length;
    for (let index = 0; index < mentioned.length; index += 1) {
      const after = (mentioned[index] ?? 0) + 1;
      begins[after] = (begins[after] ?? 0) + 1;
    }
  });
  for (let place = 1; place < begins.length; place += 1)
    begins[place] = (begins[place] ?? 0) + (begins[place - 1] ?? 0);
  const total = firsts.at(-1) ?? 0;
  const found = { firsts, begins, owners: new Uint32Array(total), numbers: new Uint32Array(total) };
  const next = begins.slice();
  files.forEach(({ mentioned }, file) => {
    for (let index = 0; index < mentioned.length; index += 1) {
      const number = (firsts[file] ?? 0) + index;
      const place = mentioned[index] ?? 0;
      found.owners[number] = file;
      found.numbers[next[place] ?? 0] = number;
      next[place] = (next[place] ?? 0) + 1;
    }
  });
  return found;
}

type OnTie = (from: number, to: number, definition: number, place: number) => void;

function eachTie(files: readonly MappedFile[], { owners, begins, numbers }: Definers, onTie: OnTie): void {
  const known = new Map<string, number>();
  const families = Uint8Array.from(files, ({ path }) => {
    const family = familyOf(path);
    known.set(family, known.get(family) ?? known.size);
    return known.get(family) ?? 0;
  });
  const isOwn = (file: number, begin: number, end: number): boolean => {
    for (let at = begin; at < end; at += 1) if (owners[numbers[at] ?? 0] === file) return true;
    return false;
  };
  files.forEach(({ references }, from) => {
    const family = families[from];
    for (let index = 0; index < references.length; index += 1) {
      const place = references[index] ?? 0;
      const [begin, end] = [begins[place] ?? 0, begins[place + 1] ?? 0];
      if (end === begin || end - begin > mostDefiners) continue;
      // A name that a file defines itself is that one.
      if (isOwn(from, begin, end)) continue;
      for (let at = begin; at < end; at += 1) {
        const definition = numbers[at] ?? 0;
        const to = owners[definition] ?? 0;
        if (families[to] === family) onTie(from, to, definition, place);
      }
    }
  });
}

/** What a mention of a name says of each of its definitions. */
function weightsOf(names: readonly string[], { begins }: Definers, emphasis: (name: string) => number): Float64Array {
  const weights = new Float64Array(names.length + 1);
  names.forEach((mention, index) => {
    const count = (begins[index + 2] ?? 0) - (begins[index + 1] ?? 0);
    if (count === 0 || count > mostDefiners) return;
    const name = nameIn(mention);
    weights[index + 1] = (worth(name) * emphasis(name)) / count;
  });
  return weights;
}

/** Names that are made of several words are hardly ever two things by chance; a plain word often is; private ones are nobody else’s. */
function worth(name: string): number {
  if (name.startsWith('_')) return 0.1;
  if (/^[a-z]+$/.test(name)) return 0.1;
  return name.length >= 8 && /[a-z][A-Z]|_/.test(name) ? 3 : 1;
}
