/** Takes a command line apart only where that is certain without a grammar: one simple command of plain words. */

export interface SimpleCommand {
  /** At least one; quotes taken away. */
  words: string[];
}

/** What keeps a line from being one simple command of plain words, in words. */
export interface Unclear {
  unclear: string;
}

const reservedWords = new Set(
  'if then elif else fi for in while until do done case esac select function time coproc'.split(' '),
);

const plainCharacter = /[A-Za-z0-9_./:@%+,=^-]/;
const plainWord = /^[A-Za-z0-9_./:@%+,=^-]+$/;
const blank = /[ \t]/;

const troubles: { [character: string]: string } = {
  '\n': 'a line break',
  ';': '`;`',
  '&': '`&`',
  '|': '`|`',
  '<': 'a redirection (`<`)',
  '>': 'a redirection (`>`)',
  '(': 'a parenthesis',
  ')': 'a parenthesis',
  '{': 'a brace',
  '}': 'a brace',
  $: '`$`',
  '`': 'a backquote',
  '\\': 'a backslash',
  '*': 'a wildcard (`*`)',
  '?': 'a wildcard (`?`)',
  '[': 'a wildcard (`[`)',
  ']': 'a wildcard (`]`)',
  '!': '`!`',
  '#': '`#`',
  '~': '`~` at the start of a word',
};

/**
 * The words of a line that is one simple command whatever shell reads it: no operator, expansion, redirection, assignment or
 * comment, no reserved word first, and no quotes but plain ones. Everything else is unclear, also where it would be harmless.
 */
export function simpleCommand(line: string): SimpleCommand | Unclear {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    while (at < line.length && blank.test(line.charAt(at))) at += 1;
    if (at >= line.length) break;
    const word = wordAt(line, at);
    if ('unclear' in word) return word;
    if (words.length === 0 && !word.quoted && (word.text.includes('=') || reservedWords.has(word.text))) {
      return { unclear: `\`${word.text}\` as its first word` };
    }
    words.push(word.text);
    at = word.end;
  }
  if (words.length === 0 || words[0] === '') return { unclear: 'no command' };
  return { words };
}

type Word = { text: string; quoted: boolean; end: number } | Unclear;

function wordAt(line: string, start: number): Word {
  let text = '';
  let quoted = false;
  let at = start;
  while (at < line.length && !blank.test(line.charAt(at))) {
    const character = line.charAt(at);
    if (character === "'" || character === '"') {
      const part = quotedAt(line, at);
      if ('unclear' in part) return part;
      quoted = true;
      text += part.text;
      at = part.end;
      continue;
    }
    // HEAD~2: only at the start of a word, or after `:` or `=`, does a tilde stand for a folder.
    const innerTilde = character === '~' && /[A-Za-z0-9^~]/.test(line.charAt(at - 1)) && at > start;
    if (!innerTilde && !plainCharacter.test(character)) {
      return { unclear: troubles[character] ?? 'a character that isn’t plain' };
    }
    text += character;
    at += 1;
  }
  return { text, quoted, end: at };
}

/** A quoted part: anything but control characters in single quotes; nothing that expands in double ones. */
function quotedAt(line: string, start: number): { text: string; end: number } | Unclear {
  const quote = line.charAt(start);
  const end = line.indexOf(quote, start + 1);
  if (end === -1) return { unclear: 'a quote that isn’t closed' };
  const text = line.slice(start + 1, end);
  if (/[\0-\x1f\x7f]/.test(text)) return { unclear: 'a line break or control character in quotes' };
  if (quote === '"' && /[$`\\!]/.test(text)) return { unclear: 'an expansion in double quotes' };
  return { text, end: end + 1 };
}

/** A word as it is written in a line so that `simpleCommand` gives it back; undefined where it can't be. */
export function quoteWord(word: string): string | undefined {
  if (plainWord.test(word)) return word;
  if (/[\0-\x1f\x7f]/.test(word)) return undefined;
  if (!word.includes("'")) return `'${word}'`;
  return /["$`\\!]/.test(word) ? undefined : `"${word}"`;
}

/**
 * What a command as it is written sends to files, or takes from them, by redirections that matter: `>/dev/null`, `2>&1` and the like
 * are left out. Quotes are respected; what can’t be told counts as `replace`.
 */
export function redirects(text: string): ('replace' | 'append' | 'input')[] {
  const bare = text
    .replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./gs, 'q')
    .replaceAll(/\d*>&[\d-]+|(?:&|\d*)>>?\s*\/dev\/null(?![^\s;|&)])|\d*<\s*\/dev\/null(?![^\s;|&)])/g, ' ');
  const found = [...bare.matchAll(/[<>]+[|&(]?/g)].map(([operator]) => operator);
  return found.map((operator) => {
    if (operator.startsWith('<') && !operator.includes('>')) return 'input';
    return operator === '>>' ? 'append' : 'replace';
  });
}
