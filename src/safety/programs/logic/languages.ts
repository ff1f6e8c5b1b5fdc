/** Interpreters: what they are given to run, and the few forms in which they run nothing. */
import { applyOptions, applyWords, placeWords } from '../apply.ts';
import type { Word } from '../invocation.ts';
import { gives, parseOptions } from '../options.ts';
import type { Program } from '../table.ts';
import type { Call } from './call.ts';

/** Code as an option, a module, a file, or what it reads. */
export function interpreter({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const given = parsed.options.filter(({ kind }) => kind === 'code');
  if (given.some(({ value }) => value?.text === '-')) return report.runsInput(name);
  if (given.length > 0 || gives(parsed, '-m', '-f', '-File', '-file'))
    return placeWords(report, '...text', name, parsed.words);
  if (parsed.words.length === 0 || parsed.words[0]?.text === '-') report.runsInput(name);
  else placeWords(report, 'program ...text', name, parsed.words);
}

export function node(call: Call): void {
  const { report, program, name, words } = call;
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  if (gives(parsed, '-e', '-p', '--eval', '--print')) return;
  if (words.some(({ text }) => text === '--test' || text === '--run'))
    report.effect('execute', `${name} runs tests or a script`);
  else if (parsed.words.length === 0 || parsed.words[0]?.text === '-') report.runsInput(name);
  else placeWords(report, 'program ...text', name, parsed.words);
}

/** `php -l FILE` only checks. */
export function php({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  if (parsed.words.length === 0 && !gives(parsed, '-r', '-f', '-S', '-R')) return report.runsInput(name);
  placeWords(report, 'program ...text', name, parsed.words);
}

/**
 * What cargo tells of a project may make it fetch the registry and write the lock file; `--offline --locked` and `--frozen` forbid it.
 * With dependencies it asks the compiler, which the settings of the folder may name.
 */
export function cargoRead({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  if (name === 'cargo metadata' && gives(parsed, '--no-deps')) return;
  report.effect('execute', `${name} runs the compiler that the folder may name`);
  const isLocal = gives(parsed, '--frozen') || (gives(parsed, '--offline') && gives(parsed, '--locked'));
  if (!isLocal) report.effect('network', `${name} may fetch the index and write the lock file`);
}

/** `!` runs a command. */
export function dc({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const scripts = parsed.options.flatMap(({ value }) => (value === undefined ? [] : [value]));
  // `?` runs a line of what it reads.
  const isRisky = (word: Word) => word.text === null || /![^<>=]|\?/.test(word.text);
  const { input } = report.invocation;
  if (scripts.length === 0 && !(input.from === 'text' && input.text !== null && !input.text.includes('!')))
    report.doubt('what dc reads may run commands');
  if (scripts.some(isRisky) || parsed.words.length > 0) report.doubt('the script of dc may run commands');
}

/** The forms of `openssl` that look: one dash before every option, never `-engine` or `-provider-path`. */
export function openssl({ report, program, name, words, apply }: Call): void {
  const [command, ...rest] = words;
  const known =
    command?.text == null || !Object.hasOwn(program.commands ?? {}, command.text)
      ? undefined
      : program.commands?.[command.text];
  if (command === undefined) return;
  if (known === undefined) {
    report.effect('write', `${name} ${command.source} may write keys`);
    report.doubt(`${command.source} is no known sub-command of ${name}`);
  } else apply({ style: 'single', ...known }, `${name} ${command.text ?? ''}`, rest);
}

export function gpg({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  if (
    !gives(
      parsed,
      '-k',
      '-K',
      '--list-keys',
      '--list-secret-keys',
      '--list-public-keys',
      '--fingerprint',
      '--list-sigs',
    )
  ) {
    report.effect('execute', 'gpg works with keys');
    report.effect('write', 'gpg works with keys');
  }
}

/** The tools of binutils take `@FILE` for the options that stand in it, and one of them loads code. */
export function binary({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  for (const word of words)
    if (word.text?.startsWith('@') === true) report.doubt(`${word.source} may hold options of ${name}`);
  placeWords(report, '...read', name, parsed.words);
}

/** A version behind an `@` is asked for at the registry, and so are modules other than that of the folder. */
export function goList({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyWords(report, program, name, parsed);
  const isOther = gives(parsed, '-m') && parsed.words.length > 0;
  if (isOther || parsed.words.some(({ text }) => text?.includes('@') ?? true))
    report.effect('network', 'go list may fetch modules');
}

/** Modules of Python itself that only look, with what they take; `-I` keeps the folder, which may have one of that name, out of the search. */
const modules: { readonly [name: string]: Program } = {
  'json.tool': {
    flags: '--sort-keys --no-ensure-ascii --json-lines --tab --no-indent --compact',
    values: { text: '--indent' },
    words: 'read write',
  },
  ast: { flags: '-a --include-attributes', values: { text: '-m -i --mode --indent' }, words: 'read' },
  tokenize: { flags: '-e --exact', words: 'read' },
  platform: {},
  calendar: { words: '...text' },
};

export function python(call: Call): void {
  const { report, name, words } = call;
  const at = words.findIndex(({ text }) => text === '-m');
  const before = words.slice(0, at).map(({ text }) => text ?? '');
  const isApart = before.some((text) => text.includes('I')) && before.every((text) => /^-[IBqu]+$/.test(text));
  const module = words[at + 1]?.text ?? '';
  const known = at > 0 && isApart && Object.hasOwn(modules, module) ? modules[module] : undefined;
  if (known !== undefined)
    return call.apply({ ...known, helps: '--help -h' }, `${name} -m ${module}`, words.slice(at + 2));
  report.effect('execute', `${name} runs code`);
  interpreter(call);
}
