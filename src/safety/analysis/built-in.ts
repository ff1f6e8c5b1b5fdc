/** What commands of the shell itself change in it. The table says what else they do. */
import { tellsPrograms, type Word } from '../programs/index.ts';
import { changeFolder } from './folders.ts';
import type { Scope } from './scope.ts';
import { within, type Context, type Work } from './work.ts';

type Change = (
  work: Work,
  words: readonly Word[],
  scope: Scope,
  context: Context,
  program: string,
) => Promise<string | undefined> | string | undefined;

/** Each gives why it can't be told what it does; undefined where it can. */
const changes: { readonly [program: string]: Change } = {
  cd: folder,
  pushd: folder,
  popd: folder,
  alias: (_, words, scope) => {
    for (const word of words) setAlias(word, scope);
    return undefined;
  },
  unalias: (_, words, scope) => {
    for (const { text } of words) if (text !== null) scope.aliases.delete(text);
    return undefined;
  },
  trap,
  exit: end,
  return: end,
  break: end,
  continue: end,
  read: (_, words, scope, context) => setNames(namesOf(words, 'adinNptu'), scope, linesIn(context), context.input.of),
  mapfile: fill,
  readarray: fill,
  getopts: (_, words, scope) => setNames(words.slice(1, 2), scope),
  unset,
  shift: (_, _words, scope) => {
    scope.positional = null;
    return undefined;
  },
  set,
  shopt: (_, words) =>
    words.some(({ text }) => text === null || text === 'lastpipe' || text === '-o')
      ? 'a setting of the shell changes what follows'
      : undefined,
  printf: (_, words, scope) => {
    const [option, name] = words;
    if (option?.text === null) return undefined;
    if (option?.text.startsWith('-v') !== true) return undefined;
    return option.text === '-v' && name !== undefined
      ? setNames([name], scope, printed(words.slice(2)))
      : 'it sets a variable that can’t be told';
  },
  test: subscript,
  '[': subscript,
  source: sourced,
  '.': sourced,
  hash: (_, words, scope) =>
    words.some(({ text }) => text?.startsWith('-p') ?? true) ? doubt(scope, 'hash changes what names mean') : undefined,
  enable: (_, _words, scope) => doubt(scope, 'enable changes what names mean'),
};

/** A name that means a change of the shell itself. */
export function isBuiltIn(program: string): boolean {
  return Object.hasOwn(changes, program);
}

/** Why it can’t be told what the command does; undefined where that is for the table to say. */
export async function change(
  work: Work,
  program: string,
  words: readonly Word[],
  scope: Scope,
  context: Context,
): Promise<string | undefined> {
  return changes[program]?.(work, words, scope, context, program);
}

async function folder(
  work: Work,
  words: readonly Word[],
  scope: Scope,
  _: Context,
  program: string,
): Promise<undefined> {
  await changeFolder(work, program, words, scope);
  return undefined;
}

function doubt(scope: Scope, why: string): string {
  scope.doubt ??= why;
  return why;
}

function setAlias({ text }: Word, { aliases }: Scope): void {
  const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text ?? '') ?? [];
  if (name !== undefined && value !== undefined) aliases.set(name, value);
  else if (text === null) aliases.set('', null);
}

async function trap(work: Work, words: readonly Word[], scope: Scope, context: Context): Promise<string | undefined> {
  const [action, ...signals] = words[0]?.text === '--' ? words.slice(1) : words;
  if (
    action === undefined ||
    signals.length === 0 ||
    action.text === '' ||
    action.text === '-' ||
    /^-[lp]$/.test(action.text ?? '')
  )
    return undefined;
  if (action.text === null) return 'what the trap runs can’t be told';
  await work.script(action.text, scope.clone(), within(context, 'trap'));
  return undefined;
}

function end(_: Work, _words: readonly Word[], scope: Scope): undefined {
  scope.hasEnded = true;
  return undefined;
}

/** What is no option, nor the value of one of these. */
function namesOf(words: readonly Word[], withValue: string): Word[] {
  const names: Word[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const { text } = word;
    if (text === '--') return [...names, ...words.slice(at + 1)];
    if (names.length > 0 || text === null || !/^-./.test(text)) names.push(word);
    else if (withValue.includes(text.at(-1) ?? '')) {
      if (text.endsWith('a') && words[at + 1] !== undefined) names.push(words[at + 1] ?? word);
      at += 1;
    }
  }
  return names;
}

/** An element of an array has an index, which is evaluated. */
function setNames(
  names: readonly Word[],
  scope: Scope,
  may: readonly string[] = [],
  from: readonly string[] = [],
): string | undefined {
  for (const { text } of names) {
    if (text === null || !/^[A-Za-z_]\w*$/.test(text)) return doubt(scope, 'it sets a variable that can’t be told');
    if (tellsPrograms(text)) return doubt(scope, `it sets ${text}`);
    scope.setVariable(text, { text: null, may, from });
  }
  return undefined;
}

/** What is read where that stands in the line: each of its lines may be the one. */
function linesIn({ input }: Context): readonly string[] {
  return input.from === 'text' ? (input.text ?? '').split('\n').filter((line) => line !== '') : [];
}

/** What `printf` fills in may be all that it writes. */
function printed(words: readonly Word[]): readonly string[] {
  return words.flatMap(({ text }) => (text === null ? [] : [text.replaceAll(String.raw`\n`, '\n').trim()]));
}

function fill(_: Work, words: readonly Word[], scope: Scope, context: Context): string | undefined {
  if (words.some(({ text }) => text === null || /^-[A-Za-z]*C/.test(text)))
    return doubt(scope, 'it runs code for each line');
  return setNames(namesOf(words, 'dnOsucC'), scope, linesIn(context), context.input.of);
}

function unset(_: Work, words: readonly Word[], scope: Scope): string | undefined {
  const isFunctions = words.some(({ text }) => text === '-f');
  for (const { text } of words) {
    if (text?.startsWith('-') === true) continue;
    if (text === null || !/^[\w-]+$/.test(text)) return doubt(scope, 'what it unsets can’t be told');
    if (tellsPrograms(text)) return doubt(scope, `it unsets ${text}`);
    if (isFunctions) scope.functions.delete(text);
    else scope.variables.set(text, { text: '' });
    // Without `-f`, a function of that name goes where there is no such variable.
    if (!isFunctions && scope.functions.has(text)) scope.functions.set(text, null);
  }
  return undefined;
}

function set(_: Work, words: readonly Word[], scope: Scope): string | undefined {
  for (const [index, { text, isPattern }] of words.entries()) {
    if (text === null || isPattern === true) {
      scope.positional = null;
      return index === 0 ? doubt(scope, 'a setting of the shell changes what follows') : undefined;
    }
    if (text === '--' || !/^[-+]/.test(text)) {
      const isOption = /^[-+]\w*o$/.test(words[index - 1]?.text ?? '');
      if (isOption) {
        if (
          !/^(?:errexit|nounset|xtrace|pipefail|verbose|noglob|noclobber|noexec|errtrace|functrace|physical|posix)$/.test(
            text,
          )
        )
          return doubt(scope, 'a setting of the shell changes what follows');
        continue;
      }
      scope.positional = words.slice(text === '--' ? index + 1 : index);
      return undefined;
    }
    if (!/^[-+][abefhmnptuvxoBCEHPT]+$/.test(text)) return doubt(scope, 'a setting of the shell changes what follows');
  }
  return undefined;
}

/** `-v name[index]` evaluates the index. */
function subscript(_: Work, words: readonly Word[]): string | undefined {
  const at = words.findIndex(({ text }) => text === '-v' || text === '-R');
  const name = at === -1 ? undefined : words[at + 1];
  if (name === undefined) return undefined;
  return name.text !== null && /^\w+$/.test(name.text) ? undefined : 'it looks for a variable that can’t be told';
}

/** What a file defines is not in the line. */
function sourced(_: Work, _words: readonly Word[], scope: Scope): undefined {
  scope.doubt ??= 'a file that was sourced before may have changed what names mean';
  scope.folder = null;
  scope.realFolder = null;
  for (const name of scope.variables.keys()) scope.variables.set(name, { text: null });
  return undefined;
}
