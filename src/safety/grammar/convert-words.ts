/** Words of mvdan/sh as plain data. */
import { ansiText, quotedText, unquotedPieces } from './escapes.ts';
import {
  childOf,
  childrenOf,
  endOf,
  fallbackOperators,
  isSet,
  literalOf,
  startOf,
  transformOperator,
  trimOperators,
  typeOf,
  valueOf,
  type Node,
} from './mvdan.ts';
import type { Arithmetic, Piece, Statement, Word } from './tree.ts';

/** What the conversion of words needs of its surroundings. */
export interface Conversion {
  /** As it is written, from and to byte offsets. */
  slice: (start: number, end: number) => string;
  statements: (nodes: Node[]) => Statement[];
}

export function sourceOf(node: Node, { slice }: Conversion): string {
  return slice(startOf(node), endOf(node));
}

export function wordOf(node: Node, conversion: Conversion): Word {
  return {
    source: sourceOf(node, conversion),
    pieces: childrenOf(node, 'Parts').flatMap((part) => piecesOf(part, false, conversion)),
  };
}

/** The text of a heredoc: nothing in it is split, and with a quoted delimiter nothing in it is expanded. */
export function heredocOf(node: Node, isQuoted: boolean, conversion: Conversion): Word {
  const pieces = childrenOf(node, 'Parts').flatMap((part): Piece[] => {
    if (typeOf(part) !== 'Lit') return piecesOf(part, true, conversion);
    const text = valueOf(part);
    return [{ kind: 'text', text: isQuoted ? text : quotedText(text, true), quoted: true }];
  });
  return { source: '', pieces };
}

function piecesOf(node: Node, quoted: boolean, conversion: Conversion): Piece[] {
  const opaque: Piece = { kind: 'opaque', quoted, words: [] };
  switch (typeOf(node)) {
    case 'Lit':
      if (!quoted) return unquotedPieces(valueOf(node));
      return [{ kind: 'text', text: quotedText(valueOf(node), false), quoted }];
    case 'SglQuoted': {
      const text = isSet(node, 'Dollar') ? ansiText(valueOf(node)) : valueOf(node);
      return [text === undefined ? { ...opaque, quoted: true } : { kind: 'text', text, quoted: true }];
    }
    case 'DblQuoted': {
      const parts = childrenOf(node, 'Parts').flatMap((part) => piecesOf(part, true, conversion));
      return parts.length === 0 ? [{ kind: 'text', text: '', quoted: true }] : parts;
    }
    case 'ParamExp':
      return [expansionOf(node, quoted, conversion)];
    case 'CmdSubst':
      return [substitutionOf(node, quoted, conversion)];
    case 'ProcSubst': {
      const as = sourceOf(node, conversion).startsWith('>') ? '>(...)' : '<(...)';
      return [{ kind: 'substitution', as, quoted: true, body: conversion.statements(childrenOf(node, 'Stmts')) }];
    }
    case 'ArithmExp':
      return [{ kind: 'arithmetic', quoted, expression: arithmeticOf(childOf(node, 'X'), conversion) }];
    case 'ExtGlob':
      return [{ kind: 'pattern', source: sourceOf(node, conversion) }];
    default:
      return [opaque];
  }
}

function substitutionOf(node: Node, quoted: boolean, conversion: Conversion): Piece {
  const source = sourceOf(node, conversion);
  const body = conversion.statements(childrenOf(node, 'Stmts'));
  // Between backquotes, a backslash means something else before the text is read as a command.
  if (source.startsWith('`') && source.includes('\\')) throw new Error('backslashes between backquotes');
  return { kind: 'substitution', as: source.startsWith('`') ? '`...`' : '$(...)', quoted, body };
}

function expansionOf(node: Node, quoted: boolean, conversion: Conversion): Piece {
  const name = literalOf(node, 'Param') ?? '';
  const index = childOf(node, 'Index');
  const exp = childOf(node, 'Exp');
  const isPlain =
    !isSet(node, 'Excl') &&
    !isSet(node, 'Length') &&
    !isSet(node, 'Width') &&
    index === undefined &&
    childOf(node, 'Slice') === undefined &&
    childOf(node, 'Repl') === undefined &&
    node['Names'] === 0;
  if (isPlain && exp === undefined) return { kind: 'variable', name, quoted };
  const operator = exp === undefined ? undefined : fallbackOperators[exp.Op];
  const operandNode = exp === undefined ? undefined : childOf(exp, 'Word');
  const operand = operandNode === undefined ? { source: '', pieces: [] } : wordOf(operandNode, conversion);
  if (isPlain && operator !== undefined) return { kind: 'variable', name, quoted, operator, operand };
  const words = [operand, ...wordsIn(node, conversion)];
  if (isSet(node, 'Length')) return { kind: 'opaque', quoted, words, isNumber: true };
  const evaluates = evaluationIn(node, exp, operand);
  const trim = exp === undefined ? undefined : trimOperators[exp.Op];
  const of = { name, operand, ...(trim !== undefined && { trim }) };
  return { kind: 'opaque', quoted, words, of, ...(evaluates !== undefined && { evaluates }) };
}

/** Words of an index, a slice or a replacement. */
function wordsIn(node: Node, conversion: Conversion): Word[] {
  const slice = childOf(node, 'Slice');
  const replacement = childOf(node, 'Repl');
  const numbers = [
    childOf(node, 'Index'),
    ...(slice === undefined ? [] : [childOf(slice, 'Offset'), childOf(slice, 'Length')]),
  ];
  const texts = replacement === undefined ? [] : [childOf(replacement, 'Orig'), childOf(replacement, 'With')];
  return [
    ...numbers.map((number): Word => ({
      source: '',
      pieces: [{ kind: 'arithmetic', quoted: true, expression: arithmeticOf(number, conversion) }],
    })),
    ...texts.flatMap((text) => (text === undefined ? [] : [wordOf(text, conversion)])),
  ];
}

/** `${x@P}` expands the value as a prompt, commands in it included; `${!x}` may name an element whose index is a command. */
function evaluationIn(node: Node, exp: Node | undefined, operand: Word): string | undefined {
  if (exp?.Op === transformOperator && operand.source === 'P') return 'an expansion as a prompt (`@P`)';
  if (isSet(node, 'Excl') && node['Names'] === 0 && childOf(node, 'Index') === undefined)
    return 'an expansion by a name in a variable (`${!...}`)';
  return undefined;
}

/** An expression taken apart into names and words. */
export function arithmeticOf(node: Node | undefined, conversion: Conversion): Arithmetic {
  const found: Arithmetic = { names: [], sets: [], words: [] };
  if (node !== undefined) gather(node, conversion, found);
  return found;
}

function gather(node: Node, conversion: Conversion, found: Arithmetic): void {
  switch (typeOf(node)) {
    case 'BinaryArithm': {
      const [left, right] = [childOf(node, 'X'), childOf(node, 'Y')];
      const operator = left === undefined || right === undefined ? '' : conversion.slice(endOf(left), startOf(right));
      if (left !== undefined && /(?:^|[^=!<>])=(?!=)|<<=|>>=/.test(operator))
        found.sets.push(sourceOf(left, conversion));
      for (const side of [left, right]) if (side !== undefined) gather(side, conversion, found);
      return;
    }
    case 'UnaryArithm':
    case 'ParenArithm': {
      const inner = childOf(node, 'X');
      if (inner === undefined) return;
      if (typeOf(node) === 'UnaryArithm') found.sets.push(sourceOf(inner, conversion));
      gather(inner, conversion, found);
      return;
    }
    default: {
      const word = wordOf(node, conversion);
      if (/^[A-Za-z_]\w*$/.test(word.source)) found.names.push(word.source);
      else if (!/^[0-9]+$/.test(word.source)) found.words.push(word);
    }
  }
}
