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

/** By code, for those that are ASCII: a text is gone through backwards for each piece of it. */
const isDivider = Uint8Array.from({ length: 128 }, (_, code) => (dividers.test(String.fromCharCode(code)) ? 1 : 0));

const longestBeginning = Math.max(...opening.map(({ length }) => length));

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
  // What is further back than the longest secret is decided already.
  const first = Math.max(from, text.length - longestShape);
  let start = text.length;
  while (start > first && isDivider[text.charCodeAt(start - 1)] !== 1) start -= 1;
  const sure = known.pending(text, start);
  if (!withShapes || start === text.length) return Math.max(from, sure);
  const isHeld = isBeginning(text) || anchors.has(text.slice(Math.max(0, start - longestContext)));
  const held = isHeld ? Math.max(start, text.length - longestShape) : text.length;
  return Math.max(from, Math.min(sure, held));
}

/** Whether the text ends in a part of a beginning, or of the mark of a key. */
function isBeginning(text: string): boolean {
  for (let length = 1; length <= longestBeginning; length += 1) {
    if (!unfinished.has(text.slice(-length))) continue;
    if (!/[A-Za-z0-9_-]/.test(text[text.length - length - 1] ?? '')) return true;
  }
  return /-{1,5}(?:B(?:E(?:G(?:IN?)?)?)?)?$/.test(text.slice(-10));
}
