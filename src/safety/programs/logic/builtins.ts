/** Built-ins of a shell: some take names of variables, in which the shell runs what stands in square brackets. */
import { applyOptions, placeWords } from '../apply.ts';
import { isHarmlessVariable, tellsPrograms } from '../assignments.ts';
import type { Word } from '../invocation.ts';
import { gives, isOneWord, parseOptions } from '../options.ts';
import type { Call } from './call.ts';

/** `a[$(x)]` as the name of a variable, or in arithmetic, and `a=($(x))` as the value of an array: `x` is run though it stands in quotes. */
function runsInBrackets(word: Word): boolean {
  const text = word.text ?? word.prefix ?? '';
  return /\[|^\w+\+?=\s*\(/.test(text) && /\$\(|`|\$\{/.test(text);
}

const attributes = /^[-+][aAfFgiIlnprtux]+$/;

/** Assignments as words (`export A=b`), names that are set (`read x`, `printf -v x`) and arithmetic (`let`). */
export function subscripts({ report, name, words }: Call): void {
  for (const word of words) {
    if (runsInBrackets(word)) report.doubt(`what ${name} does with ${word.source} can’t be told`);
  }
  const names = name === 'printf' ? printfNames(words) : words.filter((word) => !attributes.test(word.text ?? ''));
  const takesNames = name !== 'printf' && name !== 'let';
  const isNumber = name === 'let' || words.some(({ text }) => /^-[a-zA-Z]*i/.test(text ?? ''));
  if (isNumber && name !== 'read' && words.some(({ text }) => text === null))
    report.doubt(`what ${name} works out can’t be told`);
  const [format] = words;
  if (
    name === 'printf' &&
    format?.text === null &&
    (format.prefix ?? '') === '' &&
    (words.length > 1 || !isOneWord(format))
  ) {
    report.doubt(`${format.source} could be an option of printf`);
  }
  for (const word of names) {
    const text = word.text ?? word.prefix ?? '';
    const [, variable, value] = /^([A-Za-z_]\w*)(?:\+?=(.*))?$/s.exec(text) ?? [];
    if (variable === undefined) {
      if (takesNames && !(name === 'read' && word.text !== null))
        report.doubt(`what ${name} sets with ${word.source} can’t be told`);
      continue;
    }
    const isSet = value !== undefined || name === 'printf' || name === 'read';
    const isExported = exporting.has(name) || words.some(({ text: option }) => /^-\w*x/.test(option ?? ''));
    if (isSet && !isHarmless(isExported, variable, word.text === null ? null : (value ?? null))) {
      report.doubt(`what ${name} ${variable} changes can’t be told`);
    }
  }
}

const exporting = new Set(['export', 'declare', 'typeset']);

/** Only what is exported reaches programs; other variables are the shell's own but for those that tell it what to do. */
function isHarmless(isExported: boolean, variable: string, value: string | null): boolean {
  if (isExported) return isHarmlessVariable(variable, value);
  return isHarmlessVariable(variable, value) || !tellsPrograms(variable);
}

function printfNames(words: Word[]): Word[] {
  const [first, second] = words;
  if (first?.text?.startsWith('-v') !== true) return [];
  return first.text === '-v'
    ? second === undefined
      ? []
      : [second]
    : [{ source: first.source, text: first.text.slice(2) }];
}

const arithmetic = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

/** Conditions only look. `[[` works numbers out, in which a variable that isn't known could run something; so does `-v`. */
export function condition({ report, name, words }: Call): void {
  for (const [at, word] of words.entries()) {
    const isNumber =
      name === '[[' && (arithmetic.has(words[at + 1]?.text ?? '') || arithmetic.has(words[at - 1]?.text ?? ''));
    const isName = words[at - 1]?.text === '-v' || words[at - 1]?.text === '-R';
    if (!isNumber && !isName) continue;
    const isKnown = word.text !== null || /^"?\$(\?|#|!|\$|\{#\w+(\[[@*]\])?\})"?$/.test(word.source);
    if (!isKnown || runsInBrackets(word)) report.doubt(`what ${name} works out of ${word.source} can’t be told`);
  }
  for (const word of words)
    if (name !== '[[' && runsInBrackets(word)) report.doubt(`what ${name} does with ${word.source} can’t be told`);
}

/** `set -o pipefail` changes how the shell goes on; `set` alone prints. */
export function shellOptions({ report, words }: Call): void {
  for (const [at, word] of words.entries()) {
    if (word.text === '--') return;
    const text = word.text ?? '';
    const isFine = /^[-+][abefhmnuvxBCEHT]*o?$/.test(text) && !/[abhkp]/.test(text.slice(1));
    const isValue =
      /^[-+]\w*o$/.test(words[at - 1]?.text ?? '') &&
      /^(pipefail|errexit|nounset|xtrace|noglob|noclobber|verbose|noexec|monitor|nolog|errtrace|functrace)$/.test(text);
    if (!isFine && !isValue) report.doubt(`what set ${word.source} changes can’t be told`);
  }
}

export function mapfile({ report, name, words }: Call): void {
  const program = { flags: '-t', values: { text: '-d -n -O -s -u -c', script: '-C' }, words: '...text' } as const;
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  for (const word of parsed.words)
    if (!/^\w+$/.test(word.text ?? '[')) report.doubt(`what ${name} sets with ${word.source} can’t be told`);
}

/** A name with a value is a program from then on. */
export function alias({ report, words }: Call): void {
  for (const word of words) {
    if (word.text === null || word.text.includes('='))
      report.doubt(`what the alias ${word.source} runs later can’t be told`);
  }
}

/** The first word runs later. */
export function trap({ report, name, words }: Call): void {
  const [first, ...signals] = words[0]?.text === '--' ? words.slice(1) : words;
  if (first === undefined || ['-l', '-p', '-', ''].includes(first.text ?? 'x')) return;
  if (signals.length > 0) report.scriptOf(first, name);
}

export function history({ report, name, words }: Call): void {
  const [first] = words;
  if (first === undefined || /^\d+$/.test(first.text ?? '')) return;
  report.doubt(`what ${name} ${first.source} changes can’t be told`);
}

/** `compgen -c`, `-A function`: lists; `-C` and `-F` run. */
export function compgen({ report, name, words }: Call): void {
  const program = {
    flags: '-a -b -c -d -e -f -g -j -k -s -u -v',
    values: { text: '-A -G -P -S -X', unknown: '-W', script: '-C', code: '-F -V' },
    words: 'text',
  } as const;
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  placeWords(report, 'text', name, parsed.words);
}

const harmlessSettings = new Set(
  'nullglob globstar failglob nocaseglob nocasematch dotglob inherit_errexit checkwinsize histappend cmdhist lithist autocd cdspell dirspell'.split(
    ' ',
  ),
);

/** Settings that change what patterns stand for are fine: such words count as unknown anyway. */
export function shellSettings({ report, name, words }: Call): void {
  const parsed = parseOptions({ flags: '-p -q -s -u', acts: { 'cannot-tell': '-o' } }, name, words);
  for (const doubt of parsed.doubts) report.doubt(doubt);
  const sets = gives(parsed, '-s', '-u', '-o');
  for (const word of sets ? parsed.words : []) {
    if (!harmlessSettings.has(word.text ?? '')) report.doubt(`what shopt ${word.source} changes can’t be told`);
  }
}
