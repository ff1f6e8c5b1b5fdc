/** Who mentions what is defined where: files as nodes, and an edge for each name that one mentions and another one defines. */
import { languageOf, languages } from './languages/index.ts';
import type { Definition } from './symbols.ts';

export interface MappedFile {
  /** Relative to the workspace. */
  path: string;
  definitions: readonly MappedDefinition[];
  /** Places of the mentioned names in the list of names. */
  references: ArrayLike<number>;
}

export interface MappedDefinition extends Definition {
  /** The place of what it is mentioned by. */
  place: number;
}

/** What others mention it by: a member has its dot before it where the language tells them apart. */
export function mentionOf(path: string, { name, depth }: Pick<Definition, 'name' | 'depth'>): string {
  return depth > 0 && familyOf(path) === 'ecmascript' ? `.${name}` : name;
}

/** A name that more define says nothing of any of them: `main`, `toString`. */
const mostDefiners = 20;

export interface Graph {
  /** The number of a file’s first definition; one more than there are files. */
  firsts: number[];
  /** By edge: the file that mentions, the one that defines, the definition by its number, and how much that says. */
  from: number[];
  to: number[];
  definition: number[];
  weight: number[];
}

/** `names`: by their places; `emphasis`: how much a name counts for what is asked, 1 for most. */
export function graphOf(
  files: readonly MappedFile[],
  names: readonly string[],
  emphasis: (name: string) => number,
): Graph {
  const families = files.map(({ path }) => familyOf(path));
  const { firsts, definers, owners } = definersIn(files);
  const graph: Graph = { firsts, from: [], to: [], definition: [], weight: [] };
  const weights = new Map<number, number>();
  files.forEach(({ references }, from) => {
    for (let index = 0; index < references.length; index += 1) {
      const place = references[index] ?? 0;
      const defining = definers[place];
      if (defining === undefined || defining.length > mostDefiners) continue;
      const name = names[place] ?? '';
      const weight = weights.get(place) ?? worth(name) * emphasis(name);
      weights.set(place, weight);
      for (const definition of defining) {
        const to = owners[definition] ?? 0;
        if (to === from || families[to] !== families[from]) continue;
        graph.from.push(from);
        graph.to.push(to);
        graph.definition.push(definition);
        graph.weight.push(weight / defining.length);
      }
    }
  });
  return graph;
}

function familyOf(path: string): string {
  const name = languageOf(path);
  return name === undefined ? '' : languages[name].family;
}

interface Definers {
  firsts: number[];
  /** By the place of the mention, numbers of definitions. */
  definers: (number[] | undefined)[];
  /** By the number of a definition, its file. */
  owners: number[];
}

function definersIn(files: readonly MappedFile[]): Definers {
  const found: Definers = { firsts: [0], definers: [], owners: [] };
  files.forEach(({ path, definitions }, file) => {
    const language = languageOf(path);
    const hidden = language === undefined ? undefined : hiddenIn(language);
    let isHeld = false;
    for (const { place, kind, depth, signature } of definitions) {
      const number = found.owners.push(file) - 1;
      // What a hidden one holds is as hidden.
      if (depth === 0) isHeld = hidden?.test(signature) === true;
      if (kind === 'block' || isHeld || (depth > 0 && hidden !== undefined && /\bprivate\b|^#/.test(signature)))
        continue;
      const defining = found.definers[place];
      if (defining === undefined) found.definers[place] = [number];
      else defining.push(number);
    }
    found.firsts.push(found.owners.length);
  });
  return found;
}

function hiddenIn(language: keyof typeof languages): RegExp | undefined {
  const known: { hidden?: RegExp } = languages[language];
  return known.hidden;
}

/** Names that are made of several words are hardly ever two things by chance; a plain word often is; private ones are nobody else’s. */
function worth(mention: string): number {
  const name = mention.startsWith('.') ? mention.slice(1) : mention;
  if (name.startsWith('_')) return 0.1;
  if (/^[a-z]+$/.test(name)) return 0.1;
  return name.length >= 8 && /[a-z][A-Z]|_/.test(name) ? 3 : 1;
}
