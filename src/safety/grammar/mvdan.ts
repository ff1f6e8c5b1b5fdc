/**
 * The parser of mvdan/sh, as far as it is used. Its nodes are the values of a Go program that was compiled to JavaScript (GopherJS),
 * read as they lie in memory: the accessors that it has for JavaScript make a copy of all that is below at each step, which takes
 * twenty times as long. The version is pinned, and tests cover each kind of node.
 */
import { createRequire } from 'node:module';

interface Position {
  offs: number;
  lineCol: number;
}

/** A struct behind a pointer, with its fields under their names in Go. */
export interface Node {
  Pos(): Position;
  End(): Position;
  Op: number;
  [field: string]: unknown;
}

interface Syntax {
  NewParser(): { Parse(source: string, name: string): { __internal_object__: Node } };
}

/** A slice of Go. */
interface Slice {
  $array: Node[];
  $offset: number;
  $length: number;
}

/** Numbers of its tokens, as version 0.10.1 gives them. */
export const chainOperators: { readonly [op: number]: '&&' | '||' | '|' | '|&' } = {
  10: '&&',
  11: '||',
  12: '|',
  13: '|&',
};
export const redirectionOperators: { readonly [op: number]: string } = {
  54: '>',
  55: '>>',
  56: '<',
  57: '<>',
  58: '<&',
  59: '>&',
  60: '>|',
  61: '<<',
  62: '<<-',
  63: '<<<',
  64: '&>',
  65: '&>>',
};
export const fallbackOperators: { readonly [op: number]: '-' | ':-' | '=' | ':=' | '+' | ':+' } = {
  68: '+',
  69: ':+',
  70: '-',
  71: ':-',
  74: '=',
  75: ':=',
};
export const trimOperators: { readonly [op: number]: string } = { 76: '%', 77: '%%', 78: '#', 79: '##' };
/** `${name@P}` and its like. */
export const transformOperator = 84;

/** Takes about 70 milliseconds and 20 MB. What it gives throws for what isn't valid. */
export function loadMvdan(): (source: string) => Node {
  const { syntax } = createRequire(import.meta.url)('mvdan-sh') as { syntax: Syntax };
  const parser = syntax.NewParser();
  return (source) => parser.Parse(source, '').__internal_object__;
}

/** The name of its type, like `CallExpr`. */
export function typeOf(node: Node): string {
  return goType(node)?.string?.replace('*syntax.', '') ?? '';
}

function goType(value: unknown): { string?: string; nil?: unknown } | undefined {
  return typeof value === 'object' && value !== null
    ? (value.constructor as { string?: string; nil?: unknown })
    : undefined;
}

/** Undefined for a pointer or interface without a value. */
export function childOf(node: Node, field: string): Node | undefined {
  const value = node[field];
  const type = goType(value);
  return type?.string?.startsWith('*') === true && value !== type.nil ? (value as Node) : undefined;
}

export function childrenOf(node: Node, field: string): Node[] {
  const slice = node[field] as Slice | undefined;
  return slice === undefined ? [] : slice.$array.slice(slice.$offset, slice.$offset + slice.$length);
}

/** Its first and last byte in the source. */
export function startOf(node: Node): number {
  return node.Pos().offs;
}

export function endOf(node: Node): number {
  return node.End().offs;
}

/** Whether a position is set. */
export function isPlaced(node: Node, field: string): boolean {
  return ((node[field] as Position | undefined)?.lineCol ?? 0) > 0;
}

/** The text of a literal: a string of Go is one of bytes. */
export function valueOf(node: Node): string {
  const bytes = typeof node['Value'] === 'string' ? node['Value'] : '';
  return /^[\0-\x7f]*$/.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The text of a field that holds a literal. */
export function literalOf(node: Node, field: string): string | undefined {
  const literal = childOf(node, field);
  return literal === undefined ? undefined : valueOf(literal);
}

export function isSet(node: Node, field: string): boolean {
  return node[field] === true;
}
