/** What a map is asked for: the names, words and paths in a text, and how they find symbols and files. */

export interface Question {
  /** A task, in anybody’s words. */
  task?: string;
  /** Names and words that are meant each by itself. */
  words?: readonly string[];
  /** Files and folders that are meant, relative to the workspace. */
  paths?: readonly string[];
  /** Files that were read or changed already. */
  known?: readonly string[];
}

export interface Sought {
  /** Words that may be the name of a symbol: of a task, those that are written as no word of a language is. */
  names: ReadonlySet<string>;
  /** What words begin with, lower case. */
  stems: readonly string[];
  /** They were given as words that are meant, and are no mere part of a task. */
  isGiven: boolean;
  /** Paths, or their ends. */
  paths: readonly string[];
  known: ReadonlySet<string>;
}

/** A task can be a whole file: the first of it say what it is about. */
const mostCharacters = 20_000;
const mostStems = 24;
const mostNames = 200;
const mostPaths = 50;
const longestPath = 300;

/** With a slash in it, or with an ending. */
const pathLike = /[\w@~.-]*(?:\/[\w@~.-]+)+|[\w-]+(?:\.[\w-]+)*\.[a-z]{1,4}\b/g;

/** Words of a task that say nothing of a place in it. */
const plain = new Set(
  'about add after all also and any are because been before bug but can cannot change code could do does doesn don done each error file files first fix for from function get has have how into its just let like line make may method more most must need needs new not now off one only other our out over please same should show some something than that the their them then there these they this those through too under use used using want was way were what when where which while who why will with without work works would you your'.split(
    ' ',
  ),
);

export function soughtIn({ task = '', words = [], paths = [], known = [] }: Question): Sought {
  const head = task.slice(0, mostCharacters);
  const single = words.filter((word) => !word.includes('/'));
  const given = wordsOf(single.join(' ').slice(0, mostCharacters));
  const told = wordsOf(head).filter((word) => !plain.has(word.toLowerCase()));
  const quoted = [...head.matchAll(/`([^`\n]{1,200})`/g)].flatMap(([, code = '']) => wordsOf(code));
  const names = [...given, ...quoted, ...told.filter((word) => /[a-z][A-Z]|.[_\d$]/.test(word))];
  const stems = [...given, ...told].flatMap(partsOf).map(stemOf);
  const pieces = [head, ...words].flatMap((text) => text.split(/\s+/)).filter((piece) => piece.length <= longestPath);
  const written = pieces.flatMap((piece) => piece.match(pathLike) ?? []);
  return {
    names: new Set(names.slice(0, mostNames)),
    stems: [...new Set(stems)].slice(0, mostStems),
    isGiven: given.length > 0,
    paths: [...new Set([...paths, ...written].map(trimmed).filter((path) => path !== ''))].slice(0, mostPaths),
    known: new Set(known),
  };
}

function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).filter((word) => word.length > 1);
}

function trimmed(path: string): string {
  return path.replace(/^(?:\.?\/)+/, '').replace(/[/.]+$/, '');
}

/** `readFile` and `read_file` are read and file. */
function partsOf(name: string): string[] {
  const parts = name.split(/[_$\d]+|(?<=[\p{Ll}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
  return parts.map((part) => part.toLowerCase()).filter((part) => part.length > 2 && !plain.has(part));
}

/** Without the endings by which words of one kind differ, as far as that is sure to leave a word. */
function stemOf(word: string): string {
  return word.length > 5
    ? word.replace(/(?<=...)(?:ations?|ies|ings?|ers?|ed|es|s|y|e)$/, '')
    : word.replace(/(?<=...)s$/, '');
}

/** By these the forms of one word differ. */
const endings = '(?:able|ations?|e[drs]?|ers|iable|ied|ies|ing|ings|ion|ions|or|ors|s|y|yable|ying)?';

/** Finds the words that a stem is of: `retr` is in `retryLater`, `on_retry` and `RETRIES`, and not in `retreat`. */
export function stemPattern(stems: readonly string[]): RegExp | undefined {
  if (stems.length === 0) return undefined;
  const sources = stems.map((stem) => {
    const safe = stem.replaceAll(/[^\p{L}\p{N}]/gu, '');
    const title = `${safe.charAt(0).toUpperCase()}${safe.slice(1)}`;
    const upper = `${safe.toUpperCase()}${endings.toUpperCase()}`;
    return `(?:(?<![A-Za-z])${safe}|(?<![A-Z])${title})${endings}(?![a-z])|(?<![A-Za-z])${upper}(?![A-Z])`;
  });
  return new RegExp(sources.join('|'), 'u');
}

/** Whether a path is one that is meant: itself, in a folder that is, or by its end. */
export function isMeant(path: string, meant: string): boolean {
  if (path === meant || path.startsWith(`${meant}/`) || path.endsWith(`/${meant}`)) return true;
  // Written without its extension.
  const bare = path.slice(0, path.lastIndexOf('.'));
  return meant.includes('/') && (bare === meant || bare.endsWith(`/${meant}`));
}
