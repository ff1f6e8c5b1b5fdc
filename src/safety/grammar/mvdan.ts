/** The parser of mvdan/sh, as far as it is used: its nodes give their fields through accessors that end with the thread. */
import { createRequire } from 'node:module';

export interface Node {
  Pos(): { Offset(): number };
  End(): { Offset(): number };
  Value?: string;
  Op: number;
  [field: string]: unknown;
}

interface Syntax {
  NewParser(): { Parse(source: string, name: string): Node };
  NodeType(node: Node): string;
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
/** `${name@P}` and its like. */
export const transformOperator = 84;

export interface Mvdan {
  parse(source: string): Node;
  typeOf(node: Node): string;
}

/** Takes about 70 milliseconds and 20 MB. `parse` throws for what isn't valid. */
export function loadMvdan(): Mvdan {
  const { syntax } = createRequire(import.meta.url)('mvdan-sh') as { syntax: Syntax };
  const parser = syntax.NewParser();
  return { parse: (source) => parser.Parse(source, ''), typeOf: (node) => syntax.NodeType(node) };
}

export function childOf(node: Node, field: string): Node | undefined {
  return (node[field] as Node | null | undefined) ?? undefined;
}

export function childrenOf(node: Node, field: string): Node[] {
  return (node[field] as Node[] | null | undefined) ?? [];
}

/** The text of a field that holds a literal. */
export function literalOf(node: Node, field: string): string | undefined {
  return childOf(node, field)?.Value;
}

export function isSet(node: Node, field: string): boolean {
  return node[field] === true;
}
