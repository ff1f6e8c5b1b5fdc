/** Command lines that surely change no file: one simple command of a program that only looks, with options that don't make it do more. */
import { simpleCommand } from './words.ts';

/** Programs that write nowhere but to their output, each with the options that would change that (of `find`: its actions). */
const readers: { readonly [program: string]: readonly string[] } = {
  basename: [],
  cat: [],
  cmp: [],
  comm: [],
  cut: [],
  date: ['-s', '--set'],
  df: [],
  diff: [],
  dirname: [],
  du: [],
  echo: [],
  expr: [],
  false: [],
  find: ['-delete', '-exec', '-execdir', '-fls', '-fprint', '-fprint0', '-fprintf', '-ok', '-okdir'],
  grep: [],
  head: [],
  id: [],
  ls: [],
  nl: [],
  od: [],
  printf: [],
  pwd: [],
  readlink: [],
  realpath: [],
  seq: [],
  sha256sum: [],
  sleep: [],
  stat: [],
  tail: [],
  test: [],
  tr: [],
  true: [],
  uname: [],
  wc: [],
  whoami: [],
};

/**
 * Whether a command line is proven to leave every file as it is. Holds where the programs of that name are the system's: a search path
 * that leads into the workspace proves nothing.
 */
export function isProvenRead(command: string): boolean {
  const parsed = simpleCommand(command);
  if ('unclear' in parsed) return false;
  const [program = '', ...words] = parsed.words;
  if (!Object.hasOwn(readers, program)) return false;
  const writing = readers[program] ?? [];
  return !words.some((word) =>
    writing.some((option) => word === option || word.startsWith(`${option}=`) || isShort(word, option)),
  );
}

/** `-s2020-01-01`, and `-us...`: a short option may stand behind others and before its value. */
function isShort(word: string, option: string): boolean {
  return /^-[a-z]$/i.test(option) && /^-[a-z]/i.test(word) && !word.startsWith('--') && word.includes(option.slice(1));
}
