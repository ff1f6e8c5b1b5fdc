/** What a command reads from, where that is a text that stands in the line. */
import type { Statement, TreeRedirection } from '../grammar/index.ts';
import type { Input, Word } from '../programs/index.ts';
import { expandToOne, expandWords, type Surroundings } from './expand.ts';
import { keyOf, union } from './origins.ts';
import type { Scope } from './scope.ts';
import { writtenBy } from './written.ts';

/** The last redirection of the input counts. */
export function inputOf(
  redirections: readonly TreeRedirection[],
  inherited: Input,
  scope: Scope,
  surroundings: Surroundings,
): Input {
  let input = inherited;
  for (const { operator, target, body } of redirections) {
    const { text, from = [], fileFrom = [], fileText } = expandToOne(body ?? target, scope, surroundings);
    if (operator === '<<<') input = { from: 'text', text: text === null ? null : `${text}\n`, of: from };
    else if (body !== undefined)
      input = { from: 'text', text: operator === '<<-' ? (text?.replace(/^\t+/gm, '') ?? null) : text, of: from };
    else if (isConnection(text)) input = { from: 'elsewhere', of: ['/dev/tcp'] };
    else if (operator === '<&') input = { from: 'elsewhere', of: scope.origins.opened };
    else if (operator.startsWith('<') && fileText !== undefined)
      input = { from: 'text', text: `${fileText}\n`, of: fileFrom };
    else if (operator.startsWith('<'))
      input = { from: 'elsewhere', of: union(fileFrom, filesFrom(target, scope, surroundings)) };
  }
  return input;
}

/** To what it writes to a connection, something may answer. */
function isConnection(text: string | null): boolean {
  return text !== null && /^\/dev\/(?:tcp|udp)\//.test(text);
}

function filesFrom(target: TreeRedirection['target'], scope: Scope, surroundings: Surroundings): readonly string[] {
  const { text, source } = expandToOne(target, scope, surroundings);
  return scope.origins.file(keyOf({ text, source }, scope.realFolder));
}

/** What stands behind a pipe gets: the text that is written, where that can be told, or the output of a program. */
export function pipedInput(
  left: Statement,
  scope: Scope,
  surroundings: Surroundings,
): { input: Input; program: string | null } {
  const last = lastOf(left);
  const command = last?.command;
  if (command?.kind !== 'simple') return { input: { from: 'pipe', program: null }, program: null };
  const words = expandWords(command.words, scope, surroundings);
  const program = words[0]?.text ?? null;
  const isShadowed = program !== null && (scope.functions.has(program) || scope.aliases.has(program));
  const text =
    isShadowed || last !== left || last.redirections.some(({ operator }) => operator.includes('>'))
      ? undefined
      : textOf(words, last.redirections, scope, surroundings);
  return { input: text === undefined ? { from: 'pipe', program } : { from: 'text', text }, program };
}

/** The simple command whose output it is: the last one of a pipe, the only one of a group. */
function lastOf(statement: Statement): Statement | undefined {
  const { command } = statement;
  if (command?.kind === 'simple') return statement;
  if (command?.kind === 'chain' && (command.operator === '|' || command.operator === '|&'))
    return lastOf(command.right);
  if (command?.kind === 'time') return command.statement && lastOf(command.statement);
  if (
    (command?.kind === 'group' || command?.kind === 'subshell') &&
    command.body.length === 1 &&
    command.body[0] !== undefined
  )
    return lastOf(command.body[0]);
  return undefined;
}

/** What echo, printf and cat write of texts in the line; undefined where it isn't all told. */
function textOf(
  words: readonly Word[],
  redirections: readonly TreeRedirection[],
  scope: Scope,
  surroundings: Surroundings,
): string | undefined {
  if (words.some(({ text, isPattern }) => text === null || isPattern === true)) return undefined;
  const [program, ...texts] = words.map(({ text }) => text ?? '');
  if (program === 'cat' && texts.length === 0) {
    const input = inputOf(redirections, { from: 'elsewhere' }, scope, surroundings);
    return input.from === 'text' ? (input.text ?? undefined) : undefined;
  }
  return writtenBy(program, texts);
}
