/** The pieces of a request put together as layers, and a total shared out among them. */
import { imageSize } from '../core/index.ts';
import type { Piece, PieceKind } from './sent-pieces.ts';

/** A piece with its share of the tokens. */
export interface CountedPiece {
  name: string;
  bytes: number;
  tokens: number;
}

export interface SentLayer<Kind extends string = PieceKind> {
  kind: Kind;
  /** How many things it holds. */
  count: number;
  bytes: number;
  tokens: number;
  /** Its largest pieces, the largest first. */
  largest: CountedPiece[];
}

/** Bytes of text that a piece counts as. */
export function weightOf({ kind, bytes, count }: Omit<Piece, 'kind'> & { kind: string }): number {
  return kind === 'images' && count === 1 ? imageSize : bytes;
}

/** A whole number shared out by weights, so that the shares add up to it. */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  let before = 0;
  let given = 0;
  return weights.map((weight) => {
    before += weight;
    const share = Math.round((total * before) / sum) - given;
    given += share;
    return share;
  });
}

/** The layers of pieces in the order of their first one, each with so many of its largest pieces as `most` says. */
export function layersOf<Kind extends string>(
  pieces: readonly (Omit<Piece, 'kind'> & { kind: Kind; tokens: number })[],
  most: (kind: Kind) => number,
): SentLayer<Kind>[] {
  const layers = new Map<Kind, SentLayer<Kind>>();
  for (const { kind, name, bytes, tokens, count } of pieces) {
    const layer = layers.get(kind) ?? { kind, count: 0, bytes: 0, tokens: 0, largest: [] };
    layers.set(kind, layer);
    layer.count += count;
    layer.bytes += bytes;
    layer.tokens += tokens;
    if (count === 1) layer.largest.push({ name, bytes, tokens });
  }
  return [...layers.values()].map((layer) => {
    const sorted = layer.largest.toSorted((a, b) => b.tokens - a.tokens);
    return { ...layer, largest: sorted.slice(0, most(layer.kind)) };
  });
}
