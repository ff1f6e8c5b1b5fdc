/** From the words of a command line to options and positionals; what doesn't fit is a usage error that says the way out. */
import { parseArgs } from 'node:util';
import { nearest } from './nearest.ts';
import { oneLine } from './printable.ts';

export interface OptionSpec {
  name: string;
  short?: string;
  /** What its value is called in the help; an option without is a switch. */
  value?: string;
  /** The value may be left out (given only as `--name=VALUE`, or taken from the positionals by the command). */
  valueOptional?: true;
  /** May be given several times. */
  many?: true;
  about: string;
}

export interface CommandSpec {
  name: string;
  /** The command in one line, for the list of commands. */
  summary: string;
  /** How it is called, without the leading `reins`. */
  usage: readonly string[];
  /** Calls as somebody would write them, without the leading `reins`. */
  examples: readonly string[];
  options: readonly OptionSpec[];
  /** The most positionals that it takes. */
  positionals: number;
  /** The way out where there are more. */
  tooMany?: string;
  /** Takes everything after `--` as it is: the words of another program. */
  takesRest?: true;
  /** More lines for its help. */
  notes?: readonly string[];
}

export interface Arguments {
  /** Every value of an option, in order; a switch has one empty value. */
  options: Map<string, string[]>;
  positionals: string[];
  /** The positional that followed a switch directly, by the switch's name. */
  after: Map<string, string>;
  /** What followed `--`, of a command that takes it. */
  rest: string[];
}

/** What a person wrote can't be carried out as written. Exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

const help: OptionSpec = { name: 'help', short: 'h', about: 'Show this help.' };

/** The options of a command, `--help` included: every command has it. */
export function optionsOf(spec: CommandSpec): OptionSpec[] {
  return [...spec.options, help];
}

/** Throws a UsageError for unknown, repeated or incomplete options and for positionals that are too many. */
export function parseArguments(spec: CommandSpec, given: readonly string[]): Arguments {
  const end = spec.takesRest === true ? given.indexOf('--') : -1;
  const words = end < 0 ? given : given.slice(0, end);
  const options = optionsOf(spec);
  const config = Object.fromEntries(
    options.map(({ name, short, value, valueOptional, many }) => {
      const type = value !== undefined && valueOptional === undefined ? ('string' as const) : ('boolean' as const);
      return [name, { type, multiple: many === true, ...(short !== undefined && { short }) }];
    }),
  );
  // Not strict: its errors name no alternative, and an option's value that looks like an option would go unnoticed in neither.
  const { tokens } = parseArgs({
    args: [...words],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const parsed: Arguments = {
    options: new Map(),
    positionals: [],
    after: new Map(),
    rest: end < 0 ? [] : given.slice(end + 1),
  };
  let lastSwitch: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      parsed.positionals.push(token.value);
      if (lastSwitch !== undefined) parsed.after.set(lastSwitch, token.value);
    }
    lastSwitch = undefined;
    if (token.kind !== 'option') continue;
    const option = options.find(({ name }) => name === token.name);
    if (option === undefined) throw unknownOption(token.rawName, options);
    const value = valueOf(option, token);
    const values = parsed.options.get(option.name) ?? [];
    if (values.length > 0 && option.many !== true) throw new UsageError(`${token.rawName} is given twice.`);
    parsed.options.set(option.name, [...values, value]);
    if (option.value === undefined || option.valueOptional) lastSwitch = option.name;
  }
  if (parsed.positionals.length > spec.positionals && !parsed.options.has('help')) {
    throw tooMany(spec, parsed.positionals);
  }
  return parsed;
}

function valueOf(
  option: OptionSpec,
  token: { rawName: string; value: string | undefined; inlineValue?: boolean | undefined },
): string {
  const { rawName, value, inlineValue } = token;
  if (option.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    return '';
  }
  if (value === undefined) {
    if (option.valueOptional) return '';
    throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}.`);
  }
  if (inlineValue !== true && value.startsWith('-') && value.length > 1) {
    const written = `${rawName}=${oneLine(value)}`;
    throw new UsageError(
      `${rawName} needs a value, and ${oneLine(value)} looks like an option; if it is meant, write ${written}.`,
    );
  }
  return value;
}

function unknownOption(rawName: string, options: OptionSpec[]): UsageError {
  const shown = oneLine(rawName);
  if (!rawName.startsWith('--')) {
    const known = options.flatMap(({ short }) => (short === undefined ? [] : [`-${short}`]));
    return new UsageError(`The option ${shown} is unknown; known are ${known.join(', ')} and the long ones.`);
  }
  const near = nearest(
    rawName.slice(2),
    options.map(({ name }) => name),
  );
  const hint = near === undefined ? '' : ` Did you mean --${near}?`;
  return new UsageError(`The option ${shown} is unknown.${hint}`);
}

function tooMany(spec: CommandSpec, positionals: string[]): UsageError {
  const first = positionals[spec.positionals] ?? '';
  const hint = spec.tooMany === undefined ? '' : ` ${spec.tooMany}`;
  return new UsageError(`There is an argument too many: ${JSON.stringify(oneLine(first))}.${hint}`);
}

/** The only value of an option, if it was given. */
export function valueIn(parsed: Arguments, name: string): string | undefined {
  return parsed.options.get(name)?.[0];
}

/** One of some words, or a usage error that names them. */
export function oneOf<Word extends string>(what: string, value: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  const near = nearest(value, words);
  const hint = near === undefined ? `It is one of ${words.join(', ')}.` : `Did you mean ${near}?`;
  throw new UsageError(`${what} can’t be ${JSON.stringify(oneLine(value))}. ${hint}`);
}
