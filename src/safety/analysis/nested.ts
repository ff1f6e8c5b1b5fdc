/** What words run while they are expanded: substitutions, and values that are evaluated. */
import type { Arithmetic, Piece, Statement, Word } from '../grammar/index.ts';
import type { Input } from '../programs/index.ts';
import { addFindings, cannotTell } from './parts.ts';
import { holdsNumber, type Scope } from './scope.ts';
import { within, type Context, type Work } from './work.ts';

/** Programs whose output is a number and nothing else, or holds no text of others. */
const givesNumbers = new Set(['wc', 'nproc', 'expr', 'date', 'id']);

/** Looks at the commands in words. */
export async function lookInto(work: Work, words: readonly Word[], scope: Scope, context: Context): Promise<void> {
  for (const word of words) for (const piece of word.pieces) await lookIntoPiece(work, piece, scope, context);
}

async function lookIntoPiece(work: Work, piece: Piece, scope: Scope, context: Context): Promise<void> {
  switch (piece.kind) {
    case 'substitution': {
      const from = work.parts.length;
      const inner = within(context, piece.as);
      await work.statements(piece.body, scope.clone(), { ...inner, input: readBy(piece.as, context) });
      return scope.origins.addOutput(piece.body, work.parts.slice(from));
    }
    case 'arithmetic':
      return evaluate(work, piece.expression, scope, context);
    case 'variable':
      if (piece.operand !== undefined) await lookInto(work, [piece.operand], scope, context);
      return;
    case 'opaque':
      if (piece.evaluates !== undefined) await addDoubt(work, piece.evaluates, scope, context);
      return lookInto(work, piece.words, scope, context);
    case 'text':
    case 'pattern':
      return;
  }
}

/** A substitution reads what its command reads; a `>(...)` what that writes. */
function readBy(as: string, { input, feeds = [] }: Context): Input {
  if (as.startsWith('>')) return { from: 'pipe', program: null, of: feeds };
  return { from: 'elsewhere', of: input.of ?? [] };
}

/**
 * An arithmetic expression: the value of a name in it is an expression in turn, which may index an array by the output of a command.
 * What was there before the line is trusted not to.
 */
export async function evaluate(work: Work, expression: Arithmetic, scope: Scope, context: Context): Promise<void> {
  const { names, sets, words } = expression;
  await lookInto(work, words, scope, context);
  const doubtful =
    names.find((name) => !isNumeric(name, scope)) ??
    words.flatMap(({ pieces }) => pieces).find((piece) => mayBeCode(piece, scope));
  if (doubtful !== undefined) {
    const what = typeof doubtful === 'string' ? doubtful : 'a value';
    await addDoubt(work, `arithmetic with ${what} that can’t be told, which may hold a command`, scope, context);
  }
  for (const name of sets) if (/^\w+$/.test(name)) scope.setVariable(name, { text: null, isNumber: true });
}

function isNumeric(name: string, { variables }: Scope): boolean {
  const value = variables.get(name);
  return value === undefined || holdsNumber(value);
}

function mayBeCode(piece: Piece, scope: Scope): boolean {
  switch (piece.kind) {
    case 'text':
      return /[$`[]/.test(piece.text);
    case 'variable':
      return !isNumeric(piece.name, scope) || piece.operand?.pieces.some((each) => mayBeCode(each, scope)) === true;
    case 'substitution':
      return !isNumberOf(piece.body);
    case 'opaque':
      return piece.isNumber !== true;
    default:
      return false;
  }
}

/** Whether what these statements write is a number. */
export function isNumberOf(body: readonly Statement[]): boolean {
  const last = body.length === 1 ? body[0]?.command : undefined;
  if (last?.kind === 'chain' && last.operator === '|') return isNumberOf([last.right]);
  if (last?.kind !== 'simple') return false;
  return givesNumbers.has(last.words[0]?.source ?? '');
}

async function addDoubt(work: Work, reason: string, scope: Scope, context: Context): Promise<void> {
  const invocation = { words: [], assignments: [], redirections: [], input: context.input, folder: scope.realFolder };
  await addFindings(work, { text: context.text ?? '', invocation, scope, context }, cannotTell(reason));
}
