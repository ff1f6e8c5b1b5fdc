/** `@path` in an instruction file: what it brings in, and what is left of the file without it. */

const fence = /^ {0,3}(`{3,}|~{3,})/;
const mention = /(^|[\s([])@([^\s`)\]]+)/g;
/** What a sentence puts after a path. */
const punctuation = /[.,;:!?'"”’]+$/;

/** The paths that a file imports, each with what it is where the sentence goes on after it; never from code or comments. */
export function importsIn(text: string): string[] {
  const found = [...prose(text).matchAll(mention)].map(([, , path = '']) => path);
  return [...new Set(found)].filter((path) => path.replace(punctuation, '') !== '');
}

/** The same path without what may belong to the sentence. */
export function withoutPunctuation(path: string): string {
  return path.replace(punctuation, '');
}

/** Whether a mention that leads nowhere was meant as an import: `@types/node` and `@someone` weren't. */
export function looksLikeImport(path: string): boolean {
  return /^(?:\.{0,2}|~)\//.test(path) || /\.(?:mdx?|markdown|txt|rst|adoc)$/i.test(withoutPunctuation(path));
}

/** Whether a file says nothing by itself: without its imports, headings and comments nothing is left. */
export function onlyImports(text: string): boolean {
  const rest = prose(text).replaceAll(mention, '$1');
  return (
    text.trim() !== '' && rest.split('\n').every((line) => /^[\s\-*>]*$|^\s{0,3}#/.test(line)) && !fence.test(text)
  );
}

/** The text without blocks and spans of code and without comments, its lines kept. */
function prose(text: string): string {
  let open: string | undefined;
  const lines = text
    .replaceAll(/<!--[^]*?-->/g, '')
    .split('\n')
    .map((line) => {
      const [, mark] = fence.exec(line) ?? [];
      if (open === undefined && mark === undefined) return line.replaceAll(/(`+)[^`]*?\1/g, ' ');
      if (open === undefined) open = mark;
      else if (mark !== undefined && mark.startsWith(open) && line.trim() === mark) open = undefined;
      return '';
    });
  return lines.join('\n');
}

/** A rule file's settings at its head, and the text after them. */
export function splitHead(text: string): { paths: string[]; body: string } {
  const [whole = '', head = ''] = /^---\n([^]*?)\n---(?:\n|$)/.exec(text) ?? [];
  return { paths: pathsIn(head), body: text.slice(whole.length) };
}

/** The patterns of paths that a rule is for, on one line or as a list. */
function pathsIn(head: string): string[] {
  const [, line = '', list = ''] = /^paths[ \t]*:[ \t]*(.*)((?:\n[ \t]*-[ \t]+.*)*)/m.exec(head) ?? [];
  const named = line.trim() === '' ? list.split('\n') : line.replaceAll(/^\[|\]$/g, '').split(/,(?![^{]*\})/);
  const patterns = named.map((each) => each.replace(/^\s*-\s+/, '').replaceAll(/^[\s"']+|[\s"']+$/g, ''));
  return patterns.filter((each) => each !== '').flatMap(withoutBraces);
}

/** `*.{ts,js}` as `*.ts` and `*.js`; only the first pair of braces, which is all that rules are seen to use. */
function withoutBraces(pattern: string): string[] {
  const [whole = '', before = '', inner = '', after = ''] = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  return whole === '' ? [pattern] : inner.split(',').map((each) => `${before}${each.trim()}${after}`);
}
