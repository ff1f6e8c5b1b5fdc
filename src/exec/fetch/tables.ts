/** Tables as Markdown; tables that only place things are laid out as what they hold. */
import type TurndownService from 'turndown';
import { walk, type PageElement, type PageNode } from './page-tree.ts';

/** Columns that a cell is spread over at most: a page can name any number. */
const widest = 12;

export function addTableRules(service: TurndownService): void {
  const placing = new WeakMap<PageNode, boolean>();
  const begun = new WeakSet<PageNode>();
  const isPlacing = (table: PageElement): boolean => {
    const known = placing.get(table) ?? isForPlacing(table);
    placing.set(table, known);
    return known;
  };
  service.addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content, node) => {
      const table = tableOf(node as PageElement);
      if (table === undefined || isPlacing(table)) return `\n\n${content}\n\n`;
      return ` ${inCell(content)} |${'  |'.repeat(spreadOf(node as PageElement) - 1)}`;
    },
  });
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => {
      const table = tableOf(node as PageElement);
      if (table === undefined || isPlacing(table)) return `\n\n${content}\n\n`;
      const row = `|${content}\n`;
      if (begun.has(table)) return row;
      begun.add(table);
      // Markdown has no table without a head: the first row is it.
      return `${row}|${' --- |'.repeat(columnsOf(node as PageElement))}\n`;
    },
  });
  service.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  service.addRule('columns', { filter: ['colgroup', 'col'], replacement: () => '' });
  service.addRule('caption', { filter: 'caption', replacement: (content) => `\n\n${content}\n\n` });
}

function tableOf(node: PageNode): PageElement | undefined {
  for (let each = node.parentNode; each !== null; each = each.parentNode) {
    if (each.nodeName === 'TABLE') return each as PageElement;
  }
  return undefined;
}

/** Whether it has other tables in it, or no row with a second cell. */
function isForPlacing(table: PageElement): boolean {
  let holdsTable = false;
  let columns = 0;
  walk(table, (node) => {
    if (node.nodeName === 'TABLE') holdsTable = true;
    if (node.nodeName === 'TR') columns = Math.max(columns, columnsOf(node));
    return !holdsTable;
  });
  return holdsTable || columns < 2;
}

function inCell(content: string): string {
  const lines = content.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join('<br>')
    .replaceAll('|', '\\|');
}

function spreadOf(cell: PageElement): number {
  const asked = Number(cell.getAttribute('colspan') ?? 1);
  return Number.isInteger(asked) && asked > 1 ? Math.min(asked, widest) : 1;
}

function columnsOf(row: PageNode): number {
  let columns = 0;
  for (let node = row.firstChild; node !== null; node = node.nextSibling) {
    if (node.nodeName === 'TD' || node.nodeName === 'TH') columns += spreadOf(node as PageElement);
  }
  return columns;
}
