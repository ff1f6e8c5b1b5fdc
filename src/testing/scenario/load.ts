/** Reads scenario files. What is wrong with one is named with file, line, column and key. */
import { readFile } from 'node:fs/promises';
import type { Node, ParseError } from 'jsonc-parser';
import { ReinsError, systemReason } from '../../core/index.ts';
import { findContradictions, type Fault } from './contradictions.ts';
import type { Scenario } from './types.ts';

/**
 * Reads and checks a scenario file: JSON with comments, in UTF-8.
 * @throws ReinsError `scenario-invalid`, naming file, line, column and key.
 */
export async function loadScenario(file: string): Promise<Scenario> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    throw new ReinsError('scenario-invalid', `${file}: ${systemReason(cause)}.`, { cause });
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ReinsError('scenario-invalid', `${file}: the text isn’t UTF-8.`, { cause });
  }
  return parseScenario(text, file);
}

/**
 * Checks the text of a scenario; `name` stands for it in messages.
 * @throws ReinsError `scenario-invalid`, naming name, line, column and key.
 */
export async function parseScenario(text: string, name: string): Promise<Scenario> {
  // Loaded here and not at the top: only who reads a scenario pays for the parser and the schema.
  const [{ parseTree, getNodeValue, findNodeAtLocation, printParseErrorCode }, { findFault }] = await Promise.all([
    import('jsonc-parser'),
    import('./validate.ts'),
  ]);
  const fail = (offset: number, what: string): never => {
    const before = text.slice(0, offset).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new ReinsError('scenario-invalid', `${name}:${before.length}:${column}: ${what}.`);
  };

  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) return fail(error.offset, `isn’t JSON (${readable(printParseErrorCode(error.error))})`);
  if (!tree) return fail(0, 'the file is empty');
  const twice = repeatedKey(tree);
  if (twice) return fail(twice.offset, `the key ${JSON.stringify(twice.value)} is there twice`);

  const value: unknown = getNodeValue(tree);
  const fault: Fault | undefined = findFault(value) ?? findContradictions(value as Scenario)[0];
  if (!fault) return value as Scenario;
  // The place of a missing key is the object that lacks it; an unknown key has a place of its own.
  const node = findNodeAtLocation(tree, fault.path) ?? tree;
  const property = node.parent?.type === 'property' ? node.parent : node;
  return fail(property.offset, `${pathText(fault.path)} ${fault.message}`);
}

/** The first key that an object has twice: JSON lets the last one win, silently. */
function repeatedKey(node: Node): Node | undefined {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const key = child.type === 'property' ? child.children?.[0] : undefined;
    if (key && seen.has(key.value)) return key;
    if (key) seen.add(key.value);
    const inner = repeatedKey(child);
    if (inner) return inner;
  }
  return undefined;
}

/** `InvalidSymbol` -> `invalid symbol`. */
const readable = (code: string): string => code.replace(/(?<!^)[A-Z]/g, ' $&').toLowerCase();

function pathText(path: (string | number)[]): string {
  if (path.length === 0) return 'the scenario';
  const parts = path.map((part, index) => {
    // Anything but a plain name is quoted, so that a message stays one readable line.
    if (typeof part === 'number' || !/^[\w$-]+$/.test(part)) return `[${JSON.stringify(part)}]`;
    return index === 0 ? part : `.${part}`;
  });
  return parts.join('');
}
