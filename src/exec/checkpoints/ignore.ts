/**
 * Which files a repository ignores (https://git-scm.com/docs/gitignore). Matching takes time in proportion to pattern and path,
 * whatever a hostile pattern says.
 */
import type { ByteText } from './names.ts';

export interface Pattern {
  isNegated: boolean;
  onlyFolders: boolean;
  /** A name to be matched at any depth, or steps from the folder of the patterns. */
  name: Step | undefined;
  prefix: ByteText;
  steps: readonly Step[];
}

/** The patterns in force in a folder, innermost first; a new object whenever one of them changed. */
export interface Rules {
  parent: Rules | undefined;
  patterns: readonly Pattern[];
  /** Path of the folder that they are for, in the repository; empty for its top, else with a slash at its end. */
  base: ByteText;
}

/** `**` stands for any number of steps; `undefined` for a step that nothing matches. */
type Step = '**' | readonly Token[];
type Token =
  | { is: 'char'; char: string }
  | { is: 'any' }
  | { is: 'star' }
  | { is: 'set'; has: (char: string) => boolean };

export function parsePatterns(text: ByteText): Pattern[] {
  const lines = text.replace(/^\u00ef\u00bb\u00bf/, '').split('\n');
  return lines.flatMap((line) => parsePattern(line.replace(/\r$/, '')) ?? []);
}

function parsePattern(line: string): Pattern | undefined {
  if (line.startsWith('#')) return undefined;
  let text = withoutEndBlanks(line);
  const isNegated = text.startsWith('!');
  if (isNegated) text = text.slice(1);
  const onlyFolders = text.endsWith('/');
  if (onlyFolders) text = text.slice(0, -1);
  if (text === '') return undefined;
  const way = text.replace(/^\//, '');
  // What is written out at the beginning is compared first, so that stars right after it stand at the beginning of what is left.
  const prefix = /^([^*?[\\]*[^*?[\\/])\*{2,}(?:\/|$)/.exec(way)?.[1] ?? '';
  const isWay = text.includes('/');
  const steps = parseSteps(isWay ? way.slice(prefix.length) : way);
  if (steps === undefined) return undefined;
  if (isWay) return { isNegated, onlyFolders, name: undefined, prefix, steps };
  const [name] = steps;
  return name && { isNegated, onlyFolders, name: name === '**' ? [{ is: 'star' }] : name, prefix: '', steps: [] };
}

/** Blanks at the end don't count, unless a backslash stands before them. */
function withoutEndBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  let backslashes = 0;
  while (backslashes < end && line[end - 1 - backslashes] === '\\') backslashes += 1;
  return line.slice(0, backslashes % 2 === 1 && end < line.length ? end + 1 : end);
}

/** Undefined for what can match nothing. */
function parseSteps(text: string): Step[] | undefined {
  const steps: Token[][] = [[]];
  for (let at = 0; at < text.length; at++) {
    const tokens = steps.at(-1) ?? [];
    const char = text[at] ?? '';
    if (char === '*') tokens.push({ is: 'star' });
    else if (char === '?') tokens.push({ is: 'any' });
    else if (char === '/') steps.push([]);
    else if (char === '[') {
      const set = parseSet(text, at + 1);
      if (set === undefined) return undefined;
      tokens.push({ is: 'set', has: set.has });
      at = set.end;
    } else if (char === '\\') {
      at += 1;
      if (at >= text.length) return undefined;
      if (text[at] === '/') steps.push([]);
      else tokens.push({ is: 'char', char: text[at] ?? '' });
    } else tokens.push({ is: 'char', char });
  }
  return steps.map((tokens) => (tokens.length > 1 && tokens.every(({ is }) => is === 'star') ? '**' : tokens));
}

const classes: { [name: string]: RegExp } = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** A set of characters in square brackets; `end` is the place of the closing one. */
function parseSet(text: string, start: number): { has: (char: string) => boolean; end: number } | undefined {
  const isNegated = text[start] === '!' || text[start] === '^';
  const parts: ((char: string) => boolean)[] = [];
  let at = isNegated ? start + 1 : start;
  for (let isFirst = true; isFirst || text[at] !== ']'; isFirst = false) {
    if (at >= text.length) return undefined;
    const [, className] = /^\[:([a-z]*):\]/.exec(text.slice(at, at + 12)) ?? [];
    if (className !== undefined) {
      const members = Object.hasOwn(classes, className) ? classes[className] : undefined;
      if (members === undefined) return undefined;
      parts.push((char) => members.test(char));
      at += className.length + 4;
      continue;
    }
    if (text[at] === '\\') at += 1;
    const low = text[at];
    if (low === undefined) return undefined;
    at += 1;
    if (text[at] !== '-' || text[at + 1] === ']' || at + 1 >= text.length) {
      parts.push((char) => char === low);
      continue;
    }
    at += text[at + 1] === '\\' ? 2 : 1;
    const high = text[at];
    if (high === undefined) return undefined;
    parts.push((char) => char >= low && char <= high);
    at += 1;
  }
  return { has: (char) => parts.some((part) => part(char)) !== isNegated, end: at };
}

/** Whether a path, given from the top of its repository, is ignored by itself; folders around it are the caller's matter. */
export function isIgnored(rules: Rules | undefined, path: ByteText, isFolder: boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (let at = rules; at !== undefined; at = at.parent) {
    const inside = path.slice(at.base.length);
    const last = at.patterns.findLast((pattern) => matches(pattern, inside, name, isFolder));
    if (last !== undefined) return !last.isNegated;
  }
  return false;
}

function matches(pattern: Pattern, path: ByteText, name: ByteText, isFolder: boolean): boolean {
  if (pattern.onlyFolders && !isFolder) return false;
  if (pattern.name !== undefined) return pattern.name !== '**' && matchesName(pattern.name, name);
  return path.startsWith(pattern.prefix) && matchesSteps(pattern.steps, path.slice(pattern.prefix.length).split('/'));
}

/** Goes back to the last `**` only: what it swallowed before can't matter any more. */
function matchesSteps(steps: readonly Step[], names: readonly string[]): boolean {
  let [step, name, backStep, backName] = [0, 0, -1, 0];
  while (name < names.length) {
    const now = steps[step];
    if (now === '**') {
      // At the end it stands for what is inside, which is one step at least.
      if (step === steps.length - 1) return true;
      [backStep, backName] = [step, name];
      step += 1;
    } else if (now !== undefined && matchesName(now, names[name] ?? '')) {
      step += 1;
      name += 1;
    } else if (backStep >= 0) {
      backName += 1;
      [step, name] = [backStep + 1, backName];
    } else return false;
  }
  return step === steps.length;
}

function matchesName(tokens: readonly Token[], name: string): boolean {
  let [token, at, backToken, backAt] = [0, 0, -1, 0];
  while (at < name.length) {
    const now = tokens[token];
    if (now?.is === 'star') {
      if (token === tokens.length - 1) return true;
      [backToken, backAt] = [token, at];
      token += 1;
    } else if (now !== undefined && fits(now, name[at] ?? '')) {
      token += 1;
      at += 1;
    } else if (backToken >= 0) {
      backAt += 1;
      [token, at] = [backToken + 1, backAt];
    } else return false;
  }
  while (tokens[token]?.is === 'star') token += 1;
  return token === tokens.length;
}

function fits(token: Token, char: string): boolean {
  if (token.is === 'char') return token.char === char;
  return token.is === 'any' || (token.is === 'set' && token.has(char));
}
