/** What a grammar can't read in a text. */
import type { ParseErrorCode } from 'jsonc-parser';
import type { Node, Tree } from 'web-tree-sitter';
import type { Finding } from './finding.ts';
import { parserFor } from './grammar.ts';

/** Milliseconds that the reading of one text may take. */
const longestParse = 1_000;
const findingsAtMost = 50;
const excerptShown = 40;

/** The places at which the text can't be read; undefined where it took too long to tell. Rejects where the grammar can't be loaded. */
export async function syntaxFindings(text: string, grammar: string): Promise<Finding[] | undefined> {
  if (grammar === 'json') return jsonFindings(text);
  const parser = await parserFor(grammar);
  const end = performance.now() + longestParse;
  let tree: Tree | null = null;
  try {
    tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
    return tree === null ? undefined : findingsIn(tree.rootNode);
  } finally {
    tree?.delete();
    parser.delete();
  }
}

/** The outermost nodes that are wrong; what lies in them says nothing more. */
function findingsIn(root: Node): Finding[] {
  const findings: Finding[] = [];
  const open = root.hasError ? [root] : [];
  while (open.length > 0 && findings.length < findingsAtMost) {
    const node = open.pop();
    if (node === undefined) break;
    if (node.isError || node.isMissing) findings.push(findingOf(node));
    else
      for (const child of node.children.toReversed()) {
        if (child.hasError || child.isMissing) open.push(child);
      }
  }
  return findings;
}

function findingOf(node: Node): Finding {
  const { row, column } = node.startPosition;
  const what = node.isMissing ? `${node.type} is missing` : `unexpected ${excerptOf(node.text)}`;
  return { line: row + 1, column: column + 1, what, source: 'syntax' };
}

function excerptOf(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return `\`${line.slice(0, excerptShown).toWellFormed()}\``;
}

async function jsonFindings(text: string): Promise<Finding[]> {
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: { error: ParseErrorCode; offset: number; length: number }[] = [];
  // Many files of this kind have comments; their readers say what they think of them.
  parse(text, errors, { disallowComments: false, allowTrailingComma: true, allowEmptyContent: true });
  return errors.slice(0, findingsAtMost).map(({ error, offset }) => {
    const before = text.slice(0, offset).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    return { line: before.length, column, what: printParseErrorCode(error), source: 'syntax' };
  });
}
