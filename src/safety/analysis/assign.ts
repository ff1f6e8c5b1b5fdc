/** Variables that a line sets for itself. */
import { describe, type Invocation } from '../programs/index.ts';
import type { Assignment } from '../grammar/index.ts';
import { choicesOf } from './choices.ts';
import { expandToOne, expandWords } from './expand.ts';
import { evaluate, isNumberOf } from './nested.ts';
import { holdsObjectNames } from './object-names.ts';
import { addFindings } from './parts.ts';
import { union } from './origins.ts';
import { holdsNumber, type Scope, type Value } from './scope.ts';
import type { Context, Work } from './work.ts';

/** Sets them, and says where that makes the meaning of all that follows unclear. */
export async function assign(
  work: Work,
  assignments: readonly Assignment[],
  scope: Scope,
  context: Context,
  text: string,
  isExported?: true,
): Promise<void> {
  for (const assignment of assignments) {
    if (assignment.index !== undefined) await evaluate(work, assignment.index, scope, context);
    const value = valueOf(assignment, scope, work);
    await checkSetting(work, assignment.name, value, scope, context, text);
    scope.setVariable(assignment.name, { ...value, ...(isExported === true && { isExported }) });
  }
}

function valueOf({ name, append, value, elements, index }: Assignment, scope: Scope, { options }: Work): Value {
  if (elements !== undefined || index !== undefined) {
    const all = [...(elements ?? []), ...(value === undefined ? [] : [value])];
    const expanded = expandWords(all, scope, options.place);
    const may = expanded.flatMap((word) => choicesOf(word));
    return { text: null, isArray: true, may, from: expanded.flatMap(({ from = [] }) => from) };
  }
  if (value === undefined) return { text: '' };
  const word = expandToOne(value, scope, options.place);
  const { text, from = [] } = word;
  if (append !== true) {
    const isNames = holdsObjectNames(value, scope);
    const [only] = value.pieces;
    const isNumber =
      value.pieces.length === 1 &&
      (only?.kind === 'arithmetic' ||
        (only?.kind === 'substitution' && isNumberOf(only.body)) ||
        (only?.kind === 'opaque' && only.isNumber === true));
    return isNumber ? { text: null, isNumber } : { text, may: choicesOf(word), from, ...(isNames && { isNames }) };
  }
  const before: Value = scope.variables.get(name) ?? { text: null };
  const isNumber = holdsNumber(before) && holdsNumber({ text });
  const whole = before.text === null || text === null ? null : before.text + text;
  return { text: whole, from: union(before.from ?? [], from), ...(isNumber && { isNumber }) };
}

/** Settings of Git that the line has exported: every command gets them as if they stood in front of it. */
export function exportedSettings({ variables }: Scope): Invocation['assignments'] {
  return [...variables]
    .filter(([name, { isExported }]) => isExported === true && name.startsWith('GIT_CONFIG_'))
    .map(([name, { text }]) => ({ name, value: { source: text ?? '...', text } }));
}

/** Some variables say what is run, and how. The table knows their names. */
async function checkSetting(
  work: Work,
  name: string,
  value: Value,
  scope: Scope,
  context: Context,
  text: string,
): Promise<void> {
  const word = { source: value.text ?? '...', text: value.text };
  const invocation: Invocation = {
    words: [],
    assignments: [{ name, value: word }],
    redirections: [],
    input: { from: 'elsewhere' },
    folder: scope.realFolder,
  };
  const found = describe(invocation, {
    ...work.options.place,
    folder: scope.realFolder ?? work.options.place.workspace,
  });
  if (!found.effects.includes('cannot-tell')) return;
  await addFindings(work, { text, invocation, scope, context }, found);
  scope.doubt ??= `${name} was set before, which may change what is run`;
}
