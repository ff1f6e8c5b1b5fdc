/** The next request layer by layer, as a table for people. */
import { grouped, type ContextReport } from '../../../harness/index.ts';
import { clip, oneLine } from '../printable.ts';
import { about, kindName, mostNamed, pieceName } from './layer-names.ts';
import type { Style } from './style.ts';
import { nothing, percent, tableLines, wrapped } from './table.ts';

type Layer = ContextReport['layers'][number];

const header = ['layer', 'tokens', 'share', 'window', 'bytes'];
/** Layers of one piece, which is named by the layer itself. */
const single = [
  'static-prompt',
  'standing-context',
  'style',
  'instructions',
  'memory',
  'appended',
  'repository',
  'map',
  'frame',
];

export function contextLines(report: ContextReport, style: Style): string[] {
  const rows = [header, ...report.layers.flatMap((layer) => layerRows(layer, report)), ...sumRows(report)];
  const [head = '', ...lines] = tableLines(rows, style.width);
  return [
    clip(headline(report), style.width),
    '',
    style.dim(head),
    ...lines,
    '',
    ...noteLines(report).flatMap((note) => wrapped(note, style.width)),
  ];
}

function headline({ session, workspace, model, wire }: ContextReport): string {
  const what = session === undefined ? `The first request in ${workspace}` : `The next request of session ${session}`;
  return oneLine(`${what}, to ${model} (${wire})`);
}

function layerRows(layer: Layer, report: ContextReport): string[][] {
  const { kind, count, largest, tokens, bytes } = layer;
  if (kind === 'frame') return [[kindName(kind), nothing, nothing, nothing, grouped(bytes)]];
  const isSingle = single.includes(kind) || kind.startsWith('prompt-');
  const name = isSingle ? kindName(kind) : `${kindName(kind)} (${grouped(count)})`;
  const named = isSingle ? [] : largest.slice(0, kind === 'tools' ? undefined : mostNamed);
  return [
    figures(name, tokens, bytes, report),
    ...named.map((piece) => figures(pieceName(piece.name), piece.tokens, piece.bytes, report)),
  ];
}

function figures(name: string, tokens: number, bytes: number, { total, window }: ContextReport): string[] {
  return [
    name,
    about(tokens),
    percent(total.tokens === 0 ? 0 : tokens / total.tokens),
    percent(tokens / window),
    grouped(bytes),
  ];
}

function sumRows(report: ContextReport): string[][] {
  const { total, window, reserved, left } = report;
  return [
    figures('total', total.tokens, total.bytes, report),
    ['window', grouped(window)],
    ['kept for the reply', grouped(reserved), '', percent(reserved / window)],
    ['left', `${left < 0 ? '-' : ''}${about(Math.abs(left))}`, '', percent(left / window)],
  ];
}

const bases = {
  reported: 'by what the last reply reported, and what was said since',
  calibrated: 'by what earlier replies of this session reported',
  assumed: 'by an assumption, on the safe side; no reply has reported any',
};

function noteLines({ estimate: { by, bytesPerToken }, leftOut, notes }: ContextReport): string[] {
  const figure = `${Number(bytesPerToken.toFixed(2))} bytes of text a token`;
  return [
    `Tokens (~) are estimated ${bases[by]}: ${figure}. Bytes are exact.`,
    ...leftOut.map(({ tool, why }) => `The tool ${oneLine(tool)} is not offered: ${oneLine(why)}.`),
    ...notes.map(oneLine),
  ];
}
