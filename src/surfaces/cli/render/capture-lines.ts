/** What some program sent, as tables for people: the first request beside the last, and all of them one below the other. */
import { grouped, type AuditedRequest, type CaptureAudit } from '../../../harness/index.ts';
import { clip, oneLine } from '../printable.ts';
import { about, kindName, mostNamed, pieceName } from './layer-names.ts';
import type { Style } from './style.ts';
import { nothing, tableLines, wrapped } from './table.ts';

type Layer = AuditedRequest['layers'][number];

export function captureLines({ requests }: CaptureAudit, style: Style): string[] {
  const read = requests.filter((request) => 'layers' in request);
  const [first, last] = [read[0], read.at(-1)];
  if (first === undefined || last === undefined)
    return ['No request was captured.', ...requests.map((each) => clip(unreadLine(each), style.width))];
  const compared = first === last ? [last] : [first, last];
  const [head = '', ...layers] = tableLines(layerRows(compared), style.width);
  return [
    style.dim(head),
    ...layers,
    '',
    ...requestLines(requests, style),
    '',
    ...wrapped('Tokens (~) are a quarter of the characters, and a fixed number for an image.', style.width).map(
      style.dim,
    ),
  ];
}

function unreadLine(request: CaptureAudit['requests'][number]): string {
  return 'problem' in request ? `${request.number}  ${oneLine(request.problem)}` : '';
}

/** A column for each request, a row for each layer and its largest pieces. */
function layerRows(requests: readonly AuditedRequest[]): string[][] {
  const kinds = new Set(requests.toReversed().flatMap(({ layers }) => layers.map(({ kind }) => kind)));
  return [
    ['', ...requests.map(({ number }) => `request ${number}`)],
    ...[...kinds].flatMap((kind) =>
      kindRows(requests.map(({ layers }) => layers.find((layer) => layer.kind === kind))),
    ),
    ['total', ...requests.map(({ total }) => about(total))],
    ['bytes', ...requests.map(({ bytes }) => grouped(bytes))],
  ];
}

function kindRows(layers: readonly (Layer | undefined)[]): string[][] {
  const kind = layers.find((layer) => layer !== undefined)?.kind ?? 'other';
  const isWhole = kind === 'tools' || kind === 'system';
  const names = new Set(layers.toReversed().flatMap((layer) => (layer?.largest ?? []).map(({ name }) => name)));
  const shown = [...names].slice(0, isWhole ? undefined : mostNamed);
  const tokens = layers.map((layer) => tokensByName(layer));
  const cell = (layer: Layer | undefined): string =>
    layer === undefined ? nothing : `${grouped(layer.count)}: ${about(layer.tokens)}`;
  return [
    [kindName(kind), ...layers.map(cell)],
    ...shown.map((name) => [pieceName(name), ...tokens.map((known) => pieceCell(known.get(name)))]),
  ];
}

/** Of several pieces of one name the largest counts. */
function tokensByName(layer: Layer | undefined): Map<string, number> {
  return new Map(layer?.largest.map(({ name, tokens }): [string, number] => [name, tokens]).toReversed());
}

function pieceCell(tokens: number | undefined): string {
  return tokens === undefined ? nothing : about(tokens);
}

const header = ['request', 'tools', 'system', 'messages', 'total', 'prefix'];

function requestLines(requests: CaptureAudit['requests'], style: Style): string[] {
  const rows = requests.map((request) => ('layers' in request ? cellsOf(request) : [unreadLine(request)]));
  const [head = '', ...lines] = tableLines([header, ...rows], style.width);
  return [
    style.dim(head),
    ...requests.flatMap((request, at) => [
      lines[at] ?? '',
      ...('layers' in request ? breakNotes(request) : []).map((note) => style.warn(clip(note, style.width))),
    ]),
  ];
}

function cellsOf({ number, model, wire, tools, system, messages, total, extension }: AuditedRequest): string[] {
  return [
    `${number}  ${oneLine(model.slice(0, 200)) || wire}`,
    `${grouped(tools.count)}: ${about(tools.tokens)}`,
    about(system),
    about(messages),
    about(total),
    prefixText(number, extension),
  ];
}

function prefixText(number: number, extension: AuditedRequest['extension']): string {
  if (extension.prefix !== 'extends') return extension.prefix;
  return extension.before === number - 1 ? 'extends' : `extends ${extension.before}`;
}

const sections = { tools: 'tool', system: 'block of the system prompt', messages: 'block of the messages' };

function breakNotes({ extension }: AuditedRequest): string[] {
  if (extension.prefix === 'stored') return ['    it goes on from a stored reply: what came before is not in it'];
  if (extension.prefix !== 'broke') return [];
  const { of, part, name, at, tokens } = extension.broke;
  const what = oneLine(name.slice(0, 40));
  return [
    `    not as ${extension.before} from byte ${grouped(at)}, ${sections[of]} ${part}, ${about(tokens)} lost: ${what}`,
  ];
}
