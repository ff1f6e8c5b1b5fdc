/** What is in the body of a request that some program sent, told by the wire that its path names. No shape is trusted. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../core/index.ts';
import { PieceReader, shareOut, weightOf, type Piece } from '../observe/index.ts';
import { allDialects, type CanonicalPart } from './dialects/index.ts';

export interface SentBody {
  wire: 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';
  model: string;
  /** What a cache compares, in its order. */
  parts: readonly CanonicalPart[];
  /** The same taken apart by what it is, with estimated tokens. */
  pieces: readonly (Piece & { tokens: number })[];
  /** It goes on from a reply that the provider keeps: what came before isn't in it. */
  isStored: boolean;
}

/** Undefined for a path of no wire and for what isn't a JSON object. */
export function readSentBody(path: string, bytes: Uint8Array): SentBody | undefined {
  const dialect = allDialects().find((each) => each.route('POST', path) === 'reply');
  if (dialect === undefined) return undefined;
  try {
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
    const parts = dialect.canonical(body as JsonObject);
    const { model } = dialect.read(body as JsonObject, path);
    const isStored = typeof (body as JsonObject)['previous_response_id'] === 'string';
    return { wire: wireAt(path), model, parts, pieces: piecesOf(parts), isStored };
  } catch {
    return undefined; // no JSON, or nested deeper than it can be written again
  }
}

function wireAt(path: string): SentBody['wire'] {
  if (path.endsWith('/messages')) return 'anthropic';
  if (path.endsWith('/chat/completions')) return 'openai-chat';
  return path.endsWith('/responses') ? 'openai-responses' : 'gemini';
}

/** The tokens of a part are shared out among its pieces. */
function piecesOf(parts: readonly CanonicalPart[]): (Piece & { tokens: number })[] {
  const reader = new PieceReader();
  return parts.flatMap(({ of, text, tokens }) => {
    const role = roleOf(text);
    const pieces = reader.read({ of, role, text: text.slice(role.length) });
    const shares = shareOut(tokens, pieces.map(weightOf));
    return pieces.map((piece, at) => ({ ...piece, tokens: shares[at] ?? 0 }));
  });
}

/** The role that stands before the JSON of a part. */
function roleOf(text: string): string {
  return /^[A-Za-z_]*(?=["[{])/.exec(text)?.[0] ?? '';
}

/** How a request stands to those before it. */
export type Extension =
  | { prefix: 'first' }
  /** Number of the latest request that it extends. */
  | { prefix: 'extends'; before: number }
  | { prefix: 'broke'; before: number; broke: SequenceBreak };

/** Where a request stops being like the one before it. */
export interface SequenceBreak {
  of: CanonicalPart['of'];
  /** The first part that isn't as it was, from 1 within `of`. */
  part: number;
  /** What it is: the part of the one before, or what was put in before that. */
  name: string;
  /** The first byte that differs, in the sequence of tools, system and messages without marks. */
  at: number;
  /** Tokens of the one before from that part on: what a cache can't give any more. An estimate. */
  tokens: number;
}

/** Compares requests in the order in which they came. */
export class SequenceWatch {
  /** Requests by the hash of their whole sequence. */
  readonly #known = new Map<string, number>();
  #last: { number: number; parts: readonly CanonicalPart[] } | undefined;

  next(number: number, parts: readonly CanonicalPart[]): Extension {
    const last = this.#last;
    this.#last = { number, parts };
    let extended = last?.parts.length === 0 ? last.number : undefined;
    const hash = createHash('sha256');
    for (const { of, text } of parts) {
      // The length keeps two parts from being taken for one.
      hash.update(`${of} ${text.length} `).update(text);
      const found = this.#known.get(hash.copy().digest('base64'));
      if (found !== undefined && (extended === undefined || found > extended)) extended = found;
    }
    this.#known.set(hash.digest('base64'), number);
    if (last === undefined) return { prefix: 'first' };
    if (extended !== undefined) return { prefix: 'extends', before: extended };
    const broke = breakBetween(last.parts, parts);
    return { prefix: 'broke', before: last.number, broke };
  }
}

/** What comes first in a sequence is to blame: a tool that was put in before the first message, say. */
function breakBetween(earlier: readonly CanonicalPart[], later: readonly CanonicalPart[]): SequenceBreak {
  const found = earlier.findIndex((part, at) => part.text !== later[at]?.text || part.of !== later[at].of);
  const index = Math.max(0, found);
  const [was, is] = [earlier[index], later[index]];
  const isNew = is !== undefined && (was === undefined || order.indexOf(is.of) < order.indexOf(was.of));
  const { of, text } = (isNew ? is : was) ?? { of: 'messages' as const, text: '' };
  const role = roleOf(text);
  const [piece] = new PieceReader().read({ of, role, text: text.slice(role.length) });
  const same = later.slice(0, index);
  return {
    of,
    part: same.filter((each) => each.of === of).length + 1,
    name: piece?.name ?? '',
    at: same.reduce((sum, each) => sum + Buffer.byteLength(each.text), sameBytes(was?.text ?? '', is?.text ?? '')),
    tokens: earlier.slice(index).reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

const order: readonly CanonicalPart['of'][] = ['tools', 'system', 'messages'];

/** Bytes that two texts have in common from the start. */
function sameBytes(first: string, second: string): number {
  let same = 0;
  while (same < first.length && first[same] === second[same]) same += 1;
  return Buffer.byteLength(first.slice(0, same).toWellFormed());
}
