/** Takes the words of a program apart into options and the rest, by what the table says of it. */
import type { Effect } from '../../core/index.ts';
import type { Word } from './invocation.ts';
import type { Names, Program, WordKind } from './table.ts';

interface Option {
  /** What its value is; undefined for an option without one. */
  kind?: WordKind;
  /** The value may be left out and is part of the same word. */
  isAttached?: boolean;
  effects: Effect[];
}

export interface GivenOption extends Option {
  name: string;
  value?: Word;
}

export interface Parsed {
  options: GivenOption[];
  /** What is no option, in order. */
  words: Word[];
  /** Why it can’t be told for certain. */
  doubts: string[];
}

const compiled = new WeakMap<Program, Map<string, Option>>();

export function names(list: Names | undefined): string[] {
  return list === undefined || list === '' ? [] : list.split(' ');
}

function compile(program: Program): Map<string, Option> {
  const known = compiled.get(program);
  if (known !== undefined) return known;
  const options = new Map<string, Option>();
  for (const name of names(program.flags)) options.set(name, { effects: [] });
  for (const [kind, list] of Object.entries(program.values ?? {})) {
    for (const name of names(list)) options.set(name, { kind: kind as WordKind, effects: [] });
  }
  for (const [kind, list] of Object.entries(program.attached ?? {})) {
    for (const name of names(list)) options.set(name, { kind: kind as WordKind, isAttached: true, effects: [] });
  }
  for (const [effect, list] of Object.entries(program.acts ?? {})) {
    for (const name of names(list)) {
      const option = options.get(name) ?? { effects: [] };
      options.set(name, { ...option, effects: [...option.effects, effect as Effect] });
    }
  }
  compiled.set(program, options);
  return options;
}

/** Kinds of values that make no more of a program than a read. */
const harmless = new Set<WordKind>(['text', 'read', 'tree']);

/** Whether an option makes more of a program than a read. */
export function acts(option: Option): boolean {
  return (
    option.effects.some((effect) => effect !== 'read') || (option.kind !== undefined && !harmless.has(option.kind))
  );
}

/** Whether some word could make more of the program than it is without: an option that acts, or logic of its own. */
function hasActingOptions(program: Program): boolean {
  if (program.isMild === true) return false;
  if (program.logic !== undefined || program.commands !== undefined) return true;
  return [...compile(program).values()].some(acts);
}

/** It is one word for certain, whatever stands in it. */
export function isOneWord(word: Word): boolean {
  if (word.isPattern === true) return false;
  if (word.text !== null) return true;
  return /^(?:--[\w-]+=)?"[^"]*"$/.test(word.source) && !word.source.includes('@');
}

/** What it begins with for certain; an empty text where nothing is known. */
export function beginning(word: Word): string {
  if (word.isPattern === true) return (word.prefix ?? word.text ?? '').replace(/[*?[{+@!(].*$/s, '');
  return word.text ?? word.prefix ?? '';
}

/** Whether what follows this text in a piece of code would be a command or a statement of its own. */
export function beginsCommand(before: string): boolean {
  return /(?:^|[;&|({`\n]|\b(?:do|then|else|eval|exec|sudo|command|time)\s|!\s)[\s"']*$/.test(before);
}

/** Whether it might be an option, now that it isn't known to be one. */
function couldBeOption(word: Word): boolean {
  if (word.isNoOption === true || (word.text !== null && word.isPattern !== true)) return false;
  const start = beginning(word);
  if (word.isPattern === true) return start === '' || start.startsWith('-');
  return !isOneWord(word) || start === '' || start.startsWith('-');
}

export function parseOptions(program: Program, name: string, given: readonly Word[]): Parsed {
  const parser = new OptionParser(program, name, given);
  return parser.parse();
}

/** Whether one of these options is given. */
export function gives({ options }: Parsed, ...wanted: string[]): boolean {
  return options.some(({ name }) => wanted.includes(name));
}

class OptionParser {
  readonly #table: Map<string, Option>;
  readonly #parsed: Parsed = { options: [], words: [], doubts: [] };
  readonly #program: Program;
  readonly #name: string;
  readonly #given: readonly Word[];
  #at = 0;

  constructor(program: Program, name: string, given: readonly Word[]) {
    this.#program = program;
    this.#name = name;
    this.#given = given;
    this.#table = compile(program);
  }

  parse(): Parsed {
    const { style, stops } = this.#program;
    for (; this.#at < this.#given.length; this.#at++) {
      const word = this.#given[this.#at];
      if (word === undefined) break;
      const text = word.isPattern === true ? null : word.text;
      if (style === 'none') this.#parsed.words.push(word);
      else if (text === '--') {
        this.#parsed.words.push(...this.#given.slice(this.#at + 1));
        break;
      } else if (text !== null && text.length > 1 && text.startsWith('-')) this.#option(text, word);
      else {
        this.#word(word);
        if (stops !== true) continue;
        this.#parsed.words.push(...this.#given.slice(this.#at + 1));
        break;
      }
    }
    return this.#parsed;
  }

  #word(word: Word): void {
    const risky = hasActingOptions(this.#program) || this.#program.stops === true;
    const { prefix } = word;
    // `--format=$x` is that option, whatever stands behind it, where it stays one word.
    const named = prefix !== undefined && isOneWord(word) ? /^(--[\w-]+)=/.exec(prefix)?.[1] : undefined;
    if (named !== undefined) this.#long(named, { source: word.source, text: null });
    else if (couldBeOption(word) && risky) {
      this.#doubt(`${word.source} could be an option of ${this.#name}`);
      this.#parsed.words.push(word);
    } else this.#parsed.words.push(word);
  }

  #option(text: string, word: Word): void {
    if (this.#program.style === 'single') {
      const [, option = text, value] = /^(-[^=]+)=(.*)$/s.exec(text) ?? [];
      const single = this.#table.has(option) ? option : option.replace(/^--/, '-');
      this.#long(single, value === undefined ? undefined : part(word, value));
    } else if (text.startsWith('--')) {
      const [, option = text, value] = /^(--[^=]+)=(.*)$/s.exec(text) ?? [];
      this.#long(option, value === undefined ? undefined : part(word, value));
    } else if (/^-\d+$/.test(text) && this.#table.has('-#')) this.#parsed.options.push({ name: '-#', effects: [] });
    else this.#cluster(text, word);
  }

  #long(written: string, value: Word | undefined): void {
    const exact = this.#table.get(written);
    // Any unmistakable beginning of a name stands for it; only what acts is looked for, as another might not be in the table.
    const name = exact === undefined ? this.#actingFor(written) : written;
    const option = name === undefined ? undefined : this.#table.get(name);
    if (option === undefined || name === undefined) this.#unknown(written);
    else if (option.kind === undefined) {
      this.#give(name, option, undefined);
      if (value !== undefined) this.#unknown(`${written}=…`);
    } else if (value !== undefined || option.isAttached === true) this.#give(name, option, value);
    else this.#give(name, option, this.#next());
  }

  #actingFor(written: string): string | undefined {
    if (this.#program.style === 'single') return undefined;
    return [...this.#table].find(([name, option]) => acts(option) && name.startsWith(written))?.[0];
  }

  #cluster(text: string, word: Word): void {
    for (let at = 1; at < text.length; at++) {
      const name = `-${text[at] ?? ''}`;
      const option = this.#table.get(name);
      if (option === undefined) {
        if (this.#program.anyOption === true) continue;
        return this.#unknown(name === text ? text : `${name} (in ${text})`);
      }
      if (option.kind === undefined) {
        this.#give(name, option, undefined);
        continue;
      }
      const rest = text.slice(at + 1);
      if (rest !== '') return this.#give(name, option, part(word, rest));
      return this.#give(name, option, option.isAttached === true ? undefined : this.#next());
    }
  }

  #next(): Word | undefined {
    this.#at++;
    const word = this.#given[this.#at];
    if (word === undefined) return undefined;
    // A value that may turn into several words brings words of its own, and these may be options.
    const isSafe =
      isOneWord(word) ||
      word.isNoOption === true ||
      (word.isPattern === true && beginning(word) !== '' && !couldBeOption(word));
    if (!isSafe && hasActingOptions(this.#program)) {
      this.#doubt(`${word.source} may become several words for ${this.#name}`);
    }
    return word;
  }

  #give(name: string, option: Option, value: Word | undefined): void {
    this.#parsed.options.push({ ...option, name, ...(value !== undefined && { value }) });
  }

  #unknown(option: string): void {
    if (this.#program.anyOption !== true) this.#doubt(`${option} is no known option of ${this.#name}`);
  }

  #doubt(reason: string): void {
    this.#parsed.doubts.push(reason);
  }
}

function part(word: Word, text: string): Word {
  return { source: word.source, text };
}
