/** PDF files: the text of their pages, as lines. */
import type { CallOutcome } from '../../../core/index.ts';
import { readPdf, type PdfText } from '../../content/index.ts';
import { failed } from '../../outcome.ts';
import { count, headOf, linesOf, visible } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { showLines, whereText, type Window } from './lines.ts';
import type { Subject } from './subject.ts';

const longestProblem = 300;

/** The text of a PDF, or why there is none to show. */
export async function readPages(
  { name, state }: Subject,
  { offset, limit }: Window,
  { signal }: ToolContext,
): Promise<CallOutcome | { problem: string }> {
  const text = await readPdf(state.bytes, { signal });
  if ('problem' in text) {
    const problem = headOf(visible(text.problem), longestProblem);
    return { problem: `${name} begins as a PDF and has ${count(state.bytes.length, 'byte')}, but ${problem}.` };
  }
  const what = `${name} is a PDF of ${count(text.of, 'page')} and ${count(state.bytes.length, 'byte')}`;
  if (text.pages.every((page) => page.trim() === '')) return { outcome: 'ok', text: `${what}. ${nothingText(text)}` };
  const lines = text.pages.flatMap((page, index) => [`[Page ${index + 1} of ${text.of}]`, ...linesOf(page).lines]);
  if (offset > lines.length)
    return failed(`The text of ${name} has only ${count(lines.length, 'line')}. ${restText(text)}`.trim());
  const shown = showLines(lines.slice(offset - 1, offset - 1 + limit), offset);
  const to = offset + shown.lines.length - 1;
  const head = `${what}; this is its text, which can’t be edited.`;
  const notes = [
    ...whereText(offset, to, lines.length),
    ...(text.stopped === undefined ? [] : [`[${restText(text)}]`]),
  ];
  return { outcome: 'ok', text: [head, ...shown.lines, ...notes].join('\n') };
}

function nothingText(text: PdfText): string {
  const pages = text.stopped === undefined ? 'Its pages hold' : `Its first ${count(text.pages.length, 'page')} hold`;
  return `${pages} no text: they may be pictures of text. With a command (pdftoppm) they can be made images, which can be read. ${restText(text)}`.trim();
}

/** Which pages are missing and why; nothing where none are. */
function restText({ of, pages, stopped }: PdfText): string {
  if (stopped === undefined) return '';
  return `Pages ${pages.length + 1}-${of} were not read: ${headOf(visible(stopped), longestProblem)}. A command (pdftotext -f ${pages.length + 1}) may show them.`;
}
