/** Programs that run another command line: shells, `env`, `xargs`, `sudo`, `command`, `eval`. */
import { applyOptions, applyWords, placeWords } from '../apply.ts';
import { isHarmlessFor, setsPush } from '../assignments.ts';
import type { Word } from '../invocation.ts';
import { beginsCommand, gives, parseOptions } from '../options.ts';
import type { Call } from './call.ts';

/** The words as one command. */
export function command({ report, program, name, words }: Call): void {
  applyWords(report, program, name, parseOptions(program, name, words));
}

export function env({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const folder = parsed.options.find((option) => option.name === '-C' || option.name === '--chdir')?.value;
  if (folder !== undefined) report.enter(folder);
  const rest = [...parsed.words];
  if (rest[0]?.text === '-') rest.shift();
  for (let word = rest[0]; word !== undefined; word = rest[0]) {
    const [, variable, value] = /^([^=]*)=(.*)$/s.exec(word.text ?? word.prefix ?? '') ?? [];
    if (variable === undefined) break;
    rest.shift();
    if (rest.length === 0) continue;
    const isCode = word.text === null || /\[[^]*(?:\$\(|`)/.test(value ?? '');
    if (setsPush(variable, value ?? ''))
      report.effect('destroy', `${word.source} makes a push overwrite what is there`);
    const program = rest.find(({ text }) => text === null || !text.includes('='));
    if (isCode || !isHarmlessFor(program, variable, value ?? '')) {
      report.doubt(`what ${word.source} changes can’t be told`);
    }
  }
  report.run(rest, name, folder === undefined ? undefined : report.folder);
}

/** `sudo -s` and `-i` run a shell, with what follows as its command line. */
export function sudo({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const has = (...options: string[]) => gives(parsed, ...options);
  if (has('-e', '--edit')) return placeWords(report, '...write', name, parsed.words);
  const rest = [...parsed.words];
  while (/^\w+=/.test(rest[0]?.text ?? '')) {
    report.doubt(`what ${rest.shift()?.source ?? ''} changes can’t be told`);
  }
  const folder = has('-D', '--chdir', '-R', '--chroot', '-i', '--login') ? null : undefined;
  report.run(rest, name, folder);
}

export function xargs({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  if (parsed.words.length === 0) return;
  const replace = parsed.options.find((option) => ['-I', '-i', '-J', '--replace'].includes(option.name));
  const { input } = report.invocation;
  const known =
    input.from === 'text' && input.text !== null && !/["'\\\0]/.test(input.text)
      ? input.text.split(/\s+/).filter((text) => text !== '')
      : undefined;
  // What stands for each input is a whole line of it.
  const lines = input.from === 'text' ? input.text?.split('\n').filter((line) => line.trim() !== '') : undefined;
  const { of = [] } = input;
  const added: Word[] = known?.map((text) => ({ source: text, text })) ?? [
    { source: '$@', text: null, from: of, leads: of },
  ];
  if (replace === undefined) return report.run([...parsed.words, ...added], name);
  if (replace.value?.text === null) report.doubt(`what ${name} fills in can’t be told`);
  const mark = replace.value?.text ?? '{}';
  report.run(
    parsed.words.map((word) => {
      if (word.text?.includes(mark) !== true) return word;
      const only = known !== undefined && lines?.length === 1 ? lines[0]?.trim() : undefined;
      return only === undefined
        ? filled(word, word.text.indexOf(mark), of)
        : { source: word.source, text: word.text.replaceAll(mark, () => only) };
    }),
    name,
  );
}

/** One word for certain, in which only what stands before the mark is known. */
function filled(word: Word, at: number, from: readonly string[]): Word {
  const prefix = (word.text ?? '').slice(0, at);
  return { source: '"{}"', text: null, prefix, from, leads: beginsCommand(prefix) ? from : [] };
}

const shellFlags = /^[-+][abefhiklmnprtuvxBCEHPTLs]*(c?)[abefhiklmnprtuvxBCEHPTLs]*$/;

/** A shell: a command line (`-c`), a file, or what it reads. */
export function shell({ report, name, words }: Call): void {
  const rest = [...words];
  let isCommand = false;
  let isInput = false;
  for (let word = rest[0]; word !== undefined; word = rest[0]) {
    const text = word.isPattern === true ? null : word.text;
    if (text === null) break;
    if (/^[-+][oO]$/.test(text)) rest.splice(0, 2);
    else if (text === '--rcfile' || text === '--init-file') {
      report.doubt(`what ${name} ${text} runs can’t be told`);
      rest.splice(0, 2);
    } else if (/^[-+]\w*o$/.test(text)) {
      isCommand ||= text.includes('c');
      rest.splice(0, 2);
    } else if (/^--(norc|noprofile|posix|restricted|verbose|login|noediting|debugger)$/.test(text)) rest.shift();
    else if (text === '--' || text === '-') {
      rest.shift();
      break;
    } else if (shellFlags.test(text) && text.length > 1) {
      isCommand ||= text.includes('c');
      isInput ||= text.includes('s');
      if (/[il]/.test(text)) report.effect('execute', `${name} ${text} runs its start-up files`);
      rest.shift();
    } else if (/^[-+]/.test(text)) return report.doubt(`${text} is no known option of ${name}`);
    else break;
  }
  run({ report, name }, rest, isCommand, isInput);
}

function run(
  { report, name }: Pick<Call, 'report' | 'name'>,
  rest: Word[],
  isCommand: boolean,
  isInput: boolean,
): void {
  const [first] = rest;
  if (isCommand) {
    // The word behind it is `$0`.
    report.scriptOf(first ?? { source: '', text: null }, `${name} -c`, rest.slice(2));
  } else if (first !== undefined && !isInput) scriptFile({ report, name }, first, rest.slice(1));
  else {
    const { input } = report.invocation;
    report.script(input.from === 'text' ? input.text : null, name);
    report.findings.runsInput = true;
    if (input.from !== 'text') report.effect('execute', `${name} runs what it reads`);
  }
}

/** A file of commands: what stands in it may be said by the line itself. */
function scriptFile({ report, name }: Pick<Call, 'report' | 'name'>, file: Word, given: Word[]): void {
  report.word('program', file, name);
  const { input } = report.invocation;
  const isInput = /^\/dev\/(?:stdin|fd\/0)$/.test(file.text ?? '');
  const text = isInput && input.from === 'text' ? input.text : file.fileText;
  if (text !== undefined) report.script(text, name, undefined, given);
}

/** `source` and `.`. */
export function sourced({ report, name, words }: Call): void {
  const [file, ...given] = words[0]?.text === '--' ? words.slice(1) : words;
  if (file !== undefined) scriptFile({ report, name }, file, given);
}

export function evaluate({ report, name, words }: Call): void {
  const rest = words[0]?.text === '--' ? words.slice(1) : words;
  const texts = rest.map(({ text, isPattern }) => (isPattern === true ? null : text));
  report.findings.code.push(...rest);
  report.script(texts.includes(null) ? null : texts.join(' '), name);
}

/** A script that is only read. What begins with a plus would turn that off. */
export function parsedScript({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const [script] = parsed.words;
  if (script?.text?.startsWith('+') === true) report.doubt(`${script.source} is an option of ${name}`);
  placeWords(report, 'read ...text', name, parsed.words);
}
