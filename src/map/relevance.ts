/** What of a repository has to do with what is asked for: paths, names and words in them. */
import type { MappedFile } from './graph.ts';
import { isMeant, stemPattern, type Sought } from './question.ts';

export interface Relevance {
  /** How much more a mention of a name counts. */
  emphasis: (name: string) => number;
  /** How much of what is asked for is in each file; nothing at all where all are 0. */
  files: Float64Array;
  /** Definition by definition, those of the first file first: how many times more it counts, and what is added to that. */
  factors: Float64Array;
  extras: Float64Array;
}

/** What a file has of it that is named, known already, or has a word that no other file has. */
const namedFile = 3;
const knownFile = 1;
const rareWord = 1;
/** A name that is asked for counts so much more where it is mentioned; one that holds a word that is asked for. */
const namedCounts = 10;
const wordCounts = 3;
/** How much more a symbol counts in whose name a rare word is found, or in whose path. */
const nameHasWord = 100;
const pathHasWord = 20;
/** What is added for a symbol that is named, whose file is, or in which a given word is found; without any of it 1 is the most. */
const namedScore = 3;
const meantScore = 2;
const wordScore = 1;
const pathWordScore = 0.3;
/** A word is the name of a symbol where no more have it: `get` is one of a language. */
const mostNamesakes = 5;

/** Undefined where nothing is asked for. */
export function relevanceOf(files: readonly MappedFile[], sought: Sought): Relevance | undefined {
  const { names, stems, paths, known, isGiven } = sought;
  if (names.size + stems.length + paths.length + known.size === 0) return undefined;
  const words = wordsIn(files, stems);
  const named = namesakesOf(files, names);
  const count = files.reduce((sum, { mentioned }) => sum + mentioned.length, 0);
  const found = {
    files: new Float64Array(files.length),
    factors: new Float64Array(count),
    extras: new Float64Array(count),
  };
  let at = 0;
  files.forEach(({ path, definitions }, file) => {
    const isNamed = paths.some((each) => isMeant(path, each));
    const inPath = words.rarityIn(path);
    const ofWords = (words.ofFile[file] ?? 0) * rareWord;
    found.files[file] = ofWords + (isNamed ? namedFile : 0) + (known.has(path) ? knownFile : 0);
    for (const { name } of definitions) {
      const inName = words.rarityIn(name);
      const given = isGiven ? inName * wordScore + inPath * pathWordScore : 0;
      found.factors[at] = 1 + pathHasWord * inPath + nameHasWord * inName;
      found.extras[at] = given + (isNamed ? meantScore : 0) + (named.has(name) ? namedScore : 0);
      at += 1;
    }
  });
  const emphasis = (name: string): number => {
    if (names.has(name)) return namedCounts;
    return words.any?.test(name) === true ? wordCounts : 1;
  };
  return { ...found, emphasis };
}

/** Names that are asked for and that few definitions have. */
function namesakesOf(files: readonly MappedFile[], names: ReadonlySet<string>): Set<string> {
  const counts = new Map<string, number>();
  if (names.size === 0) return new Set();
  for (const { definitions } of files) {
    for (const { name } of definitions) if (names.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count <= mostNamesakes).map(([name]) => name));
}

interface Words {
  /** Finds any of them. */
  any: RegExp | undefined;
  /** How rare those are together that are in a text: 1 for one that is in one file only. */
  rarityIn: (text: string) => number;
  /** The same for the path and all names of a file. */
  ofFile: readonly number[];
}

function wordsIn(files: readonly MappedFile[], stems: readonly string[]): Words {
  const any = stemPattern(stems);
  if (any === undefined) return { any, rarityIn: () => 0, ofFile: [] };
  const patterns = stems.map((stem) => stemPattern([stem]));
  const has = (text: string): boolean[] => patterns.map((each) => each?.test(text) === true);
  const found = files.map(({ path, definitions }) => {
    const texts = [path, ...definitions.map(({ name }) => name)].filter((text) => any.test(text)).map(has);
    return stems.map((_, word) => texts.some((each) => each[word] === true));
  });
  const rarity = stems.map((_, word) => 1 / Math.sqrt(Math.max(1, found.filter((each) => each[word] === true).length)));
  const sum = (each: readonly boolean[]): number =>
    rarity.reduce((all, rare, word) => all + (each[word] === true ? rare : 0), 0);
  return { any, rarityIn: (text) => (any.test(text) ? sum(has(text)) : 0), ofFile: found.map(sum) };
}
