/** One simple command: its words expanded, what it does by itself, and all that it runs. */
import type { Assignment, Command, Statement, TreeRedirection } from '../grammar/index.ts';
import { isOneWord, type Findings, type Invocation, type Redirection, type Word } from '../programs/index.ts';
import { assign, exportedSettings } from './assign.ts';
import { change, isBuiltIn } from './built-in.ts';
import { expandToOne, expandWord, expandWords } from './expand.ts';
import { inputOf } from './input.ts';
import { lookInto } from './nested.ts';
import { addFindings, addPart, ask, cannotTell, findings, sourceOf, type Call } from './parts.ts';
import { union } from './origins.ts';
import type { Scope } from './scope.ts';
import { downloader, literal, within, withInput, type Context, type Work } from './work.ts';

type Simple = Extract<Command, { kind: 'simple' }>;

export async function runSimple(
  work: Work,
  statement: Statement,
  command: Simple,
  scope: Scope,
  context: Context,
): Promise<void> {
  const from = work.parts.length;
  await lookIntoAll(work, command.words, command.assignments, statement.redirections, scope, {
    ...context,
    text: statement.text,
    feeds: union(firstName(command), context.input.of ?? []),
  });
  const { place } = work.options;
  const words = expandWords(command.words, scope, place);
  const own = command.assignments.map((assignment) => ({
    name: assignment.name,
    value: valueOf(assignment, scope, work),
  }));
  const assignments = words.length === 0 ? own : [...exportedSettings(scope), ...own];
  const redirections = redirectionsOf(statement.redirections, scope, work);
  const input = inputOf(statement.redirections, context.input, scope, place);
  const folder = scope.realFolder;
  const call: Call = {
    text: statement.text,
    invocation: { words, assignments, redirections, input, folder },
    scope,
    context: { ...context, ...fedBy(work, context, words, from) },
  };
  if (isOpening(words)) scope.origins.opened = union(scope.origins.opened, input.of ?? []);
  if (words.length > 0) return runWords(work, call);
  await assign(work, command.assignments, scope, context, statement.text);
  if (redirections.length > 0) await addPart(work, { ...call, invocation: { ...call.invocation, assignments: [] } });
}

/** `exec` with redirections and nothing to run keeps what it opens. */
function isOpening([program, ...rest]: readonly Word[]): boolean {
  return program?.text === 'exec' && rest.length === 0;
}

/** The program, where it is spelled out. */
function firstName({ words: [program] }: Simple): readonly string[] {
  const name = program?.source.replaceAll(/["'\\]/g, '') ?? '';
  return /^[\w./+-]+$/.test(name) ? [name.slice(name.lastIndexOf('/') + 1)] : [];
}

/** Everything in it that is run before it is. */
export async function lookIntoAll(
  work: Work,
  words: Simple['words'],
  assignments: readonly Assignment[],
  redirections: readonly TreeRedirection[],
  scope: Scope,
  context: Context,
): Promise<void> {
  await lookInto(work, words, scope, context);
  for (const { value, elements = [] } of assignments)
    await lookInto(work, [...(value === undefined ? [] : [value]), ...elements], scope, context);
  for (const { target, body } of redirections)
    await lookInto(work, [target, ...(body === undefined ? [] : [body])], scope, context);
}

const interpreter = /^(?:.*\/)?(?:(?:ba|da|z|k)?sh|eval|source|\.|sudo|env|python[\d.]*|node|perl|ruby|php)$/;

/** What an interpreter gets from a substitution is as good as piped into it. */
function fedBy(work: Work, context: Context, [program]: readonly Word[], from: number): { pipedFrom?: string } {
  if (context.pipedFrom !== undefined || !interpreter.test(program?.text ?? '')) return {};
  const pipedFrom = downloader(work, from);
  return pipedFrom === undefined ? {} : { pipedFrom };
}

function valueOf({ value, elements, index }: Assignment, scope: Scope, { options }: Work): Word {
  if (elements !== undefined || index !== undefined) return { source: '', text: null };
  return value === undefined ? literal('') : expandToOne(value, scope, options.place);
}

/** Those that name a file. */
export function redirectionsOf(
  redirections: readonly TreeRedirection[],
  scope: Scope,
  { options }: Work,
): Redirection[] {
  return redirections.flatMap(({ operator, target }): Redirection[] => {
    if (operator.startsWith('<<')) return [];
    const expanded = expandWord(target, scope, options.place);
    const [word = literal('')] = expanded;
    const file = expanded.length === 1 ? word : { source: target.source, text: null };
    if (operator !== '>&' && operator !== '<&') return [{ operator, target: file }];
    if (file.text !== null && /^(?:\d+-?|-)$/.test(file.text)) return [];
    return operator === '>&' ? [{ operator: '&>', target: file }] : [];
  });
}

/** Words with the program first. */
async function runWords(work: Work, call: Call): Promise<void> {
  const { invocation, scope, context } = call;
  const [program, ...rest] = invocation.words;
  const name = program?.isPattern === true ? null : (program?.text ?? null);
  if (name === null) {
    await addFindings(
      work,
      call,
      merged(call, {
        ...cannotTell(`which program ${program?.source ?? ''} is can’t be told`),
        code: program === undefined ? [] : [program],
      }),
    );
    return runChoices(work, call, program, rest);
  }
  const alias = scope.aliases.get(name);
  if (alias !== undefined) await runAlias(work, call, name, alias);
  if (scope.functions.has(name)) return runFunction(work, call, name);
  if (name === 'eval') return runEval(work, call, rest);
  const direct = directOf(name, rest);
  if (direct !== undefined) return runDirect(work, call, name, direct);
  const problem = isBuiltIn(name) ? await changed(work, call, name, rest) : undefined;
  const found = await addPart(work, call);
  if (problem !== undefined && !found.effects.includes('cannot-tell'))
    await addFindings(work, call, cannotTell(problem));
  // What a trap runs was looked at in this shell.
  if (name !== 'trap') await runFound(work, found, invocation, scope, context);
}

/** A program that the line may name, though not for certain: what that would do counts as well. */
async function runChoices(work: Work, call: Call, program: Word | undefined, rest: readonly Word[]): Promise<void> {
  for (const text of program?.may ?? []) {
    work.step();
    const given = text.split(/[ \t\n]+/).filter((each) => each !== '');
    if (given.length === 0) continue;
    const words = [...given.map(literal), ...rest];
    const scope = call.scope.clone();
    const context = withInput(call.context, program?.source ?? '', call.invocation.input);
    await runWords(work, { ...call, invocation: { ...call.invocation, words }, scope, context });
  }
}

/** The command runs where the shell was before it changed it. */
async function changed(work: Work, call: Call, name: string, rest: readonly Word[]): Promise<string | undefined> {
  const { scope } = call;
  const after = scope.clone();
  after.alternatives = scope.alternatives;
  const { input } = call.invocation;
  const problem = await change(work, name, rest, after, { ...call.context, input });
  const before = scope.clone();
  scope.become(after);
  call.scope = before;
  return problem;
}

/** A redirection of what is run otherwise counts, too. */
function merged({ invocation }: Call, given: Findings): Findings {
  const writes = invocation.redirections.some(({ operator }) => operator.includes('>'));
  return writes ? { ...given, effects: [...given.effects, 'write'] } : given;
}

async function runAlias(
  work: Work,
  { scope, context, invocation }: Call,
  name: string,
  alias: string | null,
): Promise<void> {
  const call: Call = { text: name, invocation, scope, context };
  if (alias === null) return addFindings(work, call, cannotTell(`what the alias ${name} stands for can’t be told`));
  const shell = scope.clone();
  shell.aliases.delete(name);
  await work.script(
    [alias, ...invocation.words.slice(1).map(({ source }) => source)].join(' '),
    shell,
    within(context, `alias ${name}`),
  );
}

async function runFunction(work: Work, call: Call, name: string): Promise<void> {
  const { scope, context, invocation } = call;
  const body = scope.functions.get(name);
  if (invocation.redirections.length > 0 || invocation.assignments.length > 0) {
    await addPart(work, { ...call, invocation: { ...invocation, words: [] } });
  }
  if (body === null || body === undefined)
    return addFindings(work, call, cannotTell(`which function ${name} is can’t be told`));
  if (work.calling.includes(body)) return addFindings(work, call, cannotTell(`the function ${name} calls itself`));
  work.calling.push(body);
  work.called.add(body);
  const { positional, hidden } = scope;
  const given = invocation.words.slice(1);
  scope.positional = given.every(isOneWord) ? given : null;
  scope.hidden = new Map();
  await work.statement(body, scope, withInput(context, `function ${name}`, invocation.input));
  for (const each of [scope, ...scope.alternatives]) each.uncover(hidden);
  scope.positional = positional;
  scope.hasEnded = false;
  work.calling.pop();
}

async function runEval(work: Work, call: Call, rest: readonly Word[]): Promise<void> {
  const { scope, context } = call;
  const words = rest[0]?.text === '--' ? rest.slice(1) : rest;
  if (words.some(({ text, isPattern }) => text === null || isPattern === true)) {
    scope.doubt ??= 'what eval has run before can’t be told';
    await addFindings(work, call, merged(call, { ...cannotTell('what eval runs can’t be told'), code: [...words] }));
    for (const text of words.length === 1 ? (words[0]?.may ?? []) : [])
      await work.script(text, scope.clone(), within(context, 'eval'));
    return;
  }
  await addFindings(work, call, ask(work, { ...call, invocation: { ...call.invocation, words: [] } }));
  await work.script(words.map(({ text }) => text ?? '').join(' '), scope, within(context, 'eval'));
}

/** What `command`, `builtin` and `exec` run, in this same shell. */
function directOf(name: string, rest: readonly Word[]): Word[] | undefined {
  if (name !== 'command' && name !== 'builtin' && name !== 'exec') return undefined;
  let at = 0;
  for (; at < rest.length; at += 1) {
    const text = rest[at]?.text ?? '';
    if (text === '--') return rest.slice(at + 1);
    if (name === 'command' && text === '-p') continue;
    if (name === 'exec' && /^-[cl]+$/.test(text)) continue;
    if (name === 'exec' && text === '-a') at += 1;
    else break;
  }
  return rest[at]?.text?.startsWith('-') === true ? undefined : rest.slice(at);
}

async function runDirect(work: Work, call: Call, name: string, words: Word[]): Promise<void> {
  const { invocation, scope, context } = call;
  if (words.length === 0) {
    if (invocation.redirections.length + invocation.assignments.length > 0)
      return void (await addPart(work, { ...call, invocation: { ...invocation, words: [] } }));
    return addFindings(work, call, findings());
  }
  const plain = scope.clone();
  plain.functions.clear();
  plain.aliases.clear();
  const inner = withInput(context, name, invocation.input);
  const { functions, aliases } = scope;
  plain.alternatives = scope.alternatives;
  await runWords(work, { ...call, invocation: { ...invocation, words }, scope: plain, context: inner });
  scope.become(plain);
  scope.functions = functions;
  scope.aliases = aliases;
  if (name === 'exec') scope.hasEnded = true;
}

/** What a program runs by itself. */
async function runFound(
  work: Work,
  found: Findings,
  invocation: Invocation,
  scope: Scope,
  context: Context,
): Promise<void> {
  for (const { words, as, folder } of found.runs) {
    work.step();
    const inner = scope.child();
    if (folder !== undefined) await moveTo(work, inner, folder);
    // What xargs runs gets words of the input, and not the input.
    const input = as === 'xargs' ? ({ from: 'elsewhere' } as const) : invocation.input;
    const call = { words, assignments: [], redirections: [], input, folder: inner.realFolder };
    await runWords(work, {
      text: sourceOf(words),
      invocation: call,
      scope: inner,
      context: withInput(context, as, input),
    });
  }
  for (const { text, as, folder, given } of found.scripts) {
    if (text === null) continue;
    const inner = scope.child();
    if (folder !== undefined) await moveTo(work, inner, folder);
    // What stands in front of a command is in the environment of what it runs.
    for (const { name, value } of invocation.assignments)
      inner.setVariable(name, { text: value.text, from: value.from ?? [], isExported: true });
    if (given !== undefined) inner.positional = given.every(isOneWord) ? given : null;
    const isInput = invocation.input.from === 'text' && invocation.input.text === text;
    const input = isInput ? ({ from: 'elsewhere' } as const) : invocation.input;
    await work.script(text, inner, withInput(context, as, input));
  }
}

async function moveTo(work: Work, scope: Scope, folder: string | null): Promise<void> {
  const from = scope.realFolder;
  const absolute = folder === null || folder.startsWith('/') ? folder : from === null ? null : `${from}/${folder}`;
  scope.realFolder = absolute === null ? null : await work.options.realPath(absolute);
  scope.folder = scope.realFolder;
}
