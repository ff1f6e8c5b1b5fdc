/** Search over tools by words, ranked as BM25 does: rare words count more, long descriptions not more than short ones. */
import type { Tool } from '../tool.ts';
import { wordsOf } from './words.ts';

export interface ToolSearch {
  /** The tools, sorted by name. */
  readonly tools: readonly Tool[];
  get(name: string): Tool | undefined;
  /** Those that hold at least one of the words, the best first. */
  find(query: string): Tool[];
}

/** How much repetition counts, and how much the length of a text (Robertson and Zaragoza, 2009, section 3.4). */
const saturation = 1.2;
const lengthShare = 0.75;
/** A word in a name says more than one in a description. */
const weights = { name: 3, keywords: 2, description: 1 };

interface Document {
  tool: Tool;
  /** How often each word occurs, weighted. */
  words: Map<string, number>;
  length: number;
}

export function createToolSearch(tools: readonly Tool[]): ToolSearch {
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const byName = new Map(sorted.map((tool) => [tool.name, tool]));
  const documents = sorted.map(documentOf);
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const holding = new Map<string, number>();
  for (const { words } of documents) for (const word of words.keys()) holding.set(word, (holding.get(word) ?? 0) + 1);

  const score = ({ words, length }: Document, query: readonly string[]): number =>
    query.reduce((sum, word) => {
      const often = words.get(word);
      if (often === undefined) return sum;
      const many = holding.get(word) ?? 0;
      const rarity = Math.log(1 + (documents.length - many + 0.5) / (many + 0.5));
      const norm = saturation * (1 - lengthShare + (lengthShare * length) / average);
      return sum + (rarity * often * (saturation + 1)) / (often + norm);
    }, 0);

  return {
    tools: sorted,
    get: (name) => byName.get(name),
    find: (query) => {
      const wanted = [...new Set(wordsOf(query))];
      const scored = documents.map((document) => ({ tool: document.tool, score: score(document, wanted) }));
      // The sort is stable: of equals the first by name comes first.
      return scored
        .filter((one) => one.score > 0)
        .toSorted((a, b) => b.score - a.score)
        .map(({ tool }) => tool);
    },
  };
}

function documentOf(tool: Tool): Document {
  const words = new Map<string, number>();
  let length = 0;
  const fields = { name: tool.name, keywords: tool.keywords.join(' '), description: tool.description };
  for (const [field, weight] of Object.entries(weights)) {
    for (const word of wordsOf(fields[field as keyof typeof fields])) {
      words.set(word, (words.get(word) ?? 0) + weight);
      length += weight;
    }
  }
  return { tool, words, length };
}
