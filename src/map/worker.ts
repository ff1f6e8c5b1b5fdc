/**
 * A thread that reads and parses files: a text that takes too long, or takes all memory, is ended with it. This module is the thread's
 * beginning too, which its address tells, wherever it has been bundled to.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { Parser, Tree } from 'web-tree-sitter';
import { definitionsIn } from './extract.ts';
import { loadGrammars } from './grammars.ts';
import { languageOf, languages } from './languages/index.ts';
import { readSource, type NoSource, type Source, type Stamp } from './read-source.ts';
import { referencesIn } from './references.ts';
import { writeDefinitions } from './symbols.ts';

export const address = import.meta.url;
/** Tells the thread that it is one of these. */
export const threadName = 'reins-map';

/** A file to be looked at. */
export interface Wanted {
  /** Real and absolute. */
  path: string;
  /** SHA-256 of the bytes that are known already. */
  known?: string;
}

/** `same`: its bytes are those that are known. Names are parted by line feeds: one text is cheaper to hand over than many. */
export type Looked = { path: string } & (
  | NoSource
  | { stamp: Stamp; hash: string; same: true }
  | { stamp: Stamp; hash: string; definitions: string; references: string }
);

/** What a thread says of a batch: mostly all of it at once. */
export interface Told {
  looked: Looked[];
  isAll: boolean;
}

/** Milliseconds that one text may take, and that what was found may be held back. */
const longestParse = 1_000;
const longestHeld = 200;

if (!isMainThread && workerData === threadName) {
  const port = parentPort;
  const parserFor = await loadGrammars();
  port?.on('message', (wanted: Wanted[]) => {
    void lookAt(wanted, parserFor, (told) => port.postMessage(told, []));
  });
}

async function lookAt(
  wanted: readonly Wanted[],
  parserFor: (grammar: string) => Promise<Parser>,
  tell: (told: Told) => void,
): Promise<void> {
  let looked: Looked[] = [];
  let since = performance.now();
  for (const { path, known } of wanted) {
    if (performance.now() - since > longestHeld) {
      tell({ looked, isAll: false });
      [looked, since] = [[], performance.now()];
    }
    const source = readSource(path);
    if ('unread' in source) looked.push({ path, ...source });
    else if (source.hash === known) looked.push({ path, stamp: source.stamp, hash: source.hash, same: true });
    else looked.push(await parsed(path, source, parserFor));
  }
  tell({ looked, isAll: true });
}

async function parsed(
  path: string,
  { text, stamp, hash }: Source,
  parserFor: (grammar: string) => Promise<Parser>,
): Promise<Looked> {
  const name = languageOf(path);
  if (name === undefined) return { path, unread: 'unparsed', stamp };
  const language = languages[name];
  const end = performance.now() + longestParse;
  let tree: Tree | null = null;
  try {
    const parser = await parserFor(language.grammar);
    tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
    if (tree === null) {
      parser.reset();
      return { path, unread: 'unparsed', stamp };
    }
    const definitions = writeDefinitions(definitionsIn(text, tree.rootNode, language));
    return { path, stamp, hash, definitions, references: referencesIn(text, language.lexis).join('\n') };
  } catch {
    return { path, unread: 'unparsed', stamp };
  } finally {
    tree?.delete();
  }
}
