/**
 * The names that a file mentions, outside of its comments and strings. They are read by their letters: asking the tree for every name
 * takes as long as making the tree, and a name counts only where something is defined by it.
 */
import type { Lexis } from './languages/index.ts';

/** Names of one file; machines write longer ones. */
const mostNames = 4_000;
const longestName = 100;

const letters = String.raw`\w\u00aa-\uffff`;
const name = String.raw`([A-Za-z_\u00aa-\uffff][${letters}]+)`;
/** A member with its dot, which no function or class of a module is named by; and no key: `key: value`. */
const memberOrName = String.raw`((?:(?<!\.)\.)?[A-Za-z_$\u00aa-\uffff][${letters}$]+)(?![${letters}$]|\s*\??:)`;
const slashes = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`;
/** Not the number of arguments or the head of a value in the shell, and no colour. */
const hashes = String.raw`(?<![\w$"'{&])#[^\n]*`;
const double = String.raw`"(?:\\.|[^"\\\n])*"?`;
const single = String.raw`'(?:\\.|[^'\\\n])*'?`;
const triple = String.raw`"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)`;
/** A quotation mark alone begins the name of a lifetime. */
const character = String.raw`'(?:\\[^\n]{1,10}?|[^'\\\n])'`;

const patterns: { readonly [L in Lexis]: RegExp } = {
  ecmascript: new RegExp([slashes, double, single, memberOrName].join('|'), 'g'),
  slashes: new RegExp([slashes, double, single, name].join('|'), 'g'),
  hashes: new RegExp([triple, hashes, double, single, name].join('|'), 'g'),
  both: new RegExp([slashes, hashes, double, single, name].join('|'), 'g'),
  rust: new RegExp([slashes, double, character, name].join('|'), 'g'),
};

/** Words of the languages themselves. */
const reserved = new Set(
  'abstract and as async await bool boolean break byte case catch char class const constexpr continue def default del delete do done double elif else elsif end enum esac except export extends extern false fi final finally float fn for foreach from func function global go goto if impl implements import in include instanceof int interface internal is isinstance lambda len let local long loop match mod module mut namespace new nil none not null number object of operator or override package pass print private protected pub public raise readonly rescue return self sealed short signed static string struct super switch template then this throw throws trait true try type typedef typename typeof undefined union unless unsigned until use using var virtual void when where while with yield None True False Self String'.split(
    ' ',
  ),
);

/** Each once, in the order in which they come. */
export function referencesIn(text: string, lexis: Lexis): string[] {
  const names = new Set<string>();
  for (const [, found] of text.matchAll(patterns[lexis])) {
    if (found === undefined || found.length > longestName || reserved.has(found)) continue;
    names.add(found);
    if (names.size === mostNames) break;
  }
  return [...names];
}
