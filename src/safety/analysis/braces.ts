/** Brace expansion: `{a,b}` and `{1..3}` in a word, on its pieces. */
import type { Piece } from '../grammar/index.ts';

/** A word that would become more is left to be unknown. */
const bracesAtMost = 64;
const groupsAtMost = 40;

/** One character outside quotes, or a piece that braces pass over. */
type Atom = string | Piece;

/** The words that a word becomes, each as its pieces; undefined for too many. */
export function expandBraces(pieces: readonly Piece[]): Piece[][] | undefined {
  const mayHold = pieces.some((piece) => piece.kind === 'text' && !piece.quoted && piece.text.includes('{'));
  if (!mayHold) return [[...pieces]];
  const atoms = pieces.flatMap(atomsOf);
  if (atoms.filter((atom) => atom === '{').length > groupsAtMost) return undefined;
  const expanded = expand(atoms);
  if (expanded === undefined) return undefined;
  return expanded.map(piecesOf);
}

function atomsOf(piece: Piece): Atom[] {
  return piece.kind === 'text' && !piece.quoted ? Array.from(piece.text) : [piece];
}

function piecesOf(atoms: Atom[]): Piece[] {
  const pieces: Piece[] = [];
  for (const atom of atoms) {
    const last = pieces.at(-1);
    if (typeof atom !== 'string') pieces.push(atom);
    else if (last?.kind === 'text' && !last.quoted) pieces[pieces.length - 1] = { ...last, text: last.text + atom };
    else pieces.push({ kind: 'text', text: atom, quoted: false });
  }
  return pieces;
}

function expand(atoms: Atom[]): Atom[][] | undefined {
  for (let at = 0; at < atoms.length; at += 1) {
    if (atoms[at] !== '{') continue;
    const group = groupAt(atoms, at);
    if (group === undefined) continue;
    const tails = expand(atoms.slice(group.end + 1));
    const choices = tails === undefined ? undefined : choicesOf(group.items);
    if (tails === undefined || choices === undefined || choices.length * tails.length > bracesAtMost) return undefined;
    const head = atoms.slice(0, at);
    return choices.flatMap((choice) => tails.map((tail) => [...head, ...choice, ...tail]));
  }
  return [atoms];
}

/** A group that is one: closed, with a comma or a range in it. */
function groupAt(atoms: Atom[], start: number): { items: Atom[][]; end: number } | undefined {
  const items: Atom[][] = [[]];
  let depth = 0;
  for (let at = start + 1; at < atoms.length; at += 1) {
    const atom = atoms[at] ?? '';
    if (atom === '}' && depth === 0) {
      const range = items.length === 1 ? rangeOf(items[0] ?? []) : undefined;
      if (range !== undefined) return { items: range, end: at };
      return items.length > 1 ? { items, end: at } : undefined;
    }
    if (atom === '{') depth += 1;
    if (atom === '}') depth -= 1;
    if (atom === ',' && depth === 0) items.push([]);
    else items.at(-1)?.push(atom);
  }
  return undefined;
}

/** `1..3`, `a..c`, each also with a step; more than is wanted gives as many as are too many. */
function rangeOf(atoms: Atom[]): Atom[][] | undefined {
  if (!atoms.every((atom) => typeof atom === 'string')) return undefined;
  const [, first, last, step = '1'] =
    /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(atoms.join('')) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const isLetters = /[A-Za-z]/.test(first);
  if (isLetters !== /[A-Za-z]/.test(last)) return undefined;
  const [from, to] = isLetters ? [first.charCodeAt(0), last.charCodeAt(0)] : [Number(first), Number(last)];
  const by = Math.max(1, Math.abs(Number(step)));
  const isPadded = !isLetters && [first, last].some((end) => /^-?0\d/.test(end));
  const width = isPadded ? Math.max(first.length, last.length) : 0;
  const count = Math.min(Math.floor(Math.abs(to - from) / by) + 1, bracesAtMost + 1);
  return Array.from({ length: count }, (_, index) => {
    const value = from + index * by * (to < from ? -1 : 1);
    if (isLetters) return [String.fromCharCode(value)];
    const sign = value < 0 ? '-' : '';
    return Array.from(sign + String(Math.abs(value)).padStart(width - sign.length, '0'));
  });
}

function choicesOf(items: Atom[][]): Atom[][] | undefined {
  const all: Atom[][] = [];
  for (const item of items) {
    const expanded = expand(item);
    if (expanded === undefined) return undefined;
    all.push(...expanded);
    if (all.length > bracesAtMost) return undefined;
  }
  return all;
}
