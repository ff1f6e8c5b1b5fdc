/** Goes through a tree: its commands' names, as the second opinion has them, too. */
import type { Arithmetic, Command, Piece, Statement, Word } from './tree.ts';

/** Reads names of commands that the other grammar has nodes of their own for, so that it can't be asked about them. */
const withoutName = new Set(['[', 'export', 'declare', 'typeset', 'local', 'readonly', 'nameref', 'unset', 'unsetenv']);

export function isComparedName(name: string): boolean {
  // Arithmetic with a command in it is a command to the other one, beside the one in it.
  return name !== '' && !name.startsWith('((') && !withoutName.has(name);
}

/** The names of all commands in a tree, as they are written. */
export function namesIn(statements: Statement[]): Set<string> {
  const names = new Set<string>();
  for (const statement of statements) visitStatement(statement, names);
  for (const name of names) if (!isComparedName(name)) names.delete(name);
  return names;
}

function visitAll(statements: Statement[], names: Set<string>): void {
  for (const statement of statements) visitStatement(statement, names);
}

function visitStatement({ command, redirections }: Statement, names: Set<string>): void {
  if (command !== undefined) visitCommand(command, names);
  for (const { target, body } of redirections) {
    visitWord(target, names);
    if (body !== undefined) visitWord(body, names);
  }
}

function visitCommand(command: Command, names: Set<string>): void {
  switch (command.kind) {
    case 'simple':
    case 'declaration':
      if (command.kind === 'simple' && command.words[0] !== undefined) names.add(command.words[0].source);
      for (const word of command.words) visitWord(word, names);
      for (const { value, elements = [], index } of command.assignments) {
        for (const word of [...(value === undefined ? [] : [value]), ...elements]) visitWord(word, names);
        if (index !== undefined) visitArithmetic(index, names);
      }
      return;
    case 'chain':
      visitStatement(command.left, names);
      return visitStatement(command.right, names);
    case 'group':
    case 'subshell':
      return visitAll(command.body, names);
    case 'if':
      for (const { condition, body } of command.branches) visitAll([...condition, ...body], names);
      return;
    case 'loop':
      for (const word of command.words ?? []) visitWord(word, names);
      for (const expression of command.expressions) visitArithmetic(expression, names);
      return visitAll([...command.head, ...command.body], names);
    case 'case':
      visitWord(command.word, names);
      for (const { patterns, body } of command.items) {
        for (const pattern of patterns) visitWord(pattern, names);
        visitAll(body, names);
      }
      return;
    case 'function':
      return visitStatement(command.body, names);
    case 'arithmetic':
      if (command.isLet === true) names.add('let');
      return visitArithmetic(command.expression, names);
    case 'test':
      for (const word of command.words) visitWord(word, names);
      return visitArithmetic(command.numeric, names);
    case 'time':
      return visitTimed(command.statement, names);
    case 'coproc':
      return visitStatement(command.statement, names);
  }
}

/** The other grammar takes `time` for a program, and what is timed for its arguments. */
function visitTimed(statement: Statement | undefined, names: Set<string>): void {
  names.add('time');
  const command = statement?.command;
  if (statement === undefined) return;
  if (command?.kind !== 'simple') return visitStatement(statement, names);
  for (const word of command.words) visitWord(word, names);
}

function visitWord(word: Word, names: Set<string>): void {
  for (const piece of word.pieces) visitPiece(piece, names);
}

function visitPiece(piece: Piece, names: Set<string>): void {
  if (piece.kind === 'substitution') visitAll(piece.body, names);
  if (piece.kind === 'arithmetic') visitArithmetic(piece.expression, names);
  if (piece.kind === 'opaque') for (const word of piece.words) visitWord(word, names);
  if (piece.kind === 'variable' && piece.operand !== undefined) visitWord(piece.operand, names);
}

function visitArithmetic({ words }: Arithmetic, names: Set<string>): void {
  for (const word of words) visitWord(word, names);
}
