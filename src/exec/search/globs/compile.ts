/** A glob as a regular expression over whole paths. */
import type { GlobToken } from './parse.ts';

/** `bytes`: a character is a byte, as in ignore files; a negated class then also stands for a slash, as it does in ripgrep. */
export function compileGlob(tokens: readonly GlobToken[], bytes: boolean): string {
  const [only, ...more] = tokens;
  if (only?.kind === 'leading' && more.length === 0) return '.*';
  return sourceOf(tokens, bytes);
}

function sourceOf(tokens: readonly GlobToken[], bytes: boolean): string {
  return tokens.map((token) => tokenSource(token, bytes)).join('');
}

function tokenSource(token: GlobToken, bytes: boolean): string {
  switch (token.kind) {
    case 'text':
      return escaped(token.text);
    case 'one':
      return '[^/]';
    case 'some':
      return '[^/]*';
    case 'leading':
      return '(?:/?|.*/)';
    case 'trailing':
      return '/.*';
    case 'between':
      return '(?:/|/.*/)';
    case 'class':
      return classSource(token, bytes);
    default:
      return choiceSource(token.options, bytes);
  }
}

function classSource({ negated, ranges }: Extract<GlobToken, { kind: 'class' }>, bytes: boolean): string {
  const inside = ranges.map(([from, to]) => `${escaped(from)}-${escaped(to)}`).join('');
  if (!negated) return `[${inside}]`;
  return bytes ? `[^${inside}]` : `[^/${inside}]`;
}

function choiceSource(options: GlobToken[][], bytes: boolean): string {
  const sources = options.map((option) => sourceOf(option, bytes));
  // Ripgrep takes no notice of an empty option in ignore files; whoever asks for one means it.
  const kept = bytes ? sources.filter((source) => source !== '') : sources;
  return kept.length === 0 ? '' : `(?:${kept.join('|')})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}
