/** The text of an HTML page without any understanding of it: in one pass, whatever the page is. */

/** Elements whose content is no text of the page. */
const unreadable = /<(script|style|svg|template|noscript|head)[\s/>]/iy;
const markup = /<[/!?]?[a-z][^<>]*>?/iy;
/** Elements that don't break a line. */
const inline =
  /^<\/?(a|abbr|b|bdi|bdo|cite|code|data|em|font|i|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|tt|u|var|wbr)[\s/>]/i;

export function bareText(html: string): string {
  const pieces: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    pieces.push(html.slice(at, open));
    at = skipMarkup(html, open, pieces);
  }
  pieces.push(html.slice(at));
  return tidied(withoutEntities(pieces.join('')));
}

/** Where what begins here ends; what it stands for in the text is added to the pieces. */
function skipMarkup(html: string, open: number, pieces: string[]): number {
  if (html.startsWith('<!--', open)) return after(html, '-->', open);
  const [, name] = matchAt(unreadable, html, open) ?? [];
  if (name !== undefined) {
    const close = new RegExp(`</${name}`, 'gi');
    close.lastIndex = open;
    const end = close.exec(html);
    return end === null ? html.length : after(html, '>', end.index);
  }
  const [found] = matchAt(markup, html, open) ?? [];
  if (found === undefined) pieces.push('<');
  else if (!inline.test(found)) pieces.push('\n');
  return open + (found?.length ?? 1);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found + end.length;
}

const named: { [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function withoutEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi,
    (whole, ten, sixteen, name) => {
      if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
      const code = ten === undefined ? Number.parseInt(String(sixteen), 16) : Number(ten);
      return code > 0x10_ff_ff ? whole : String.fromCodePoint(code);
    },
  );
}

/** One blank between words, at most one blank line between lines. */
function tidied(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim());
  return lines
    .filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''))
    .join('\n')
    .trim();
}
