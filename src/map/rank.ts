/** Which symbols matter: those that much of the repository mentions, seen from what is asked for. */
import { graphOf, type Graph, type MappedFile } from './graph.ts';
import type { Sought } from './question.ts';
import { relevanceOf, type Relevance } from './relevance.ts';
import { walk, type Walked } from './walk.ts';

export interface Ranked {
  /** Places in the lists of files, and of the definitions of that file. */
  file: number;
  definition: number;
  score: number;
}

/** The share of the beginnings that goes to what is asked for. */
const asked = 0.75;
/** Tests mention what they test, which says little of how much it matters. */
const startAtTest = 0.3;
const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|examples?|vendor|third_party)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_/;

/** A constant says less of how code works than what does something. */
const constantCounts = 0.3;
/** So many times more are looked at for what they are. */
const spare = 3;

/** The best definitions, `most` of them at most, the best first; of one score in the order of the files. */
export function rank(files: readonly MappedFile[], names: readonly string[], sought: Sought, most: number): Ranked[] {
  const relevance = relevanceOf(files, sought);
  const graph = graphOf(files, names, relevance?.emphasis ?? (() => 1));
  const walked = walk(graph, startOf(files, relevance));
  const { worths, extras } = scored(graph, walked, relevance);
  const found = best(worths, extras, graph.firsts, most * spare);
  return ordered(found.map((each) => ({ ...each, score: scoreOf(each, files) }))).slice(0, most);
}

/** Everywhere a little, and mostly at what is asked for. The shares are 1 together. */
function startOf(files: readonly MappedFile[], relevance: Relevance | undefined): Float64Array {
  const anywhere = withShare(
    Float64Array.from(files, ({ path }) => (testPath.test(path) ? startAtTest : 1)),
    1,
  );
  if (relevance === undefined || relevance.files.every((each) => each === 0)) return anywhere;
  const atAsked = withShare(relevance.files, asked);
  return anywhere.map((each, file) => each * (1 - asked) + (atAsked[file] ?? 0));
}

function withShare(parts: Float64Array, share: number): Float64Array {
  const all = parts.reduce((sum, each) => sum + each, 0);
  return parts.map((each) => (each * share) / all);
}

interface Scores {
  /** By mentions: 1 is the most. */
  worths: Float64Array;
  /** For what is named. */
  extras: Float64Array | undefined;
}

/** A symbol counts by itself and by its file: so the map shows fewer files, and more of each. */
function scored(graph: Graph, { shares, time }: Walked, relevance: Relevance | undefined): Scores {
  const { firsts } = graph;
  const scores = new Float64Array(firsts.at(-1) ?? 0);
  for (let edge = 0; edge < shares.length; edge += 1) {
    const definition = graph.definition[edge] ?? 0;
    scores[definition] = (scores[definition] ?? 0) + (time[graph.from[edge] ?? 0] ?? 0) * (shares[edge] ?? 0);
  }
  let most = Number.MIN_VALUE;
  for (let file = 0; file < time.length; file += 1) {
    const [first, end] = [firsts[file] ?? 0, firsts[file + 1] ?? 0];
    // A file that nobody mentions has something to show, too.
    const own = (time[file] ?? 0) / (end - first + 1) / 10;
    let ofFile = own;
    for (let at = first; at < end; at += 1) ofFile += scores[at] ?? 0;
    for (let at = first; at < end; at += 1) {
      scores[at] = (relevance?.factors[at] ?? 1) * Math.sqrt(ofFile * ((scores[at] ?? 0) + own));
      most = Math.max(most, scores[at] ?? 0);
    }
  }
  return { worths: scores.map((each) => each / most), extras: relevance?.extras };
}

interface Found extends Omit<Ranked, 'score'> {
  worth: number;
  extra: number;
}

/** The best by what is known of them without a look at what they are. */
function best(worths: Float64Array, extras: Scores['extras'], firsts: Uint32Array, most: number): Found[] {
  const scores = extras === undefined ? worths : worths.map((each, at) => each + (extras[at] ?? 0));
  const least = scores.toSorted().at(-most) ?? 0;
  const found: Found[] = [];
  for (let file = 0; file + 1 < firsts.length; file += 1) {
    const first = firsts[file] ?? 0;
    for (let at = first; at < (firsts[file + 1] ?? 0); at += 1) {
      if ((scores[at] ?? 0) < least) continue;
      found.push({ file, definition: at - first, worth: worths[at] ?? 0, extra: extras?.[at] ?? 0 });
    }
  }
  return found;
}

function scoreOf({ file, definition, worth, extra }: Found, files: readonly MappedFile[]): number {
  const isConstant = files[file]?.definitions[definition]?.kind === 'constant';
  return worth * (isConstant ? constantCounts : 1) + extra;
}

function ordered(found: Ranked[]): Ranked[] {
  return found.toSorted((a, b) => b.score - a.score || a.file - b.file || a.definition - b.definition);
}
