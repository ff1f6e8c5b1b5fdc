/** Patterns of commands, word by word, and how the words of a part fit them. */
import { matchesGlob } from '../core/index.ts';
import { programName } from './part.ts';
import { globalOptions } from './global-options.ts';
import { simpleCommand } from './words.ts';

export interface CommandPattern {
  /** `*` alone: any number of words, also none; within a word it stands for any characters, `?` for one. */
  words: readonly PatternWord[];
  /** The program, in small letters, where it is spelled out. */
  program?: string;
  /** All but the program may stand in any place, with others between them. */
  anyPlace: boolean;
}

type PatternWord = { text: string; isQuoted: boolean };

/** `maybe`: it would fit if words that can’t be told were the right ones. */
export type Fit = 'yes' | 'maybe' | 'no';

/** A pattern, or what is wrong with its text. */
export function parsePattern(text: string): CommandPattern | { problem: string } {
  // A star is no wildcard of a shell here: it is put aside while the words are told apart.
  const pieces = text.trim().match(/'[^']*'|"[^"]*"|[^\s'"]+|\s+/g) ?? [];
  const words: PatternWord[] = [];
  let open: PatternWord | undefined;
  for (const piece of pieces) {
    if (/^\s/.test(piece)) {
      open = undefined;
      continue;
    }
    const isQuoted = /^['"]/.test(piece);
    const plain = isQuoted ? piece : piece.replaceAll(/[*?]/g, 'x').replaceAll(/^~/g, 'x');
    const parsed = simpleCommand(`x ${plain}`);
    if ('unclear' in parsed) return { problem: `a command pattern is one plain command; this has ${parsed.unclear}.` };
    const value = isQuoted ? piece.slice(1, -1) : piece;
    if (open === undefined) words.push((open = { text: value, isQuoted }));
    else Object.assign(open, { text: open.text + value, isQuoted: true });
  }
  if (words.length === 0) return { problem: 'it names no command.' };
  if (words.every(isAnyWords)) return { problem: 'a lone `*` names no command; leave `command` out to mean all.' };
  return patternOf(words, false);
}

export function patternOf(words: readonly PatternWord[], anyPlace: boolean): CommandPattern {
  const [first] = words;
  const isSpelled = first !== undefined && (first.isQuoted || !/[*?]/.test(first.text));
  return { words, anyPlace, ...(isSpelled && { program: first.text.toLowerCase() }) };
}

function isAnyWords({ text, isQuoted }: PatternWord): boolean {
  return text === '*' && !isQuoted;
}

/** Whether the pattern ends open, and after how many words of a command that begins. */
export function openFrom({ words }: CommandPattern): number | undefined {
  const index = words.findIndex(isAnyWords);
  return index === -1 ? undefined : index;
}

/** Narrow: every word is known, the program is spelled the same, and all of it fits. */
export function fitsExactly(pattern: CommandPattern, words: readonly (string | null)[]): boolean {
  return !words.includes(null) && follow(pattern.words, words, false);
}

/** Wide: the program by its name whatever its folder and letter case, its general options aside. */
export function fitsSomehow(pattern: CommandPattern, words: readonly (string | null)[]): Fit {
  const [first, ...rest] = words;
  if (first === undefined) return 'no';
  const name = first === null ? null : calledName(first).toLowerCase();
  // Of many rules nearly all are about other programs.
  if (name !== null && pattern.program !== undefined && pattern.program !== name) return 'no';
  const [wanted] = pattern.words;
  if (wanted === undefined) return 'no';
  const program = { ...wanted, text: wanted.text.toLowerCase() };
  const spellings = [
    [name, ...rest],
    [name, ...withoutGlobalOptions(name, rest)],
  ];
  const lowered = { ...pattern, words: [program, ...pattern.words.slice(1)] };
  if (spellings.some((each) => fits(lowered, each, false))) return 'yes';
  return spellings.some((each) => each.includes(null) && fits(lowered, each, true)) ? 'maybe' : 'no';
}

/** As a rule would have it: without folder, and without the version that a package is asked for in. */
function calledName(word: string): string {
  const [, scoped] = /^(@[^/@]+\/[^/@]+)(?:@.*)?$/.exec(word) ?? [];
  return scoped ?? programName(word).replace(/^([^@]+)@.*$/, '$1');
}

function fits(pattern: CommandPattern, words: readonly (string | null)[], guess: boolean): boolean {
  if (!pattern.anyPlace) return follow(pattern.words, words, guess);
  const [program, ...wanted] = pattern.words;
  const [first = null, ...rest] = words;
  if (program === undefined || !wordFits(program, first, guess)) return false;
  return wanted.every((word) => isAnyWords(word) || rest.some((each) => wordFits(word, each, guess)));
}

function wordFits({ text, isQuoted }: PatternWord, word: string | null, guess: boolean): boolean {
  if (word === null) return guess;
  if (isQuoted || !/[*?]/.test(text)) return text === word;
  // In a word a slash is a character like any other.
  return matchesGlob(word.replaceAll('/', '\u0001'), text.replaceAll('/', '\u0001').replaceAll(/\*+/g, '*'));
}

/** All words against all of the pattern, in order. A word that can’t be told may stand for any number of words when it is guessed at. */
function follow(pattern: readonly PatternWord[], words: readonly (string | null)[], guess: boolean): boolean {
  let states = spread(pattern, new Set([0]));
  for (const word of words) {
    const next = new Set<number>();
    for (const state of states) {
      const wanted = pattern[state];
      if (word === null && guess) for (let at = state; at <= pattern.length; at += 1) next.add(at);
      if (wanted === undefined) continue;
      if (isAnyWords(wanted)) next.add(state);
      else if (wordFits(wanted, word, guess)) next.add(state + 1);
    }
    states = spread(pattern, next);
  }
  return states.has(pattern.length);
}

/** A star may stand for no word. */
function spread(pattern: readonly PatternWord[], states: Set<number>): Set<number> {
  for (const state of states) {
    const wanted = pattern[state];
    if (wanted !== undefined && isAnyWords(wanted)) states.add(state + 1);
  }
  return states;
}

/** The words behind the options that stand before a sub-command: `git -C x push` is a push. */
function withoutGlobalOptions(program: string | null, words: (string | null)[]): (string | null)[] {
  const known = globalOptions[program ?? ''];
  if (known === undefined) return words;
  let at = 0;
  for (let [word] = words; typeof word === 'string' && /^[-+]./.test(word); word = words[at]) {
    at += known.includes(word) ? 2 : 1;
  }
  return words.slice(at);
}
