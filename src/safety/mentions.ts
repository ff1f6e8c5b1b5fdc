/** Whether a command line may run what a denied or asked shape names. Without a grammar it answers yes when in doubt. */
import { matchesGlob } from '../core/index.ts';
import { simpleCommand } from './words.ts';

/** Programs that never run one of their arguments, whatever their options: what they are told to print or find is no command. */
const inertPrograms = new Set('echo printf pwd true false cat ls head wc grep basename dirname touch mkdir'.split(' '));

/** Programs that run what they are given: with an expansion anywhere beside them, what they run can't be told. */
const runners = new Set(
  'sh bash dash zsh ksh fish eval source exec env sudo doas su command builtin xargs parallel nohup nice time timeout setsid stdbuf chroot busybox watch find'.split(
    ' ',
  ),
);
const shells = new Set('sh bash dash zsh ksh fish source eval .'.split(' '));
const keywords = new Set('if then else elif do while until ! time {'.split(' '));

const betweenWords = /[\s;&|<>(){}`$]+/;
const betweenParts = /[\s;&|<>(){}`$=,:"'@!#%\\]+/;

/** Says why the line may be of the shape of these words (program first), or nothing. Letter case makes no difference. */
export function mayRun(line: string, words: readonly string[]): string | undefined {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  const simple = simpleCommand(line);
  if ('words' in simple && inertPrograms.has(simple.words[0] ?? '')) {
    const same = simple.words[0] === program && rest.every((word) => simple.words.includes(word));
    return same ? `it runs ${words.join(' ')}` : undefined;
  }
  const spoken = spokenWords(line);
  const named = spoken.some((word) => namesProgram(word, program));
  const missing = rest.filter((word) => !spoken.some((one) => sameWord(one, word)));
  if (named && missing.length === 0) return `\`${words.join(' ')}\` occurs in it`;
  if (named && /[$`{]/.test(line)) return `\`${program}\` occurs in it with arguments that can’t be told`;
  const hidden = hiddenProgram(line, spoken);
  return hidden === undefined ? undefined : `it has ${hidden}, which could be \`${program}\``;
}

/** Whether all of these words, which may hold wildcards, are spelled out somewhere in it, the first as a program. */
export function speaksOf(line: string, words: readonly string[]): boolean {
  const [program, ...rest] = words;
  if (program === undefined) return false;
  const spoken = spokenWords(line);
  // Of many rules nearly all are about programs that no word is.
  if (!/[*?]/.test(program) && !mayName(line, program)) return false;
  const isSpoken = (word: string) => spoken.some((one) => sameWord(one, word) || fitsPattern(one, word));
  return (
    spoken.some((word) => namesProgram(word, program) || fitsPattern(nameOf(word), program)) && rest.every(isSpoken)
  );
}

function fitsPattern(word: string, pattern: string): boolean {
  return /[*?]/.test(pattern) && matchesGlob(word.replaceAll('/', '\u0001'), pattern.replaceAll('/', '\u0001'));
}

/** Whether a shell in the line may run what one of these programs gives. */
export function mayFeedShell(line: string, programs: readonly string[]): boolean {
  const spoken = spokenWords(line);
  // A connection of the shell is spelled as a file.
  const isGiven = (word: string) =>
    programs.some((program) => program === nameOf(word) || (program.startsWith('/') && word.startsWith(`${program}/`)));
  if (!spoken.some(isGiven)) return false;
  const reads = spoken.some((word) => shells.has(nameOf(word)));
  return line.split('|').slice(1).some(isFedShell) || (reads && /<\(|<&|\$\(|`/.test(line));
}

/** Many rules ask about one line. */
let last: { line: string; words: string[]; names: Set<string>; patterns: string[] } = {
  line: '',
  words: [],
  names: new Set(),
  patterns: [],
};

function spokenWords(line: string): string[] {
  if (last.line === line) return last.words;
  const words = wordsIn(line);
  const names = new Set(words.flatMap((word) => [word.toLowerCase(), nameOf(word).toLowerCase()]));
  last = { line, words, names, patterns: [...names].filter((name) => /[*?[]/.test(name)) };
  return words;
}

/** Whether a word of the line is this program, or a pattern that may be. */
function mayName(line: string, program: string): boolean {
  spokenWords(line);
  const name = program.toLowerCase();
  return last.names.has(name) || last.patterns.some((pattern) => sameWord(pattern, name));
}

/** Every word that the line could hold once quotes and backslashes are gone: taken out, and as ends of words. */
function wordsIn(line: string): string[] {
  const joined = line.replaceAll(/\\\n/g, '').replaceAll(/["'\\]/g, '');
  const parted = line.replaceAll(/["'\\]/g, ' ');
  const words = [joined, parted].flatMap((text) => [...text.split(betweenWords), ...text.split(betweenParts)]);
  return [...new Set(words.filter((word) => word !== ''))];
}

function namesProgram(word: string, program: string): boolean {
  return sameWord(nameOf(word), program) || sameWord(word, program);
}

/** The same, or a pattern that could become it; a lone star could become anything and is taken for no name. */
function sameWord(word: string, wanted: string): boolean {
  const [a, b] = [word.toLowerCase(), wanted.toLowerCase()];
  if (a === b) return true;
  if (/^\*+$/.test(a) || !/[*?[]/.test(a)) return false;
  // A bracket stands for one character of some set: which one is left open.
  const pattern = a.replaceAll(/\[[^\]]*\]?/g, '?').replaceAll(/\*+/g, '*');
  return pattern.replaceAll('*', '').length <= b.length && matchesGlob(b, pattern);
}

/** A place where the name of a program isn't written out, in words. */
function hiddenProgram(line: string, spoken: string[]): string | undefined {
  if (/\$['"]/.test(line)) return "a quote with escapes (`$'`)";
  if (line.split('|').slice(1).some(isFedShell)) return 'a pipe into a shell';
  const reads = spoken.some((word) => shells.has(nameOf(word))) || /(^|[\s;&|(])\.\s/.test(line);
  if (reads && /<\(|<<|(^|[^<>&\d])<(?![<&])/.test(line)) return 'a shell that reads its commands from elsewhere';
  const runs = spoken.some((word) => runners.has(nameOf(word)));
  if (runs && /[$`{]/.test(line)) return 'an expansion beside a program that runs others';
  const firsts = line.split(/[;&|\n()`]|\{\s|\b(?:then|do|else|if|elif|while|until)\s|!\s/).map(firstWord);
  const open = firsts.find((word) => word !== '[' && word !== '[[' && isOpen(word));
  return open === undefined ? undefined : `a command whose name isn’t written out (\`${open}\`)`;
}

/** Whether what follows a `|` is a shell, perhaps behind a program that runs others: it would run what it is fed. */
function isFedShell(part: string): boolean {
  const words = part.replaceAll(/["'\\]/g, '').split(/[\s;&(){}]+/);
  const names = words.filter((word) => word !== '' && !keywords.has(word) && !/^\w+\+?=/.test(word)).map(nameOf);
  // Where a plain command only prints or looks, what it is given is no program.
  if (!/[;&(){}\n]/.test(part) && inertPrograms.has(names[0] ?? '')) return false;
  return names.some((name) => shells.has(name));
}

function nameOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** Whether a word becomes another one before the shell looks for a program of that name. */
function isOpen(word: string): boolean {
  return /[$*?[{\\]/.test(nameOf(word));
}

/** The first word of a part of a line, assignments before it left out. */
function firstWord(part: string): string {
  const words = part.trim().split(/\s+/);
  return words.find((word) => !/^\w+\+?=/.test(word)) ?? '';
}
