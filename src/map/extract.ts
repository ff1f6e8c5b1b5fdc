/** Finds what a file defines, in the tree of its grammar. */
import type { Node } from 'web-tree-sitter';
import type { Defining, Language } from './languages/index.ts';
import { signatureOf } from './signature.ts';
import type { Definition, Kind } from './symbols.ts';

/** Definitions of one file, and how deep they may stand in each other. */
const mostDefinitions = 500;
const deepest = 6;
/** Steps from a definition to its name; a declarator of C can be wrapped again and again. */
const longestWay = 12;

const isName = /^[~$\w\u00aa-\uffff]{1,100}[?!=]?$/;

interface Place {
  node: Node;
  depth: number;
}

/** In the order of the file. What is defined within a function is its own affair. */
export function definitionsIn(text: string, root: Node, language: Language): Definition[] {
  const { defining, through } = language;
  const found: Definition[] = [];
  // What stands in a part that can’t be read as a whole is found all the same.
  const passed = new Set([...through, 'ERROR']);
  const open: Place[] = [{ node: root, depth: 0 }];
  for (let place = open.pop(); place !== undefined && found.length < mostDefinitions; place = open.pop()) {
    const { node, depth } = place;
    const how = Object.hasOwn(defining, node.type) ? defining[node.type] : undefined;
    const isMeant = how !== undefined && !(how.isTop === true && depth > 0);
    const definition = isMeant ? definitionOf(text, { node, depth }, how, language) : undefined;
    if (definition !== undefined) found.push(definition);
    const isOpen = definition === undefined ? passed.has(node.type) || how?.only !== undefined : how?.holds === true;
    if (!isOpen || depth >= deepest) continue;
    const below = definition === undefined ? depth : depth + 1;
    for (const child of node.namedChildren.toReversed()) open.push({ node: child, depth: below });
  }
  return found;
}

function definitionOf(
  text: string,
  { node, depth }: Place,
  how: Defining,
  { lexis }: Language,
): Definition | undefined {
  const way = wayToName(node, how.name ?? ['name']);
  const last = way.at(-1);
  if (last === undefined) return undefined;
  const name = text.slice(last.startIndex, last.endIndex);
  if (!isName.test(name)) return undefined;
  const value = how.value === undefined ? null : node.childForFieldName(how.value);
  const body = node.childForFieldName('body');
  const { only } = how;
  if (only !== undefined && ![...way, value, body].some((each) => each !== null && only.includes(each.type)))
    return undefined;
  const inner = body ?? value?.childForFieldName('body') ?? null;
  const end = (inner ?? value)?.startIndex ?? endOfLine(text, last.endIndex, node.endIndex);
  return {
    name,
    kind: how.kind === 'constant' && body === null && inner !== null ? kindOfValue(value) : how.kind,
    line: last.startPosition.row + 1,
    depth,
    signature: signatureOf(text, node.startIndex, end, lexis),
  };
}

/** The nodes from a definition to its name, that of the name last; empty where it has none. */
function wayToName(node: Node, fields: readonly string[]): Node[] {
  const way: Node[] = [];
  for (let at = node; way.length < longestWay;) {
    const next = fields.map((field) => at.childForFieldName(field)).find((child) => child !== null);
    if (next === undefined) return way;
    way.push(next);
    at = next;
  }
  return [];
}

function kindOfValue(value: Node | null): Kind {
  return value?.type.includes('class') === true ? 'class' : 'function';
}

function endOfLine(text: string, from: number, most: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? most : Math.min(end, most);
}
