/** What a substitution gives, where its command says so: the text itself, or places that it may name. */
import { dirname } from 'node:path/posix';
import type { Word } from '../programs/index.ts';
import type { Scope } from './scope.ts';
import { writtenBy } from './written.ts';

/** `text`: for certain. `may`: as far as can be told. */
export interface Output {
  text?: string;
  may: readonly string[];
}

type Names = (words: readonly string[], workspace: string) => readonly string[];

const last: Names = (words) => words.slice(-1);

/** Programs that name a place or a program, and which one it is likely to be. */
const named: { readonly [program: string]: Names } = {
  dirname: (words) => words.slice(-1).map((word) => dirname(word)),
  realpath: last,
  readlink: last,
  which: last,
  command: last,
  type: last,
  git: (words, workspace) => {
    if (words.includes('--show-toplevel')) return [workspace];
    if (words.some((word) => /^--(?:absolute-)?git-(?:common-)?dir$/.test(word))) return [`${workspace}/.git`];
    return words.includes('--exec-path') ? ['/usr/lib/git-core'] : [];
  },
};

/** Of a simple command without redirections. */
export function outputOf(words: readonly Word[], scope: Scope, workspace: string): Output {
  const program = words[0]?.text ?? '';
  const isShadowed = scope.functions.has(program) || scope.aliases.has(program) || scope.doubt !== undefined;
  if (isShadowed) return { may: [] };
  const given = words.slice(1);
  const known = given.flatMap(({ text, isPattern }) => (text === null || isPattern === true ? [] : [text]));
  const text = known.length === given.length ? writtenBy(program, known) : undefined;
  if (text !== undefined) return { text: text.replace(/\n+$/, ''), may: [] };
  const may = given.flatMap((word) => (word.text === null ? (word.may ?? []) : [word.text]));
  return { may: Object.hasOwn(named, program) ? (named[program]?.(may, workspace) ?? []) : [] };
}
