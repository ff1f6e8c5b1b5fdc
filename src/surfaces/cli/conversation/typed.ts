/** What a person types in a conversation, as what is meant by it. Pure. */
import { nearest } from '../nearest.ts';

interface CommandSpec {
  /** What follows its name. */
  argument?: string;
  about: string;
  /** May be given while a run works; others want the run interrupted first. */
  works: boolean;
}

/** In the order in which `/help` lists them. */
export const commands = {
  later: { argument: 'TEXT', about: 'Say something when the run would stop, not now.', works: true },
  undo: { argument: '[TURNS]', about: 'Take back what the last turn changed, or so many turns.', works: false },
  diff: { about: 'Show what the session changed, as a patch.', works: true },
  cost: { about: 'Show what was used, and what is left of the limits.', works: true },
  compact: { argument: '[FOCUS]', about: 'Let older turns give way to a summary now.', works: false },
  plan: { about: 'The next run is in mode plan: it only reads.', works: true },
  mode: { argument: '[MODE]', about: 'Show the mode, or the mode of the next run.', works: true },
  model: { argument: '[MODEL]', about: 'Show the model, or go on with another.', works: true },
  limit: { argument: 'NAME VALUE', about: 'Set a limit: turns, calls, minutes or cost; none lifts it.', works: true },
  resume: { argument: '[ID]', about: 'List the sessions of this workspace, or go on with another.', works: false },
  help: { about: 'Show this.', works: true },
  quit: { about: 'End the conversation; so does Ctrl-D.', works: true },
} as const satisfies { [name: string]: CommandSpec };

export type CommandName = keyof typeof commands;

export type Typed =
  | { kind: 'text'; text: string }
  | { kind: 'command'; name: CommandName; argument: string }
  | { kind: 'unknown'; name: string; near?: string };

/** Puts lines together: one that ends in a backslash goes on in the next. */
export class Message {
  #lines: string[] = [];

  /** Whether a line has been given that isn't the last. */
  get isOpen(): boolean {
    return this.#lines.length > 0;
  }

  /** The whole message, when this line is its last. */
  take(line: string): string | undefined {
    if (line.endsWith('\\')) {
      this.#lines.push(line.slice(0, -1));
      return undefined;
    }
    const whole = [...this.#lines, line].join('\n');
    this.#lines = [];
    return whole;
  }

  drop(): void {
    this.#lines = [];
  }
}

const isCommand = (word: string): word is CommandName => Object.hasOwn(commands, word);

/** Undefined for nothing. A path at the beginning (`/etc/hosts is wrong`) is no command. */
export function meaningOf(message: string): Typed | undefined {
  const text = message.trim();
  if (text === '') return undefined;
  const [, name, argument = ''] = /^\/([a-z]+)(?:\s+([^]*))?$/i.exec(text) ?? [];
  if (name === undefined) return { kind: 'text', text };
  const word = name.toLowerCase();
  if (isCommand(word)) return { kind: 'command', name: word, argument };
  const near = nearest(word, Object.keys(commands));
  return { kind: 'unknown', name: word, ...(near !== undefined && { near }) };
}

const usageWidth = 20;

export function helpLines(): string[] {
  const rows = Object.entries<CommandSpec>(commands).map(([name, { argument, about }]) => {
    return `  ${`/${name}${argument === undefined ? '' : ` ${argument}`}`.padEnd(usageWidth)}${about}`;
  });
  return [
    ...rows,
    'Anything else is said to the model; while a run works, it is heard after the present calls.',
    'A line that ends in \\ goes on in the next. Esc or Ctrl-C interrupts, twice ends; Ctrl-D ends.',
  ];
}
