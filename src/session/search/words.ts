/** What somebody types to search: words, "phrases in quotes", and beginnings with a star behind them; all of them must be there. */

export interface Term {
  text: string;
  /** Also longer words that begin with it. */
  isBeginning: boolean;
}

const saysSomething = /[\p{L}\p{N}]/u;

/** Terms without a letter or digit are left out: no text has them as words. */
export function termsIn(typed: string): Term[] {
  return [...typed.matchAll(/"([^"]*)"?(\*?)|([^\s"]+)/g)].flatMap(([, phrase, star, word]) => {
    const isBeginning = star === '*' || (word?.endsWith('*') ?? false);
    const text = (phrase ?? word ?? '').replace(/\*$/, '').trim();
    return saysSomething.test(text) ? [{ text, isBeginning }] : [];
  });
}

/** As FTS5 wants it (https://www.sqlite.org/fts5.html#full_text_query_syntax): nothing that was typed is an operator. */
export function matchOf(terms: readonly Term[]): string {
  return terms.map(({ text, isBeginning }) => `"${text.replaceAll('"', '""')}"${isBeginning ? ' *' : ''}`).join(' ');
}
