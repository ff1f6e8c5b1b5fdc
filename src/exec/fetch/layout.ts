/** HTML as readable Markdown. Runs in a worker: what a hostile page does to it ends with that. */
import type TurndownService from 'turndown';
import { plainTextOf, type PageDocument, type PageElement } from './page-tree.ts';
import { addTableRules } from './tables.ts';
import { tidy } from './tidy.ts';

export interface LaidOut {
  text: string;
  title?: string;
}

/** `address`: where the page came from; its links are relative to that. Throws a RangeError for a page that is nested too deeply. */
export async function layOut(html: string, address: string): Promise<LaidOut> {
  const { default: Turndown } = await import('turndown');
  const service = new Turndown({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    br: '',
  });
  const root = emptyDocument(new Turndown()).createElement('div');
  root.innerHTML = html;
  const { main, title } = tidy(root, address);
  addRules(service);
  const text = service
    .turndown(main)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  return title === undefined ? { text } : { text, title };
}

/** The library's parser has no door of its own: a document of it is had by converting something and looking where that stands. */
function emptyDocument(service: TurndownService): PageDocument {
  let document: PageDocument | undefined;
  const look = (node: { ownerDocument: PageDocument }): boolean => {
    document = node.ownerDocument;
    return true;
  };
  service.addRule('look', { filter: look as never, replacement: () => '' }).turndown('<p>a</p>');
  if (document === undefined) throw new Error('The library for HTML gives no document.');
  return document;
}

function addRules(service: TurndownService): void {
  // Names and code must stand as they are; that a star could be taken for emphasis does no harm here.
  service.escape = (text) => text;
  addTableRules(service);
  service.addRule('code-block', {
    filter: 'pre',
    replacement: (_content, node) => fenced(node as PageElement),
  });
  service.addRule('link', {
    filter: 'a',
    replacement: (content, node) => linked(content, (node as PageElement).getAttribute('href')),
  });
  service.addRule('picture', {
    filter: 'img',
    replacement: (_content, node) => pictured(node as PageElement),
  });
  service.addRule('box', {
    filter: 'input',
    replacement: (_content, node) => ((node as PageElement).getAttribute('checked') === null ? '[ ]' : '[x]'),
  });
  service.addRule('struck', { filter: ['del', 's'], replacement: (content) => `~~${content}~~` });
}

const languageName = /(?:^|[\s-])(?:language|lang|source)-([\w+#.-]{1,30})/;

function fenced(node: PageElement): string {
  const text = plainTextOf(node).replace(/^\n/, '').trimEnd();
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return `\n\n${fence}${languageOf(node)}\n${text}\n${fence}\n\n`;
}

/** Told by the class of the block, of the code in it or of the box around it. */
function languageOf(node: PageElement): string {
  const around = node.parentNode as PageElement | null;
  for (const each of [node, node.querySelector('code'), around]) {
    const [, language] = languageName.exec(each?.getAttribute?.('class') ?? '') ?? [];
    if (language !== undefined) return language;
  }
  return '';
}

/** Signs with which pages link their own headings. */
const ownSigns = /^[#¶§🔗]*$/u;

function linked(content: string, href: string | null): string {
  const text = content.replaceAll(/\s+/g, ' ').trim();
  if (href === null) return content;
  if (href.startsWith('#')) return ownSigns.test(text) ? '' : content;
  if (text === '') return '';
  // A link around whole blocks stands alone, and can't hold a heading.
  const link = `[${text.replace(/^#+ /, '')}](${inBrackets(href)})`;
  return content.startsWith('\n') ? `\n\n${link}\n\n` : link;
}

function inBrackets(address: string): string {
  return address.replaceAll('(', '%28').replaceAll(')', '%29');
}

function pictured(node: PageElement): string {
  const name = (node.getAttribute('alt') ?? '').replaceAll(/\s+/g, ' ').trim();
  const source = node.getAttribute('src') ?? '';
  if (name === '') return '';
  return source === '' ? name : `![${name}](${inBrackets(source)})`;
}
