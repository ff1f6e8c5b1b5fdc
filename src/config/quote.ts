/** Text from files and repositories in messages for people: quoted, on one line, bounded, and with nothing that a terminal obeys. */

const mostCharacters = 80;

/** Control characters, and what hides or reorders text (zero width, bidirectional marks, line separators, byte order mark). */
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  const short = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}...` : text;
  return printable(short);
}

export function printable(text: string): string {
  return text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
