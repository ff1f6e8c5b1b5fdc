/** Finds the line that stands for code which was left out: “... rest of the file unchanged” and its kin. */
import { linesOf } from '../../text/index.ts';

export interface Placeholder {
  /** From 1. */
  line: number;
  text: string;
}

/** Where a comment begins or ends, in the common languages; a star leads the lines of a longer one. */
const commentStart =
  /^(?:\{?\/\*+|\*+(?!\*)|\/\/+!?|#+(?![!\w])|<#|<!--|<%(?:--|#|=?\/\*)|\{\{!(?:--)?|\{#|\{-|\(\*|--+|;+|%+|"""|'''|'|::|rem\b)\s*/i;
const commentMarks = /\/\*+|\*+\/\}?|<!--|-->|--%>|%>|--\}\}|\}\}|#\}|-\}|\*\)|#>|"""|'''/g;
/** A comment behind code, and one within a line. */
const trailing = /(?:^|[\s;{}()[\],>])(?:\/\/|#|--|;|%)\s+(.+)$/;
const inner = /(?:\/\*+|<!--)(.*?)(?:\*+\/|-->)/g;
const ellipsis = /\.{3,}|\u2026/;
/** Dots that a word follows directly are those of a language. */
const dotsApart = /(?:\.{3,}|\u2026)(?:\W|$)/;
/** A line in brackets or between dots, without being a comment. */
const bracketed = /^(?:[[(<{]\s*\S.*[\])>}]|(?:\.{3,}|\u2026).*)$/;

/** Languages whose text has lines that begin with `#` or `*` and are no comments. */
const prose = /\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc|org|tex|html?)$/i;

const code =
  '(?:code|implementations?|logic|imports?|methods?|functions?|jsx|markup|html|css|styles?|body|contents?|source)';
const part = `(?:${code}|files?|class(?:es)?|modules?|components?|scripts?|documents?|docs?|config(?:uration)?|templates?|rules|lines|tests?|cases|definitions?|declarations?|sections?|parts?|text|program|snippet|blocks?|fields|properties|props|routes|handlers|types|exports|variables|constants|dependencies|entries|items|rows|elements|statements|setup|page|paragraphs?|chapters?|options|settings|query|queries|schema|app|application|service|view|layout|form|article|readme)`;
const brevity = '(?: for (?:brevity|clarity|space|readability|simplicity|conciseness|now))';
const leftOut = '(?:omitted|truncated|elided|snipped|abbreviated|left out|skipped|not shown|removed)';
const being = '(?:(?:is|are|was|were|all|will|should|must|be|of it|of them|exactly|completely) )*';
const same =
  '(?:the same|unchanged|unmodified|untouched|identical|intact|as[ -]is|as (?:it|they) (?:is|are|was|were)|(?:same )?as before|as in the original|like before|not changed|omitted|elided|truncated|not shown)';
const where = '(?: (?:here|below|above|as before|from before|in the original(?: file| code)?))?';
/** It is as it was. */
const unchanged = `${being}(?:(?:remains?|stays?|kept|left) )?${being}${same}${where}${brevity}?`;
/** It is as it was, or would be here. */
const goesOn = `(?:${unchanged}|${being}(?:(?:goes|go|remains?|stays?|continues?) )?(?:here|below|above)|continues?|follows|remains?)`;
const some = '(?:(?:the|your|all|this|these|my|our|any) )*';
const adjective = '(?:existing|unchanged|other|remaining|previous|original|current|same|old)';
const words = '(?:\\w+ ){0,2}';
const kept = '(?:keep|leave|retain|preserve|insert|include|copy|paste|put) (?:in |back )?';

/** The whole of what a comment says, in lower case, without marks, brackets and dots. */
const standsForCode = [
  `(?:${kept})?${some}(?:rest|remainder) of ${some}${words}${part}(?: ${goesOn})?`,
  `(?:${kept}|and )?${some}(?:rest|remainder) ${goesOn}`,
  `(?:${kept})?(?:everything|all) (?:else|other) ${unchanged}`,
  `(?:${kept})?${some}(?:existing|unchanged) ${words}${code}(?: ${goesOn})?`,
  `(?:${kept})?${some}${adjective} ${words}${part} ${goesOn}`,
  `${kept}${some}(?:everything|all) (?:else|other|the rest)`,
  `${some}${code} (?:${unchanged}|continues(?: here| below)?)`,
  `(?:remains?|stays?|is|are|left|kept) (?:the same|unchanged|as (?:is|before)|untouched|identical)`,
  `(?:unchanged|unmodified|same as before|as before|no (?:other )?changes?(?: (?:here|below|above|needed|required|from here))?)`,
  `${words}${leftOut}${brevity}`,
].map((pattern) => new RegExp(`^(?:${pattern})$`));
/** What stands for code only behind dots. */
const standsWithDots = [
  `${some}${adjective} ${words}${part}`,
  `${some}(?:rest|remainder|same)`,
  `(?:${words}${part} )?(?:${leftOut}|snip|continued|unchanged|same as (?:above|before))`,
].map((pattern) => new RegExp(`^(?:${pattern})$`));

/**
 * The first line of new content that stands for left-out code, if the file that it replaces hasn't that line. Dots alone count where the
 * new content has fewer lines: nothing says that they stand for more than themselves otherwise.
 */
export function placeholderIn(content: string, present: string, name: string): Placeholder | undefined {
  const { lines } = linesOf(content);
  const old = linesOf(present).lines;
  const known = new Set(old.map((line) => line.trim()));
  const options = { isProse: prose.test(name), isShorter: lines.length < old.length };
  const index = lines.findIndex((line) => !known.has(line.trim()) && isPlaceholder(line, options));
  return index === -1 ? undefined : { line: index + 1, text: (lines[index] ?? '').trim() };
}

function isPlaceholder(line: string, { isProse, isShorter }: { isProse: boolean; isShorter: boolean }): boolean {
  const text = line.trim();
  // Anything longer explains something.
  if (text === '' || text.length > 200) return false;
  const isComment = commentStart.test(text) && !(isProse && !/^(?:<!--|\/\/|\{\/\*|\{\{!)/.test(text));
  if (isComment) return says(text.replace(commentStart, ''), { isWhole: true, isShorter: isShorter && !isProse });
  if (bracketed.test(text)) return says(text, { isWhole: false, isShorter: false });
  if (isProse) return false;
  const inside = [...text.matchAll(inner)].map(([, comment]) => comment ?? '');
  const [, after] = trailing.exec(text) ?? [];
  return [...inside, ...(after === undefined ? [] : [after])].some((comment) =>
    says(comment, { isWhole: false, isShorter: false }),
  );
}

/** `isWhole`: the comment is the whole line, so that a bare word may stand for something. */
function says(comment: string, { isWhole, isShorter }: { isWhole: boolean; isShorter: boolean }): boolean {
  const hasDots = ellipsis.test(comment);
  const bare = bareText(comment);
  if (bare === '') return hasDots && isShorter;
  if (dotsApart.test(comment) && standsWithDots.some((pattern) => pattern.test(bare))) return true;
  if (!isWhole && !hasDots && /^(?:unchanged|unmodified|as before|same as before)/.test(bare)) return false;
  return standsForCode.some((pattern) => pattern.test(bare));
}

function bareText(comment: string): string {
  return comment
    .replaceAll(commentMarks, ' ')
    .replaceAll(/\.{2,}|\u2026/g, ' ')
    .replaceAll(/[[\](){}<>*\u2013\u2014]|(?<!\w)-+|-+(?!\w)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[.,:;!]+$/, '')
    .toLowerCase();
}
