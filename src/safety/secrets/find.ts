/** All secrets of a text: known values, shapes, and keys in blocks. */
import { keyBlockAt, keyBlockBegins } from './key-block.ts';
import type { KnownValues, Span } from './known.ts';
import { dividers, longestContext, longestShape, shapes, type Shape } from './shapes.ts';

const anchors = new RegExp([keyBlockBegins, ...shapes.map(({ begins }) => begins)].join('|'), 'g');
const literals = shapes.flatMap((shape) => shape.literals ?? []);
const beginnings = new Set(literals.flatMap((text) => Array.from(text, (_, index) => text.slice(0, index + 1))));
const byAnchor = new Map<string, readonly Shape[]>();

export interface Finding {
  /** In rising order; they may overlap. */
  spans: Span[];
  /** A block that isn't there whole yet begins here. */
  open: number | undefined;
}

/** The secrets that end behind `from`. What stands before it is only looked at. */
export function findSecrets(text: string, from: number, known: KnownValues, withShapes: boolean): Finding {
  const spans = known.find(text, from);
  const open = withShapes ? addShapes(text, from, spans) : undefined;
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  return { spans, open };
}

function addShapes(text: string, from: number, spans: Span[]): number | undefined {
  let open: number | undefined;
  // Where the context was cut, its first character is only there to be looked at: whether a word begins behind it.
  anchors.lastIndex = from > longestContext ? 1 : 0;
  for (let hit = anchors.exec(text); hit !== null; hit = anchors.exec(text)) {
    const [anchor] = hit;
    if (anchor === keyBlockBegins) {
      const block = keyBlockAt(text, hit.index);
      if (block === undefined || hit.index < from) continue;
      spans.push(...block.spans);
      if (block.open) open ??= hit.index;
      continue;
    }
    for (const shape of shapesOf(anchor)) {
      const span = spanOf(shape, text, hit.index);
      if (span !== undefined && span.end > from) spans.push(span);
    }
  }
  return open;
}

function shapesOf(anchor: string): readonly Shape[] {
  const found = byAnchor.get(anchor) ?? shapes.filter(({ begins }) => new RegExp(`^(?:${begins})$`).test(anchor));
  byAnchor.set(anchor, found);
  return found;
}

function spanOf({ pattern, proof, kind }: Shape, text: string, at: number): Span | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const secret = match.groups?.['secret'] ?? match.groups?.['plain'] ?? match[0];
  if (proof?.(secret) === false) return undefined;
  // The secret is the last of the match where it is not all of it, but for what closes it.
  const start = at + match[0].lastIndexOf(secret);
  return { start, end: start + secret.length, kind };
}

/** Up to where a text can be taken as it is, whatever follows it. What stands before `from` was taken before. */
export function boundary(text: string, from: number, known: KnownValues, withShapes: boolean): number {
  let start = text.length;
  while (start > from && !dividers.test(text[start - 1] ?? '')) start -= 1;
  const sure = known.pending(text, start);
  if (!withShapes || start === text.length) return Math.max(from, sure);
  const isHeld = isBeginning(text, start) || hasAnchor(text.slice(Math.max(0, start - longestContext)));
  const held = isHeld ? Math.max(start, text.length - longestShape) : text.length;
  return Math.max(from, Math.min(sure, held));
}

function isBeginning(text: string, start: number): boolean {
  const last = /(?<![A-Za-z0-9_-])[A-Za-z0-9_.-]{1,20}$/.exec(text.slice(Math.max(start, text.length - 21)))?.[0];
  return (last !== undefined && beginnings.has(last)) || /-{1,5}(?:B(?:E(?:G(?:IN?)?)?)?)?$/.test(text.slice(-10));
}

function hasAnchor(text: string): boolean {
  anchors.lastIndex = 0;
  return anchors.test(text);
}
