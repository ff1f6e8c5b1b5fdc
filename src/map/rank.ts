/**
 * Which symbols matter: those that much of the repository mentions, seen from what is asked for. A walk along the edges of the graph
 * that begins anew, again and again, at the files that are meant (PageRank with a personalisation) spends its time where it matters.
 */
import { graphOf, type Graph, type MappedFile } from './graph.ts';
import { isMeant, stemPattern, type Sought } from './question.ts';

export interface Ranked {
  /** Places in the lists of files, and of the definitions of that file. */
  file: number;
  definition: number;
  score: number;
}

/** The share of the walk that goes on along an edge, and how often it is taken further. */
const going = 0.85;
const steps = 20;
/** The share of the beginnings that goes to what is asked for; how much of it to a file that is named, known already, or has a rare word. */
const asked = 0.75;
const startAtNamed = 3;
const startAtKnown = 1;
const startAtWord = 1;
/** How much more a symbol counts in whose name a rare word is found, or in whose path. */
const nameHasWord = 100;
const pathHasWord = 20;
/** Tests mention what they test, which says little of how much it matters. */
const startAtTest = 0.3;
/** A name that is asked for counts so much more where it is mentioned; one that holds a word that is asked for. */
const namedCounts = 10;
const wordCounts = 3;
/** A word is the name of a symbol where no more have it: `get` is one of a language. */
const mostNamesakes = 5;
/** What a symbol gets that is named, whose file is, or in which a given word is found; without any of it 1 is the most. */
const namedScore = 3;
const meantScore = 2;
const wordScore = 1;
const pathWordScore = 0.3;

const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|examples?|vendor|third_party)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_/;

/** The best definitions, `most` of them or a few more, the best first; of one score in the order of the files. */
export function rank(files: readonly MappedFile[], names: readonly string[], sought: Sought, most: number): Ranked[] {
  const words = wordsIn(files, sought.stems);
  const graph = graphOf(files, names, (name) => {
    if (sought.names.has(name)) return namedCounts;
    return words.any?.test(name) === true ? wordCounts : 1;
  });
  const { shares, time } = walk(graph, startOf(files, sought, words));
  const scores = new Float64Array(graph.firsts.at(-1) ?? 0);
  graph.definition.forEach((definition, edge) => {
    scores[definition] = (scores[definition] ?? 0) + (time[graph.from[edge] ?? 0] ?? 0) * (shares[edge] ?? 0);
  });
  return best(files, weighed(files, graph, scores, time, { ...sought, ...words }), graph.firsts, most);
}

/** A symbol counts by itself and by its file: so the map shows fewer files, and more of each. */
function weighed(
  files: readonly MappedFile[],
  { firsts }: Graph,
  scores: Float64Array,
  time: Float64Array,
  sought: Sought & Words,
): Float64Array {
  const named = namesakesOf(files, sought);
  const worth = new Float64Array(scores.length);
  const asked = new Float64Array(scores.length);
  files.forEach(({ path, definitions }, file) => {
    const first = firsts[file] ?? 0;
    const own = (time[file] ?? 0) / (definitions.length + 1) / 10;
    const ofFile = scores.subarray(first, first + definitions.length).reduce((sum, each) => sum + each, own);
    const meant = sought.paths.some((each) => isMeant(path, each)) ? meantScore : 0;
    const inPath = sought.rarityIn(path);
    definitions.forEach(({ name, kind }, index) => {
      if (kind === 'block') return;
      const at = first + index;
      const inName = sought.rarityIn(name);
      const words = 1 + pathHasWord * inPath + nameHasWord * inName;
      worth[at] = words * Math.sqrt(ofFile * ((scores[at] ?? 0) + own));
      const given = sought.isGiven ? inName * wordScore + inPath * pathWordScore : 0;
      asked[at] = meant + given + (named.has(name) ? namedScore : 0);
    });
  });
  // Worth alone is 1 at most: what is named comes before.
  const most = worth.reduce((all, each) => Math.max(all, each), Number.MIN_VALUE);
  return worth.map((each, at) => (each === 0 ? 0 : each / most + (asked[at] ?? 0)));
}

function best(files: readonly MappedFile[], scores: Float64Array, firsts: readonly number[], most: number): Ranked[] {
  const least = Math.max(Number.MIN_VALUE, scores.toSorted().at(-most) ?? 0);
  const found: Ranked[] = [];
  files.forEach(({ definitions }, file) => {
    for (let definition = 0; definition < definitions.length; definition += 1) {
      const score = scores[(firsts[file] ?? 0) + definition] ?? 0;
      if (score >= least) found.push({ file, definition, score });
    }
  });
  return found.toSorted((a, b) => b.score - a.score || a.file - b.file || a.definition - b.definition);
}

/** Names that are asked for and that few definitions have. */
function namesakesOf(files: readonly MappedFile[], { names }: Sought): Set<string> {
  const counts = new Map<string, number>();
  if (names.size === 0) return new Set();
  for (const { definitions } of files) {
    for (const { name } of definitions) if (names.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count <= mostNamesakes).map(([name]) => name));
}

/** Where the walk begins: everywhere a little, and mostly at what is asked for. The shares are 1 together. */
function startOf(files: readonly MappedFile[], sought: Sought, { ofFile }: Words): Float64Array {
  const anywhere = withShare(
    files.map(({ path }) => (testPath.test(path) ? startAtTest : 1)),
    1,
  );
  const meant = files.map(({ path }, file) => {
    const isNamed = sought.paths.some((each) => isMeant(path, each));
    const words = (ofFile[file] ?? 0) * startAtWord;
    return words + (isNamed ? startAtNamed : 0) + (sought.known.has(path) ? startAtKnown : 0);
  });
  if (meant.every((each) => each === 0)) return anywhere;
  const atMeant = withShare(meant, asked);
  return anywhere.map((each, file) => each * (1 - asked) + (atMeant[file] ?? 0));
}

function withShare(parts: readonly number[], share: number): Float64Array {
  const all = parts.reduce((sum, each) => sum + each, 0);
  return Float64Array.from(parts, (each) => (each * share) / all);
}

interface Words {
  /** Finds any of them. */
  any: RegExp | undefined;
  /** How rare those are together that are in a text: 1 for one that is in one file only. */
  rarityIn: (text: string) => number;
  /** The same for the path and all names of a file. */
  ofFile: number[];
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
  const sum = (each: readonly boolean[]) =>
    rarity.reduce((all, rare, word) => all + (each[word] === true ? rare : 0), 0);
  return { any, rarityIn: (text) => (any.test(text) ? sum(has(text)) : 0), ofFile: found.map(sum) };
}

/** `shares`: of the time of a file, what goes along each of its edges. `time`: what each file has of it; 1 together. */
function walk({ from, to, weight }: Graph, start: Float64Array): { shares: Float64Array; time: Float64Array } {
  const out = new Float64Array(start.length);
  from.forEach((file, edge) => (out[file] = (out[file] ?? 0) + (weight[edge] ?? 0)));
  const shares = Float64Array.from(from, (file, edge) => (weight[edge] ?? 0) / (out[file] ?? 1));
  let time = start;
  for (let step = 0; step < steps; step += 1) {
    const next = new Float64Array(start.length);
    for (let edge = 0; edge < shares.length; edge += 1) {
      const at = to[edge] ?? 0;
      next[at] = (next[at] ?? 0) + going * (time[from[edge] ?? 0] ?? 0) * (shares[edge] ?? 0);
    }
    // What didn’t go along an edge begins anew.
    const anew = 1 - next.reduce((sum, each) => sum + each, 0);
    time = next.map((each, file) => each + anew * (start[file] ?? 0));
  }
  return { shares, time };
}
