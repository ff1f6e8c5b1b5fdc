/** Shapes of calls, as rules and grants name them. */
import { ReinsError } from '../core/index.ts';
import { quoteWord, simpleCommand } from './words.ts';

/**
 * `tool`: any call of it. `shell(git log)`: exactly this command; `shell(npm test *)`: with any further words, also none.
 * `write(src/**)`: a tool on paths, relative to the workspace. See docs/rules.md.
 */
export interface Shape {
  text: string;
  tool: string;
  /** The words of a command; `open`: any others may follow. */
  command?: { words: string[]; open: boolean };
  /** A pattern for paths relative to the workspace. */
  paths?: string;
}

const form = /^([a-zA-Z0-9_-]{1,64})(?:\((.*)\))?$/s;

/** A shape, or what is wrong with its text. */
export function parseShape(text: string): Shape | { problem: string } {
  const match = form.exec(text.trim());
  if (match === null) return { problem: `"${text}" is no shape: write tool, shell(command) or tool(paths).` };
  const [, tool = '', inner] = match;
  const shape = { text: text.trim(), tool };
  if (inner === undefined) return shape;
  const body = inner.trim();
  if (body === '') return { problem: `"${text}": the parentheses are empty; leave them out to mean every call.` };
  if (body === '*') return shape;
  return tool === 'shell' ? commandShape(shape, body) : pathShape(shape, body);
}

function commandShape(shape: Shape, body: string): Shape | { problem: string } {
  const open = body.endsWith(' *');
  const command = simpleCommand(open ? body.slice(0, -2) : body);
  if ('words' in command) return { ...shape, command: { words: command.words, open } };
  const star = body.includes('*') ? ' A `*` stands alone at the end, for any further words.' : '';
  return { problem: `"${shape.text}": a command shape is one plain command; this has ${command.unclear}.${star}` };
}

function pathShape(shape: Shape, body: string): Shape | { problem: string } {
  const paths = body.replace(/^(\.\/)+/, '');
  const outside = paths.startsWith('/') || paths.startsWith('~') || paths.split('/').includes('..');
  if (!outside && paths !== '') return { ...shape, paths };
  return { problem: `"${shape.text}": a path pattern is relative to the workspace and stays in it.` };
}

/** A shape that must be right, since it was checked where it came from. Throws `config-invalid`. */
export function shapeOf(text: string): Shape {
  const shape = parseShape(text);
  if ('problem' in shape) throw new ReinsError('config-invalid', shape.problem);
  return shape;
}

/** The shape of a command of these words, alone or with any behind them. Undefined where they have no plain spelling. */
export function shapeOfWords(words: readonly string[], open: boolean): string | undefined {
  const written = words.map(quoteWord);
  // A quoted reserved word, say, has no plain spelling: then there is no shape.
  if (written.includes(undefined)) return undefined;
  const shape = `shell(${written.join(' ')}${open ? ' *' : ''})`;
  const parsed = parseShape(shape);
  return 'problem' in parsed || parsed.command === undefined || parsed.command.open !== open ? undefined : shape;
}

/** The shape of a tool on one path; undefined where the path would be read as a pattern. */
export function shapeOfPath(tool: string, path: string): string | undefined {
  const shape = `${tool}(${path})`;
  const parsed = parseShape(shape);
  if ('problem' in parsed || parsed.paths !== path || /[*?\0-\x1f]/.test(path)) return undefined;
  return shape;
}
