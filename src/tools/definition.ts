/** What is wrong with the definition of a tool: better said at the start than by its first call. */
import type { Tool } from './tool.ts';
import { schemaProblem } from './schema-problem.ts';

const validName = /^[a-zA-Z0-9_-]{1,64}$/;
/** Characters: below it there is no room for the line that says what was left out. */
const leastResult = 500;

/** Undefined for a sound one. A tool that isn't checked by a compiler can have anything in its fields. */
export function definitionProblem(tool: Tool): string | undefined {
  const { name, description, input } = tool;
  if (typeof name !== 'string' || !validName.test(name)) {
    return `"${name}" can't be the name of a tool: 1 to 64 of a-z A-Z 0-9 _ -.`;
  }
  if (typeof description !== 'string' || description.trim() === '') return `The tool "${name}" has no description.`;
  if (input['type'] !== 'object') return `The arguments of the tool "${name}" must be a schema of type object.`;
  const problem = schemaProblem(input);
  if (problem !== undefined) return `The schema of the tool "${name}" can’t be used: ${problem}.`;
  const wrong = fieldProblem(tool) ?? textProblem(tool);
  return wrong === undefined ? undefined : `The tool "${name}" can’t be used: ${wrong}.`;
}

function fieldProblem({ resultLimit, atOnce, deferral, keywords, idempotent, ...tool }: Tool): string | undefined {
  if (!Number.isInteger(resultLimit) || resultLimit < leastResult) {
    return `its resultLimit is a whole number of characters, ${leastResult} or more, not ${String(resultLimit)}`;
  }
  if (!Number.isInteger(atOnce) || atOnce < 1) return `its atOnce is a whole number, 1 or more, not ${String(atOnce)}`;
  if (!['never', 'auto', 'always', 'untold'].includes(deferral)) {
    return `its deferral is never, auto, always or untold, not ${JSON.stringify(deferral)}`;
  }
  const areWords = Array.isArray(keywords) && keywords.every((word) => typeof word === 'string');
  if (!areWords) return 'its keywords are a list of texts';
  if (typeof idempotent !== 'boolean') return 'its idempotent is true or false';
  const missing = (['timeout', 'effects', 'execute', 'summary'] as const).find(
    (key) => typeof tool[key] !== 'function',
  );
  return missing === undefined ? undefined : `it has no ${missing}; defineTool makes a whole one`;
}

/** The text that stands for all arguments must be one of them. */
function textProblem({ text, input }: Tool): string | undefined {
  if (text === undefined) return undefined;
  const { argument, grammar } = text;
  const { properties } = input;
  const known = typeof properties === 'object' && properties !== null && Object.hasOwn(properties, argument);
  if (!known) return `its text is the argument "${argument}", which its schema doesn’t have`;
  if (grammar === undefined) return undefined;
  if (!['lark', 'regex'].includes(grammar.syntax)) return `its grammar is in lark or regex, not ${grammar.syntax}`;
  return typeof grammar.definition === 'string' && grammar.definition !== ''
    ? undefined
    : 'its grammar has no definition';
}
