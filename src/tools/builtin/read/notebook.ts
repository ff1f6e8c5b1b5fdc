/** Notebooks: their cells with what came of them. */
import type { CallOutcome, ImagePart } from '../../../core/index.ts';
import { imageTypeOf, parseNotebook, type Cell, type Notebook, type Output } from '../../content/index.ts';
import { count, visible, withoutMiddle } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { see, type Sight } from './image.ts';
import { charactersShown } from './lines.ts';
import type { Manner, Subject } from './subject.ts';

const longestSource = 20_000;
const longestOutput = 2_000;
/** Outputs of one cell that are shown. */
const outputsShown = 20;
/** Images that are given with one reading; each costs as much as a page of text. */
const imagesShown = 5;
const roomForNotes = 1000;

/** The cells of a notebook, given its text; or why it is shown as the text that it is. */
export async function readNotebook(
  { name }: Subject,
  text: string,
  manner: Manner,
  context: ToolContext,
): Promise<CallOutcome | { problem: string }> {
  const notebook = await parseNotebook(text);
  if ('problem' in notebook) return { problem: `It is named as a notebook, but ${notebook.problem}.` };
  const images: ImagePart[] = [];
  const lines = [headText(name, notebook)];
  let room = charactersShown - roomForNotes - headText(name, notebook).length;
  for (const [index, cell] of notebook.cells.entries()) {
    const shown = await showCell(cell, index + 1, images.length, manner, context);
    room -= shown.text.length + 1;
    if (room < 0) {
      lines.push(restText(index, notebook));
      break;
    }
    lines.push(shown.text);
    images.push(...shown.images);
  }
  return { outcome: 'ok', text: lines.join('\n'), ...(images.length > 0 && { images }) };
}

function headText(name: string, { cells, language }: Notebook): string {
  const code = language === undefined ? '' : ` (${visible(language).slice(0, 50)})`;
  return `${name} is a notebook with ${count(cells.length, 'cell')}${code}. To edit it, read its JSON, from the line of a cell with \`offset\`.`;
}

function restText(shown: number, { cells }: Notebook): string {
  const line = cells[shown]?.line;
  const how = line === undefined ? 'an offset' : `offset ${line}`;
  return `[Cells 1-${shown} of ${cells.length}. Go on with ${how}, which shows its JSON.]`;
}

interface ShownCell {
  text: string;
  images: ImagePart[];
}

/** `before`: images that are given already. */
async function showCell(
  cell: Cell,
  number: number,
  before: number,
  manner: Manner,
  context: ToolContext,
): Promise<ShownCell> {
  const facts = [
    `Cell ${number}`,
    visible(cell.kind).slice(0, 20),
    ...(cell.run === undefined ? [] : [`run ${cell.run}`]),
    ...(cell.line === undefined ? [] : [`line ${cell.line}`]),
  ];
  const lines = [`[${facts.join(', ')}]`];
  const images: ImagePart[] = [];
  if (cell.source !== '') lines.push(withoutMiddle(visible(cell.source), longestSource));
  for (const output of cell.outputs.slice(0, outputsShown)) {
    const { text, part } = await showOutput(output, before + images.length + 1, manner, context);
    lines.push(text);
    if (part !== undefined) images.push(part);
  }
  const left = cell.outputs.length - outputsShown;
  if (left > 0) lines.push(`[${count(left, 'more output')}]`);
  return { text: lines.join('\n'), images };
}

/** `number`: which image it is, should it be one. */
async function showOutput(output: Output, number: number, manner: Manner, context: ToolContext): Promise<Sight> {
  if (output.kind === 'other') {
    const kind = visible(output.mediaType).slice(0, 100);
    return { text: `[Output: ${kind}, ${count(output.size, 'character')}]` };
  }
  if (output.kind !== 'image') {
    const head = output.kind === 'error' ? '[Error]' : '[Output]';
    return { text: `${head}\n${withoutMiddle(visible(output.text), longestOutput)}` };
  }
  const type = imageTypeOf(output.bytes);
  const size = count(output.bytes.length, 'byte');
  if (type === undefined) return { text: `[Output: said to be an image, ${size}, but it isn’t one]` };
  if (number > imagesShown) return { text: `[Output: an image, ${size}; only ${imagesShown} are shown at once]` };
  const { text, part } = await see(output.bytes, type, manner, context);
  return part === undefined ? { text: `[Output: ${text}]` } : { text: `[Output: image ${number}, a ${text}]`, part };
}
