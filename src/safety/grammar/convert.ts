/** The tree of mvdan/sh as plain data. */
import { arithmeticOf, heredocOf, sourceOf, wordOf, type Conversion } from './convert-words.ts';
import {
  childOf,
  childrenOf,
  chainOperators,
  endOf,
  isPlaced,
  isSet,
  literalOf,
  redirectionOperators,
  startOf,
  typeOf,
  valueOf,
  type Node,
} from './mvdan.ts';
import type { Arithmetic, Assignment, Command, Statement, TreeRedirection, Word } from './tree.ts';

/** Throws for what it has no words for. */
export function convert(file: Node, source: string): Statement[] {
  const bytes = /^[\0-\x7f]*$/.test(source) ? undefined : Buffer.from(source);
  const conversion: Conversion = {
    slice: (start, end) => bytes?.toString('utf8', start, end) ?? source.slice(start, end),
    statements: (nodes) => nodes.map((node) => statementOf(node, conversion)),
  };
  return conversion.statements(childrenOf(file, 'Stmts'));
}

function statementOf(node: Node, conversion: Conversion): Statement {
  const command = childOf(node, 'Cmd');
  const redirects = childrenOf(node, 'Redirs');
  if (isSet(node, 'Coprocess')) throw new Error('a coprocess');
  const converted = command === undefined ? undefined : commandOf(command, conversion);
  const holds = converted !== undefined && !/^(?:simple|declaration|test|arithmetic)$/.test(converted.kind);
  return {
    text: holds ? '' : textOf(command, redirects, conversion),
    redirections: redirects.map((redirect) => redirectionOf(redirect, conversion)),
    ...(isSet(node, 'Background') && { background: true as const }),
    ...(isSet(node, 'Negated') && { negated: true as const }),
    ...(converted !== undefined && { command: converted }),
  };
}

/** A command with its redirections, without the texts of heredocs. */
function textOf(command: Node | undefined, redirects: Node[], { slice }: Conversion): string {
  const words = redirects.flatMap((redirect) => childOf(redirect, 'Word') ?? []);
  const starts = [command, ...redirects].flatMap((node) => (node === undefined ? [] : startOf(node)));
  const ends = [command, ...words].flatMap((node) => (node === undefined ? [] : endOf(node)));
  return slice(Math.min(...starts), Math.max(...ends));
}

function redirectionOf(node: Node, conversion: Conversion): TreeRedirection {
  const operator = redirectionOperators[node.Op];
  const target = childOf(node, 'Word');
  if (operator === undefined || target === undefined) throw new Error('an unknown redirection');
  if (literalOf(node, 'N')?.startsWith('{') === true) throw new Error('a redirection that sets a variable');
  const body = childOf(node, 'Hdoc');
  const word = wordOf(target, conversion);
  if (!operator.startsWith('<<') || operator === '<<<') return { operator, target: word };
  const isQuoted = /['"\\]/.test(word.source);
  return {
    operator,
    target: word,
    body: body === undefined ? { source: '', pieces: [] } : heredocOf(body, isQuoted, conversion),
  };
}

function commandOf(node: Node, conversion: Conversion): Command {
  const { statements } = conversion;
  const body = (field: string): Statement[] => statements(childrenOf(node, field));
  const words = (field: string): Word[] => childrenOf(node, field).map((word) => wordOf(word, conversion));
  switch (typeOf(node)) {
    case 'CallExpr':
      return {
        kind: 'simple',
        assignments: childrenOf(node, 'Assigns').map((each) => assignmentOf(each, conversion)),
        words: words('Args'),
      };
    case 'DeclClause':
      return declarationOf(node, conversion);
    case 'BinaryCmd':
      return chainOf(node, conversion);
    case 'Block':
      return { kind: 'group', body: body('Stmts') };
    case 'Subshell':
      return { kind: 'subshell', body: body('Stmts') };
    case 'IfClause':
      return { kind: 'if', branches: branchesOf(node, conversion) };
    case 'WhileClause':
      return { kind: 'loop', words: [], head: body('Cond'), expressions: [], body: body('Do') };
    case 'ForClause':
      return loopOf(node, conversion);
    case 'CaseClause':
      return caseOf(node, conversion);
    case 'FuncDecl':
      return {
        kind: 'function',
        name: literalOf(node, 'Name') ?? '',
        body: statementOf(required(node, 'Body'), conversion),
      };
    case 'ArithmCmd':
      return { kind: 'arithmetic', expression: arithmeticOf(childOf(node, 'X'), conversion) };
    case 'LetClause':
      return {
        kind: 'arithmetic',
        isLet: true,
        expression: joined(childrenOf(node, 'Exprs').map((each) => arithmeticOf(each, conversion))),
      };
    case 'TestClause':
      return testOf(node, conversion);
    case 'TimeClause': {
      const timed = childOf(node, 'Stmt');
      return { kind: 'time', ...(timed !== undefined && { statement: statementOf(timed, conversion) }) };
    }
    case 'CoprocClause':
      return { kind: 'coproc', statement: statementOf(required(node, 'Stmt'), conversion) };
    default:
      throw new Error(`a ${typeOf(node)}`);
  }
}

function required(node: Node, field: string): Node {
  const child = childOf(node, field);
  if (child === undefined) throw new Error(`no ${field}`);
  return child;
}

function chainOf(node: Node, conversion: Conversion): Command {
  const operator = chainOperators[node.Op];
  if (operator === undefined) throw new Error('an unknown operator');
  const [left, right] = [required(node, 'X'), required(node, 'Y')];
  return { kind: 'chain', operator, left: statementOf(left, conversion), right: statementOf(right, conversion) };
}

function branchesOf(node: Node, conversion: Conversion): { condition: Statement[]; body: Statement[] }[] {
  const condition = conversion.statements(childrenOf(node, 'Cond'));
  const branch = { condition, body: conversion.statements(childrenOf(node, 'Then')) };
  const otherwise = childOf(node, 'Else');
  return otherwise === undefined ? [branch] : [branch, ...branchesOf(otherwise, conversion)];
}

function loopOf(node: Node, conversion: Conversion): Command {
  const head = required(node, 'Loop');
  const body = conversion.statements(childrenOf(node, 'Do'));
  if (typeOf(head) === 'CStyleLoop') {
    const expressions = ['Init', 'Cond', 'Post'].map((field) => arithmeticOf(childOf(head, field), conversion));
    return { kind: 'loop', words: [], head: [], expressions, body };
  }
  const variable = literalOf(head, 'Name') ?? '';
  const items = childrenOf(head, 'Items').map((word) => wordOf(word, conversion));
  // Without `in`, it goes through the arguments.
  const isList = items.length > 0 || isPlaced(head, 'InPos');
  return { kind: 'loop', variable, ...(isList && { words: items }), head: [], expressions: [], body };
}

function caseOf(node: Node, conversion: Conversion): Command {
  const items = childrenOf(node, 'Items').map((item) => ({
    patterns: childrenOf(item, 'Patterns').map((pattern) => wordOf(pattern, conversion)),
    body: conversion.statements(childrenOf(item, 'Stmts')),
  }));
  return { kind: 'case', word: wordOf(required(node, 'Word'), conversion), items };
}

function declarationOf(node: Node, conversion: Conversion): Command {
  const variant = required(node, 'Variant');
  const text = valueOf(variant);
  const args = childrenOf(node, 'Args');
  const isWord = (arg: Node): boolean => isSet(arg, 'Naked');
  return {
    kind: 'declaration',
    program: { source: text, pieces: [{ kind: 'text', text, quoted: false }] },
    assignments: args.filter((arg) => !isWord(arg)).map((arg) => assignmentOf(arg, conversion)),
    words: args.filter(isWord).flatMap((arg): Word[] => {
      const value = childOf(arg, 'Value');
      if (value !== undefined) return [wordOf(value, conversion)];
      const source = literalOf(arg, 'Name') ?? '';
      return [{ source, pieces: [{ kind: 'text', text: source, quoted: false }] }];
    }),
  };
}

function assignmentOf(node: Node, conversion: Conversion): Assignment {
  const value = childOf(node, 'Value');
  const index = childOf(node, 'Index');
  const array = childOf(node, 'Array');
  const elements =
    array === undefined ? undefined : childrenOf(array, 'Elems').flatMap((element) => elementOf(element, conversion));
  return {
    name: literalOf(node, 'Name') ?? '',
    ...(isSet(node, 'Append') && { append: true as const }),
    ...(value !== undefined && { value: wordOf(value, conversion) }),
    ...(index !== undefined && { index: arithmeticOf(index, conversion) }),
    ...(elements !== undefined && { elements }),
  };
}

function elementOf(node: Node, conversion: Conversion): Word[] {
  const [index, value] = [childOf(node, 'Index'), childOf(node, 'Value')];
  const words = value === undefined ? [] : [wordOf(value, conversion)];
  if (index === undefined) return words;
  return [
    ...words,
    {
      source: sourceOf(index, conversion),
      pieces: [{ kind: 'arithmetic', quoted: true, expression: arithmeticOf(index, conversion) }],
    },
  ];
}

/** Operators of `[[ ]]` that read both sides as arithmetic. */
const numericOperator = /^\s*-(?:eq|ne|lt|le|gt|ge)\s*$/;

function testOf(node: Node, conversion: Conversion): Command {
  const words: Word[] = [];
  const numeric: Arithmetic = { names: [], sets: [], words: [] };
  const walk = (part: Node | undefined): void => {
    if (part === undefined) return;
    const type = typeOf(part);
    if (type === 'Word') {
      words.push(wordOf(part, conversion));
      return;
    }
    const [left, right] = [childOf(part, 'X'), childOf(part, 'Y')];
    if (type === 'BinaryTest' && left !== undefined && right !== undefined) {
      const operator = conversion.slice(endOf(left), startOf(right));
      if (numericOperator.test(operator)) {
        const sides = joined([arithmeticOf(left, conversion), arithmeticOf(right, conversion)]);
        numeric.names.push(...sides.names);
        numeric.words.push(...sides.words);
        return;
      }
    }
    // `-v name[index]`, `-R`: the index is evaluated.
    if (type === 'UnaryTest' && left !== undefined && /^-[vR]\s/.test(sourceOf(part, conversion))) {
      numeric.words.push(wordOf(left, conversion));
      return;
    }
    walk(left);
    walk(right);
  };
  walk(childOf(node, 'X'));
  return { kind: 'test', words, numeric };
}

function joined(parts: Arithmetic[]): Arithmetic {
  return {
    names: parts.flatMap(({ names }) => names),
    sets: parts.flatMap(({ sets }) => sets),
    words: parts.flatMap(({ words }) => words),
  };
}
