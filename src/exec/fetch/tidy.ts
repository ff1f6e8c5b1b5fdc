/** Before a page is laid out: what nobody reads is taken out, addresses are made whole, its own part is found. */
import { isElement, plainTextOf, walk, type PageElement, type PageNode } from './page-tree.ts';

export interface Tidied {
  /** The part that the page is about. */
  main: PageElement;
  title: string | undefined;
}

const unread = new Set(
  (
    'AUDIO BASE BUTTON CANVAS DATALIST DIALOG EMBED IFRAME LINK META NAV NOSCRIPT OBJECT SCRIPT SELECT STYLE SVG TEMPLATE TEXTAREA ' +
    'TITLE VIDEO'
  ).split(' '),
);
const hiding = /display\s*:\s*none|visibility\s*:\s*hidden|(opacity|font-size)\s*:\s*0(?![.\d]*[1-9])/i;

/** Characters below which a part that is marked as the main one is taken for an empty shell. */
const leastText = 200;
const titleLength = 200;

/** Changes the tree. `address`: where the page came from. */
export function tidy(root: PageElement, address: string): Tidied {
  const found: {
    base: string;
    title?: string | undefined;
    main?: PageElement;
    articles: PageElement[];
    gone: PageNode[];
  } = {
    base: address,
    articles: [],
    gone: [],
  };
  walk(root, (node) => {
    if (!isElement(node)) return true;
    const name = node.nodeName.toUpperCase();
    if (name === 'TITLE') found.title ??= titleOf(node);
    if (name === 'BASE') found.base = absolute(node.getAttribute('href'), found.base) ?? found.base;
    if (unread.has(name) || isHidden(node) || isControl(name, node)) {
      found.gone.push(node);
      return false;
    }
    if (name === 'A') point(node, 'href', found.base);
    if (name === 'IMG') point(node, 'src', found.base);
    if (name === 'MAIN' || node.getAttribute('role') === 'main') found.main ??= node;
    if (name === 'ARTICLE') found.articles.push(node);
    return true;
  });
  for (const node of found.gone) node.parentNode?.removeChild(node);
  return { main: mainPart(root, found.main ?? onlyOf(found.articles)), title: found.title };
}

function titleOf(node: PageNode): string | undefined {
  const text = plainTextOf(node).replaceAll(/\s+/g, ' ').trim();
  return text === '' ? undefined : text.slice(0, titleLength);
}

function isHidden(node: PageElement): boolean {
  if (node.getAttribute('hidden') !== null || node.getAttribute('aria-hidden') === 'true') return true;
  return node.getAttribute('role') === 'navigation' || hiding.test(node.getAttribute('style') ?? '');
}

/** Fields of a form; the boxes of a list of tasks say something. */
function isControl(name: string, node: PageElement): boolean {
  return name === 'INPUT' && node.getAttribute('type')?.toLowerCase() !== 'checkbox';
}

/** Leaves an address that leads to a page, made whole; one within the page stays as it is, others go. */
function point(node: PageElement, attribute: 'href' | 'src', base: string): void {
  const value = node.getAttribute(attribute);
  if (value === null || value.startsWith('#')) return;
  const whole = absolute(value, base);
  if (whole === undefined) node.removeAttribute(attribute);
  else node.setAttribute(attribute, whole);
}

function absolute(value: string | null, base: string): string | undefined {
  const url = value === null ? null : URL.parse(value, base);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}

function onlyOf(articles: PageElement[]): PageElement | undefined {
  return articles.length === 1 ? articles[0] : undefined;
}

function mainPart(root: PageElement, marked: PageElement | undefined): PageElement {
  if (marked === undefined) return root;
  return plainTextOf(marked).trim().length < leastText ? root : marked;
}
