/** Notebooks of Jupyter as cells and outputs (nbformat 4). */
import type { Node } from 'jsonc-parser';
import { withoutEscapes } from '../text/index.ts';

export interface Notebook {
  cells: Cell[];
  /** The language of its code, where it says so. */
  language?: string;
}

export interface Cell {
  /** `code`, `markdown` or `raw`; or whatever the file says. */
  kind: string;
  source: string;
  /** The number of its last run. */
  run?: number;
  outputs: Output[];
  /** The line of the file in which it begins, from 1. */
  line?: number;
}

export type Output =
  | { kind: 'text' | 'error'; text: string }
  | { kind: 'image'; mediaType: string; bytes: Buffer }
  /** Content that says nothing as text; `size` in characters. */
  | { kind: 'other'; mediaType: string; size: number };

type Fields = { [name: string]: unknown };

/** Characters of the largest notebook that is taken apart. */
const longest = 30 * 1024 * 1024;

/** The notebook that a text is, or why it isn’t one. */
export async function parseNotebook(text: string): Promise<Notebook | { problem: string }> {
  if (text.length > longest) return { problem: `it has more than ${longest / 1024 / 1024} MB` };
  const whole = parsed(text);
  if (!isFields(whole)) return { problem: 'it isn’t a JSON object' };
  const { cells, nbformat, metadata } = whole;
  if (nbformat !== 4)
    return { problem: `its format is ${JSON.stringify(nbformat)?.slice(0, 50) ?? 'not told'}, not 4` };
  if (!Array.isArray(cells)) return { problem: 'it has no list of cells' };
  const lines = await cellLines(text, cells.length);
  const language = languageOf(metadata);
  return {
    cells: cells.map((cell: unknown, index) => cellOf(isFields(cell) ? cell : {}, lines[index])),
    ...(language !== undefined && { language }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the file is shown as the text that it is.
  }
}

function cellOf(cell: Fields, line: number | undefined): Cell {
  const { cell_type: kind, source, execution_count: run, outputs } = cell;
  return {
    kind: typeof kind === 'string' ? kind : 'unknown',
    source: joined(source),
    outputs: Array.isArray(outputs) ? outputs.filter(isFields).flatMap(outputsOf) : [],
    ...(typeof run === 'number' && { run }),
    ...(line !== undefined && { line }),
  };
}

/** Output streams, errors, and what is displayed: images and text, else a word about what there is. */
function outputsOf({ text, ename, evalue, traceback, data }: Fields): Output[] {
  if (ename !== undefined || traceback !== undefined) {
    const lines = Array.isArray(traceback) ? traceback.filter((line) => typeof line === 'string') : [];
    const said = lines.length > 0 ? lines.join('\n') : `${joined(ename)}: ${joined(evalue)}`;
    return [{ kind: 'error', text: withoutEscapes(said) }];
  }
  if (text !== undefined) return [{ kind: 'text', text: withoutEscapes(joined(text)) }];
  if (!isFields(data)) return [];
  const images = Object.entries(data).flatMap(([mediaType, value]) => imageOf(mediaType, value));
  const plain = data['text/plain'] ?? data['text/markdown'] ?? data['text/html'];
  if (images.length > 0) return images;
  if (plain !== undefined) return [{ kind: 'text', text: withoutEscapes(joined(plain)) }];
  return Object.entries(data).map(([mediaType, value]) => ({ kind: 'other', mediaType, size: sizeOf(value) }));
}

function imageOf(mediaType: string, value: unknown): Output[] {
  if (!/^image\/(?:png|jpeg|gif|webp)$/.test(mediaType)) return [];
  return [{ kind: 'image', mediaType, bytes: Buffer.from(joined(value), 'base64') }];
}

function sizeOf(value: unknown): number {
  return joined(value).length || (JSON.stringify(value)?.length ?? 0);
}

/** A text of the format: one string, or its lines with their ends. */
function joined(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}

function languageOf(metadata: unknown): string | undefined {
  if (!isFields(metadata)) return undefined;
  const { language_info: info, kernelspec: kernel } = metadata;
  const name = isFields(info) ? info['name'] : isFields(kernel) ? kernel['language'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The line in which each cell begins; none where that can’t be told. */
async function cellLines(text: string, cells: number): Promise<number[]> {
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser');
  let nodes: Node[] = [];
  try {
    const tree = parseTree(text);
    nodes = (tree && findNodeAtLocation(tree, ['cells'])?.children) ?? [];
  } catch (error) {
    // It goes down with the nesting, which a file may take further than the stack goes.
    if (!(error instanceof RangeError)) throw error;
  }
  // With two lists of that name the parsers may have taken different ones.
  if (nodes.length !== cells) return [];
  const lines: number[] = [];
  let line = 1;
  let at = 0;
  for (const { offset } of nodes) {
    for (let feed = text.indexOf('\n', at); feed !== -1 && feed < offset; feed = text.indexOf('\n', at)) {
      line += 1;
      at = feed + 1;
    }
    lines.push(line);
  }
  return lines;
}
