/** From the bytes of a settings file to its syntax tree: JSON with comments and trailing commas. Loaded only when a file exists. */
import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { Json } from '../core/index.ts';
import type { Problem } from './problem.ts';

export interface Parsed {
  /** Absent when the file is empty or holds only comments. */
  root?: Node;
  position: (offset: number) => { line: number; column: number };
}

const expectations: { [code: string]: string } = {
  InvalidSymbol: 'This is no JSON value.',
  PropertyNameExpected: 'Expected a key in double quotes.',
  ValueExpected: 'Expected a value.',
  ColonExpected: 'Expected a colon.',
  CommaExpected: 'Expected a comma.',
  CloseBraceExpected: 'Expected a closing brace.',
  CloseBracketExpected: 'Expected a closing bracket.',
  EndOfFileExpected: 'Expected the end of the file.',
  InvalidCommentToken: 'This comment is not valid.',
  UnexpectedEndOfComment: 'This comment has no end.',
  UnexpectedEndOfString: 'This text has no closing quote.',
  UnexpectedEndOfNumber: 'This number is not complete.',
  InvalidUnicode: 'This escape is not valid.',
  InvalidEscapeCharacter: 'This escape is not valid.',
  InvalidCharacter: 'A control character must be written as an escape.',
};

export function parseSettings(bytes: Buffer): Parsed | Problem[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The decoder says no more than that; the file is refused as a whole.
    return [{ line: 1, column: 1, key: '', text: 'The file is not UTF-8 text.' }];
  }
  const position = positions(text);
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [tooDeep];
  }
  if (errors.length > 0) return errors.map((error) => problemOf(error, position));
  if (root !== undefined && isDeep(root)) return [tooDeep];
  return root === undefined ? { position } : { root, position };
}

/** Settings nest five deep; far more would exhaust the stack of whoever walks the tree. */
const deepest = 20;
const tooDeep: Problem = { line: 1, column: 1, key: '', text: 'The file is nested too deeply.' };

function isDeep(root: Node): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > 2 * deepest) return true;
    level = level.flatMap((node) => node.children ?? []);
  }
  return false;
}

function problemOf(error: ParseError, position: Parsed['position']): Problem {
  const name = printParseErrorCode(error.error);
  return { ...position(error.offset), key: '', text: expectations[name] ?? 'This is not valid JSON.' };
}

/** Lines end with LF, CRLF or CR; columns count UTF-16 units, as editors do. */
function positions(text: string): Parsed['position'] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    const after = starts.findIndex((start) => start > offset);
    const line = after < 0 ? starts.length : after;
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

/** The value of a node; a key like `__proto__` is a key like any other. */
export function valueOf(node: Node): Json {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value as Json;
  return Object.fromEntries(
    propertiesOf(node).flatMap(({ name, value }) => (value === undefined ? [] : [[name, valueOf(value)]])),
  );
}

export interface Property {
  name: string;
  key: Node;
  value?: Node;
}

export function propertiesOf(node: Node): Property[] {
  return (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    if (key === undefined) return [];
    return [{ name: String(key.value), key, ...(value !== undefined && { value }) }];
  });
}

/** The line of a key or of an item of a list. */
export function lineOf(root: Node, path: string[], position: Parsed['position']): number {
  let node = root;
  let line = position(root.offset).line;
  for (const step of path) {
    const property = propertiesOf(node).findLast(({ name }) => name === step);
    const next = node.type === 'array' ? node.children?.[Number(step)] : property?.value;
    if (next === undefined) return line;
    line = position((property?.key ?? next).offset).line;
    node = next;
  }
  return line;
}
