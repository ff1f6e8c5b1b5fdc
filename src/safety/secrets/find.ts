/** All secrets of a text: known values, shapes, and keys in blocks. */
import { keyBlockAt, keyBlockBegins } from './key-block.ts';
import { KnownValues, type Span } from './known.ts';
import { dividers, longestContext, longestShape, shapes, type Shape } from './shapes.ts';

const byBeginning = new Map<string, Shape[]>();
for (const shape of shapes) {
  for (const text of shape.begins) byBeginning.set(text, [...(byBeginning.get(text) ?? []), shape]);
}
const anchors = new KnownValues([...byBeginning.keys(), keyBlockBegins].map((text) => ({ text, kind: text })));
const opening = shapes.filter(({ opens }) => opens).flatMap(({ begins }) => begins);
const unfinished = new Set(opening.flatMap((text) => Array.from(text, (_, index) => text.slice(0, index + 1))));

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
  for (const { start, kind } of anchors.find(text, from > longestContext ? 1 : 0)) {
    if (kind === keyBlockBegins) {
      const block = start < from ? undefined : keyBlockAt(text, start);
      spans.push(...(block?.spans ?? []));
      if (block?.open) open ??= start;
      continue;
    }
    for (const shape of byBeginning.get(kind) ?? []) {
      const span = spanOf(shape, text, start);
      if (span !== undefined && span.end > from) spans.push(span);
    }
  }
  return open;
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
  const isHeld = isBeginning(text, start) || anchors.has(text.slice(Math.max(0, start - longestContext)));
  const held = isHeld ? Math.max(start, text.length - longestShape) : text.length;
  return Math.max(from, Math.min(sure, held));
}

function isBeginning(text: string, start: number): boolean {
  const last = /(?<![A-Za-z0-9_-])[A-Za-z0-9_.-]{1,20}$/.exec(text.slice(Math.max(start, text.length - 21)))?.[0];
  return (last !== undefined && unfinished.has(last)) || /-{1,5}(?:B(?:E(?:G(?:IN?)?)?)?)?$/.test(text.slice(-10));
}
