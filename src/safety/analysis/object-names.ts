/** Commands whose output is names of objects of Git (hexadecimal digits) or plain numbers: no word of it is taken for an option. */
import type { Piece, Statement, Word } from '../grammar/index.ts';
import type { Scope } from './scope.ts';

/** Arguments under which they write nothing else; a revision that isn’t there is written as it was given, so it has no blanks. */
const revision = String.raw`[\w@/.~^][\w@/.~^{}:-]*`;
const sizes = String.raw`-\d+|-n|\d+|--max-count=\d+|--skip=\d+`;
const choice = `${sizes}|--all|--branches|--tags|--remotes|--reverse|--first-parent|--merges|--no-merges|--max-parents=\\d+|--(?:since|until|after|before|author|grep)=.*`;
const forms: { readonly [command: string]: RegExp } = {
  'rev-parse': new RegExp(`^(?:-q|--quiet|--verify|--short(?:=\\d+)?|${revision})$`),
  'merge-base': new RegExp(`^(?:--octopus|--fork-point|--independent|-a|--all|${revision})$`),
  'rev-list': new RegExp(`^(?:${choice}|--count|--abbrev-commit|--|${revision})$`),
  log: new RegExp(`^(?:${choice}|--(?:format|pretty)=(?:format:|tformat:)?%(?:[HhTt]|[ac]t)|--|${revision})$`),
};

/** Programs that hand on some of the lines that they get. */
const passing = /^(?:head|tail|sort|uniq|tac)$/;

/** Whether these statements write names of objects, numbers, or nothing. */
function writesObjectNames(body: readonly Statement[], scope: Scope): boolean {
  const [only] = body;
  if (body.length !== 1 || only === undefined) return false;
  const command = only.command;
  if (command?.kind === 'chain' && command.operator === '|') {
    const last = literals(command.right);
    const isPassing =
      last !== undefined &&
      passing.test(last[0] ?? '') &&
      last.slice(1).every((word) => /^-(?:n|u|r|\d+)$|^\d+$/.test(word));
    return isPassing && !isShadowed(last[0] ?? '', scope) && writesObjectNames([command.left], scope);
  }
  const words = literals(only);
  if (words === undefined || isShadowed(words[0] ?? '', scope)) return false;
  const [program, name = '', ...rest] = words;
  if (program === 'seq') return [name, ...rest].every((word) => /^\d+$/.test(word));
  const form = program === 'git' && Object.hasOwn(forms, name) ? forms[name] : undefined;
  const isFormatted = name !== 'log' || rest.some((word) => /^--(?:format|pretty)=/.test(word));
  return form !== undefined && isFormatted && rest.every((word) => form.test(word));
}

/** Whether the whole word is made of such names. */
export function holdsObjectNames({ pieces }: Word, scope: Scope): boolean {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined && isObjectNames(only, scope);
}

export function isObjectNames(piece: Piece, scope: Scope): boolean {
  if (piece.kind === 'substitution') return !/^[<>]/.test(piece.as) && writesObjectNames(piece.body, scope);
  if (piece.kind !== 'variable' || piece.operator !== undefined) return false;
  return /^[#?$!]$/.test(piece.name) || scope.variables.get(piece.name)?.isNames === true;
}

/** The words of a simple command, where all of them are literal and nothing else stands there but errors that are left out. */
function literals({ command, redirections }: Statement): string[] | undefined {
  const isQuiet = redirections.every(({ target }) => target.source === '/dev/null');
  if (command?.kind !== 'simple' || command.assignments.length > 0 || !isQuiet) return undefined;
  const words = command.words.map(({ pieces }) =>
    pieces.every((piece) => piece.kind === 'text') ? pieces.map((piece) => piece.text).join('') : undefined,
  );
  return words.every((word) => word !== undefined) ? words : undefined;
}

function isShadowed(name: string, { functions, aliases, doubt }: Scope): boolean {
  return doubt !== undefined || functions.has(name) || aliases.has(name);
}
