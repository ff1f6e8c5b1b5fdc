/** `dd`, `fd`, `jq`, `yq`, `man`: words with a form of their own. */
import { applyOptions, applyWords, placeWords } from '../apply.ts';
import type { Word } from '../invocation.ts';
import { gives, names, parseOptions } from '../options.ts';
import type { Call } from './call.ts';

/** `if=`, `of=` and the like. */
export function dd({ report, name, words }: Call): void {
  for (const word of words) {
    const [, operand, value] = /^(\w+)=(.*)$/s.exec(word.text ?? word.prefix ?? '') ?? [];
    const target: Word = { source: word.source, text: word.text === null ? null : (value ?? '') };
    if (operand === 'of') report.path('write', target, name, false);
    else if (operand === 'if') report.path('read', target, name, false);
    else if (operand === undefined) report.doubt(`what dd does with ${word.source} can’t be told`);
  }
}

/** Its options don’t cluster: `-ps` is one of them, not `-p -s`. */
export function xxd({ report, program, name, words }: Call): void {
  const known = new Set(names(program.flags));
  for (const { text, source } of words) {
    const isOption = text !== null && /^-[^\d-]./.test(text) && !known.has(text);
    if (isOption && !/^-[cglnosR]-?[\dx]/.test(text)) report.doubt(`${source} is no known option of ${name}`);
  }
  const apart = words.map((word) =>
    known.has(word.text ?? '') ? { ...word, text: word.text?.slice(0, 2) ?? null } : word,
  );
  applyWords(report, program, name, parseOptions(program, name, apart));
}

/** What stands behind `-x` and `-X` is a command that is run with what is found; behind its `;` there may be another. */
export function fd({ report, program, name, words }: Call): void {
  const at = words.findIndex(({ text }) => /^(-[xX]|--exec|--exec-batch)$/.test(text ?? ''));
  applyWords(report, program, name, parseOptions(program, name, at === -1 ? words : words.slice(0, at)));
  if (at === -1) return;
  const end = words.findIndex(({ text }, index) => index > at && text === ';');
  const command = words.slice(at + 1, end === -1 ? undefined : end);
  if (end !== -1 && words.length > end + 1) fd({ report, program, name, words: words.slice(end + 1) } as Call);
  const mark = /\{(|\.|\/|\/\/|\/\.)\}/;
  const found: Word = { source: '"{}"', text: null };
  const filled = command.map((word) =>
    mark.test(word.text ?? '') ? { ...found, prefix: (word.text ?? '').split('{')[0] ?? '' } : word,
  );
  report.run(
    command.some(({ text }) => mark.test(text ?? '')) ? filled : [...command, found],
    `${name} ${words[at]?.source ?? ''}`,
  );
}

const named = new Map([
  ['--arg', 'text'],
  ['--argjson', 'text'],
  ['--slurpfile', 'read'],
  ['--rawfile', 'read'],
  ['--argfile', 'read'],
] as const);

/** A program of jq can only print; its options name values and files. */
export function jq({ report, program, name, words }: Call): void {
  const rest: Word[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    const kind = named.get((word?.text ?? '') as '--arg');
    const value = words[at + 2];
    if (kind === undefined) rest.push(...(word === undefined ? [] : [word]));
    else {
      if (value !== undefined) report.word(kind, value, name);
      at += 2;
    }
  }
  const parsed = parseOptions(program, name, rest);
  applyOptions(report, program, name, parsed);
  const hasFile = gives(parsed, '-f', '--from-file');
  const isText = gives(parsed, '--args', '--jsonargs');
  placeWords(report, isText ? '...text' : hasFile ? '...read' : 'text ...read', name, parsed.words);
}

/** Two programs share the name: one has sub-commands and may write in place, one is a cover of jq. */
export function yq({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const isCommand = ['e', 'ea', 'eval', 'eval-all'].includes(parsed.words[0]?.text ?? '');
  const rest = isCommand ? parsed.words.slice(1) : parsed.words;
  if (rest.some(({ text }) => /\bsystem\b/.test(text ?? 'system')))
    report.doubt('what the expression of yq runs can’t be told');
  const writes = gives(parsed, '-i', '--inplace', '--in-place');
  placeWords(report, writes ? 'text ...write' : 'text ...read', name, rest);
}

/** A page by its name; a path would be formatted, which can run programs. */
export function man({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  for (const word of parsed.words) {
    if (word.text === null || word.text.includes('/')) report.doubt(`what man does with ${word.source} can’t be told`);
  }
}

/** It writes a file beside the one that it reads, unless its second word is a dash. */
export function toOutput({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const isShown = parsed.words.length === 2 && parsed.words[1]?.text === '-';
  if (!isShown) report.effect('write', `${name} writes a file`);
  placeWords(report, isShown ? 'read text' : 'read write', name, parsed.words);
}
