/** Whose output an interpreter runs as code: what it is fed through a pipe, or given by a substitution. */
import type { CommandPart } from '../core/index.ts';

const shells = /^(?:ba|rba|da|z|k|mk|a|fi|c|tc)?sh$/;
const languages =
  /^(?:python[\d.]*|pypy[\d.]*|ipython|node|nodejs|deno|bun|tsx|ts-node|perl[\d.]*|ruby[\d.]*|irb|php[\d.]*|lua[\d.]*|R|Rscript|julia|osascript|pwsh|tclsh)$/;
const evaluators = new Set(['eval', 'source', '.']);
/** Options of interpreters whose value is code. */
const codeOption = /^(?:-[a-z]*[cer]|--eval|--command|--run|-p|--print|-pe)$/;

/** The programs whose output a part runs, as far as the line shows them. */
export function codeSources(part: CommandPart, all: readonly CommandPart[]): string[] {
  const name = nameOf(part);
  const isInterpreter = shells.test(name) || languages.test(name) || evaluators.has(name);
  if (!isInterpreter) return [];
  const piped = readsCodeFromInput(part) ? pipeline(part, all) : [];
  return [...new Set([...piped, ...substituted(part, all)])];
}

function nameOf({ words: [first] }: CommandPart): string {
  return first === null || first === undefined ? '' : first.slice(first.lastIndexOf('/') + 1);
}

/** With a script or code among its words, what it reads is data. */
function readsCodeFromInput({ words }: CommandPart): boolean {
  const [, ...rest] = words;
  for (const word of rest) {
    if (word === null || word === '-' || word === '/dev/stdin' || word === '/dev/fd/0' || word === '-s') return true;
    if (codeOption.test(word) || word === '-m') return false;
    if (!word.startsWith('-') && !word.startsWith('+')) return false;
  }
  return true;
}

/** The program before it in the pipe, and those before that one. */
function pipeline(part: CommandPart, all: readonly CommandPart[]): string[] {
  const found: string[] = [];
  let wanted = part.pipedFrom;
  for (let at = all.indexOf(part) - 1; at >= 0 && wanted !== undefined; at -= 1) {
    const before = all[at];
    if (before === undefined || nameOf(before) !== baseName(wanted)) continue;
    found.push(nameOf(before));
    wanted = before.pipedFrom;
  }
  return wanted === undefined ? found : [...found, baseName(wanted)];
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

/** What stands in `$(...)`, backquotes or `<(...)` within the part, where the part takes that for code. */
function substituted(part: CommandPart, all: readonly CommandPart[]): string[] {
  const name = nameOf(part);
  const within = all.filter((each) => each !== part && part.text.includes(each.text) && each.text !== part.text);
  const asFile = within.filter(({ inside }) => inside.some((frame) => frame.startsWith('<(')));
  const asText = within.filter(({ inside }) => inside.some((frame) => frame.startsWith('$(') || frame.startsWith('`')));
  const isGivenCode = evaluators.has(name) || part.words.some((word, at) => takesCode(part.words, word, at));
  return [...asFile, ...(isGivenCode ? asText : [])].map(nameOf);
}

/** A word that can’t be told right behind an option for code. */
function takesCode(words: readonly (string | null)[], word: string | null, at: number): boolean {
  const before = words[at - 1];
  return word === null && typeof before === 'string' && codeOption.test(before);
}
