/** What the options and words of a program do, where the data of the table says it all. */
import type { Word } from './invocation.ts';
import { isOneWord, names, type Parsed } from './options.ts';
import type { Report } from './report.ts';
import type { Program, WordKind } from './table.ts';

/** What an effect is in a sentence about a program. */
export const meaning = {
  read: 'reads',
  write: 'writes files',
  execute: 'runs programs',
  network: 'uses the network',
  destroy: 'destroys data',
  'cannot-tell': 'can’t be told',
} as const;

export function applyOptions(report: Report, program: Program, name: string, parsed: Parsed): void {
  for (const doubt of parsed.doubts) report.doubt(doubt);
  for (const option of parsed.options) {
    for (const effect of option.effects) report.effect(effect, `with ${option.name}, ${name} ${meaning[effect]}`);
    if (option.kind !== undefined && option.value !== undefined) {
      report.word(option.kind, option.value, `${name} ${option.name}`);
    }
  }
}

export function applyWords(report: Report, program: Program, name: string, parsed: Parsed): void {
  applyOptions(report, program, name, parsed);
  const given = new Set(parsed.options.map((option) => option.name));
  const isGiven = (list: string) => names(list).some((option) => given.has(option));
  const special = Object.entries(program.wordsWith ?? {}).find(([list]) => isGiven(list))?.[1];
  const isRecursive = program.recursive !== undefined && isGiven(program.recursive);
  placeWords(report, special ?? program.words ?? '', name, parsed.words, isRecursive);
}

const recursive: { readonly [kind in WordKind]?: WordKind } = { read: 'tree', write: 'change', destroy: 'raze' };

/** Gives each word the kind that its place says: leading places, any number in between, trailing places. */
export function placeWords(report: Report, places: string, name: string, words: Word[], isRecursive = false): void {
  const kinds = names(places);
  const many = kinds.findIndex((kind) => kind.startsWith('...'));
  const after = many === -1 ? 0 : kinds.length - many - 1;
  const harmless = kinds.every((kind) => /^(\.\.\.)?(text|read|tree)$/.test(kind));
  if (!harmless && words.some((word) => !isOneWord(word) && word.isPattern !== true) && !isTail(kinds, words)) {
    report.doubt(`a word of ${name} may become several`);
  }
  if (!harmless && many === -1 && words.some((word) => word.isPattern === true)) {
    report.doubt(`a pattern may become several words of ${name}`);
  }
  for (const [at, word] of words.entries()) {
    const fromEnd = words.length - at;
    const isLast = many !== -1 && at >= many && fromEnd <= after;
    const written = isLast ? kinds[kinds.length - fromEnd] : many !== -1 && at >= many ? kinds[many] : kinds[at];
    if (written === undefined) return report.doubt(`${name} takes no ${word.source}, as far as is known`);
    const kind = written.replace('...', '') as WordKind;
    if (kind === 'command') return report.run(words.slice(at), name);
    if (kind === 'shell') {
      report.findings.code.push(...words.slice(at));
      return report.script(joined(words.slice(at)), name);
    }
    report.word(isRecursive ? (recursive[kind] ?? kind) : kind, word, name);
  }
}

/** Words of a command that is run, at the end, are looked at in turn. */
function isTail(kinds: string[], words: Word[]): boolean {
  const at = kinds.indexOf('command');
  return at !== -1 && words.slice(0, at).every(isOneWord);
}

function joined(words: readonly Word[]): string | null {
  const texts = words.map(({ text, isPattern }) => (isPattern === true ? null : text));
  return texts.includes(null) ? null : texts.join(' ');
}
