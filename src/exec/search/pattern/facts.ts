/** What can be said of a pattern without running it. */
import { PatternError, type ClassSet, type Node } from './syntax.ts';

const newline = 10;

/** Throws where a pattern that is matched line by line demands a line feed. */
export function demandNoNewline(node: Node): void {
  const isNewline =
    (node.kind === 'literal' && node.character === newline) || (node.kind === 'class' && isOnlyNewline(node.set));
  if (isNewline) throw new PatternError('the literal "\\n" is not allowed in a regex', -1, 0, 'newline');
  for (const child of childrenOf(node)) demandNoNewline(child);
}

function isOnlyNewline(set: ClassSet): boolean {
  if (set.kind === 'range') return set.from === newline && set.to === newline;
  return set.kind === 'union' && !set.negated && set.items.length > 0 && set.items.every(isOnlyNewline);
}

function childrenOf(node: Node): Node[] {
  if (node.kind === 'concat' || node.kind === 'alternatives') return node.nodes;
  return node.kind === 'group' || node.kind === 'repeat' ? [node.node] : [];
}

/** Whether a match can hold a line feed or depends on where one is; what can't is searched line by line even if it may span lines. */
export function seesNewlines(node: Node): boolean {
  switch (node.kind) {
    case 'literal':
      return node.character === newline;
    case 'dot':
      return node.all;
    case 'class':
      return mayHoldNewline(node.set);
    case 'assertion':
      return ['line-start', 'line-end', 'text-start', 'text-end'].includes(node.assertion);
    default:
      return childrenOf(node).some(seesNewlines);
  }
}

/** True also where that would take a closer look: then more is searched at once than need be, with the same result. */
function mayHoldNewline(set: ClassSet): boolean {
  switch (set.kind) {
    case 'range':
      return set.from <= newline && newline <= set.to;
    case 'perl':
      return (set.name === 's') !== set.negated;
    case 'ascii':
      return ['ascii', 'cntrl', 'space'].includes(set.name) !== set.negated;
    case 'property':
      return true;
    case 'union':
      return set.items.some(mayHoldNewline) !== set.negated;
    default:
      return mayHoldNewline(set.left) || mayHoldNewline(set.right);
  }
}

/** The longest text that stands in every match, letter for letter; empty where there is none. */
export function requiredText(node: Node): string {
  switch (node.kind) {
    case 'literal':
      return node.fold ? '' : String.fromCodePoint(node.character);
    case 'group':
      return requiredText(node.node);
    case 'alternatives':
      return node.nodes.length === 1 && node.nodes[0] !== undefined ? requiredText(node.nodes[0]) : '';
    case 'repeat':
      return node.least > 0 ? requiredText(node.node) : '';
    case 'concat':
      return longestRun(node.nodes);
    default:
      return '';
  }
}

/** Literals that stand beside each other make one text. */
function longestRun(nodes: Node[]): string {
  let longest = '';
  let run = '';
  for (const node of nodes) {
    run = node.kind === 'literal' && !node.fold ? run + String.fromCodePoint(node.character) : '';
    const text = run === '' ? requiredText(node) : run;
    if (text.length > longest.length) longest = text;
  }
  return longest;
}
