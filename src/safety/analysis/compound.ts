/** Branches and loops: what may be so after them is what is so after each of their ways. */
import type { Command, Word as TreeWord } from '../grammar/index.ts';
import { choicesOf } from './choices.ts';
import { expandWords } from './expand.ts';
import { evaluate, lookInto } from './nested.ts';
import { holdsObjectNames } from './object-names.ts';
import type { Scope, Value } from './scope.ts';
import { beginning } from '../programs/index.ts';
import type { Context, Work } from './work.ts';

type Compound = Extract<Command, { kind: 'if' | 'loop' | 'case' }>;
type Loop = Extract<Command, { kind: 'loop' }>;

/** A loop over more values than this is looked at once, with a value that can't be told. */
const valuesAtMost = 16;

export async function runCompound(work: Work, command: Compound, scope: Scope, context: Context): Promise<void> {
  if (command.kind === 'loop') return runLoop(work, command, scope, context);
  if (command.kind === 'case') return runCase(work, command, scope, context);
  const ends: Scope[] = [];
  for (const { condition, body } of command.branches) {
    await work.statements(condition, scope, context);
    const branch = scope.clone();
    await work.statements(body, branch, context);
    ends.push(branch);
  }
  const isExhaustive = command.branches.at(-1)?.condition.length === 0;
  joinWays(scope, isExhaustive ? ends : [...ends, scope.clone()]);
}

async function runCase(
  work: Work,
  { word, items }: Extract<Command, { kind: 'case' }>,
  scope: Scope,
  context: Context,
): Promise<void> {
  await lookInto(work, [word], scope, context);
  const ends = [scope.clone()];
  for (const { patterns, body } of items) {
    await lookInto(work, patterns, scope, context);
    // One branch may go on in the next one (`;&`).
    const branch = scope.clone();
    for (const end of ends) branch.merge(end);
    await work.statements(body, branch, context);
    ends.push(branch);
  }
  joinWays(scope, ends);
}

/** Ways that have ended (`exit`) lead nowhere. */
function joinWays(scope: Scope, ends: Scope[]): void {
  const reached = ends.filter(({ hasEnded }) => !hasEnded);
  const [first, ...rest] = reached.length > 0 ? reached : ends;
  if (first === undefined) return;
  for (const each of rest) first.merge(each);
  first.hasEnded = reached.length === 0;
  scope.become(first);
}

async function runLoop(work: Work, loop: Loop, scope: Scope, context: Context): Promise<void> {
  await lookInto(work, loop.words ?? [], scope, context);
  for (const expression of loop.expressions) await evaluate(work, expression, scope, context);
  const values = loop.variable === undefined ? undefined : valuesOf(loop.words, scope, work);
  const before = scope.clone();
  if (loop.variable !== undefined && values !== undefined) {
    for (const text of values) {
      scope.setVariable(loop.variable, { text });
      await work.statements(loop.body, scope, context);
      scope.hasEnded = false;
      scope.merge(before);
    }
    return;
  }
  // Once to learn what a turn changes, and once more as a later turn would find it.
  const kept = work.parts.length;
  const first = scope.clone();
  await turn(work, loop, first, context);
  work.parts.length = kept;
  scope.merge(first);
  await turn(work, loop, scope, context);
  scope.hasEnded = false;
  scope.merge(before);
}

async function turn(work: Work, loop: Loop, scope: Scope, context: Context): Promise<void> {
  if (loop.variable !== undefined) {
    const words = expandWords(loop.words ?? [], scope, work.options.place);
    const may = words.flatMap((word) => choicesOf(word));
    const from = words.flatMap((word) => word.from ?? []);
    scope.setVariable(loop.variable, { ...valueOf(loop.words ?? [], scope, work), may, from });
  }
  await work.statements(loop.head, scope, context);
  await work.statements(loop.body, scope, context);
}

/** What is known of each of the values that a loop goes through. */
function valueOf(words: readonly TreeWord[], scope: Scope, { options }: Work): Value {
  if (words.length > 0 && words.every((word) => holdsObjectNames(word, scope))) return { text: null, isNames: true };
  const beginnings = new Set(expandWords(words, scope, options.place).map(beginning));
  const [prefix = ''] = beginnings;
  return { text: null, ...(beginnings.size === 1 && prefix !== '' && { prefix }) };
}

/** What a loop goes through; undefined where that can't be told. */
function valuesOf(words: readonly TreeWord[] | undefined, scope: Scope, { options }: Work): string[] | undefined {
  const expanded = words === undefined ? scope.positional : expandWords(words, scope, options.place);
  if (expanded === null || expanded.length === 0 || expanded.length > valuesAtMost) return undefined;
  const texts = expanded.flatMap(({ text, isPattern }) => (text === null || isPattern === true ? [] : [text]));
  return texts.length === expanded.length ? texts : undefined;
}
