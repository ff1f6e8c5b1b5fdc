/** Names of characters that can't be told by their look. */
import { count, visible } from '../text/index.ts';

const runsNamed = 4;
const charactersNamed = 40;

const blanks: { [character: string]: string } = {
  ' ': 'space',
  '\t': 'tab',
  '\n': 'line break',
  '\r': 'carriage return',
  '\u00a0': 'no-break space',
};

/** The character at a column in words and by its number; the end of the line where there is none. */
export function characterName(line: string, column: number): string {
  const code = line.codePointAt(column);
  return code === undefined ? 'the end of the line' : stretchName(String.fromCodePoint(code));
}

/** A few characters: blanks counted by kind, others as they are, with their numbers where it is one character. */
export function stretchName(text: string): string {
  if (text === '') return 'nothing';
  const characters = Array.from(text);
  if (!characters.every((character) => Object.hasOwn(blanks, character))) return asWritten(text, characters);
  const runs = text.match(/(.)\1*/gs) ?? [];
  const shown = runs.slice(0, runsNamed).map(runName).join(', ');
  const name = runs.length > runsNamed ? `${shown}, ...` : shown;
  return characters.length === 1 ? `${name} (${numbers(characters)})` : name;
}

function runName(run: string): string {
  const noun = blanks[run.charAt(0)] ?? '';
  return run.length === 1 ? `a ${noun}` : count(run.length, noun);
}

function asWritten(text: string, characters: string[]): string {
  // One character as people count them: a letter with its marks is one.
  const isOne = /^\P{M}\p{M}*$/su.test(text);
  if (isOne) return `${visible(text)} (${numbers(characters)})`;
  const escaped = text.replaceAll('\n', '\u23ce').replaceAll('\t', '\u21e5');
  return escaped.length > charactersNamed
    ? `“${visible(escaped.slice(0, charactersNamed))}...”`
    : `“${visible(escaped)}”`;
}

function numbers(characters: string[]): string {
  return characters
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');
}
