/** A session as a picture of its branches: the path that goes on straight down, what was left beside it. */
import type { SessionTree, TreeNode } from '../../../harness/index.ts';
import { clip, oneLine, widthOf } from '../printable.ts';
import type { Style } from './style.ts';

const signs: { readonly [K in TreeNode['kind']]: string } = {
  input: '>',
  turn: '●',
  compaction: '~',
  undo: '↩',
  stop: '■',
};

export function treeLines(tree: SessionTree, style: Style): string[] {
  const title = `${oneLine(tree.session)}  ${oneLine(tree.title)}`;
  const marks = marksOf(tree);
  const children = childrenOf(tree.nodes);
  const lines: string[] = [];
  const begin = marks.get(null);
  if (begin !== undefined) lines.push(begin);
  drawBelow(null, '', { children, marks, main: pathTo(tree), style, lines });
  return [clip(title, style.width), ...lines];
}

interface Drawing {
  children: Map<string | null, TreeNode[]>;
  marks: Map<string | null, string>;
  /** The nodes on the path that goes on. */
  main: Set<string>;
  style: Style;
  lines: string[];
}

/** Straight down along one branch; the others that begin on the way are drawn beside it first. */
function drawBelow(top: string | null, before: string, drawing: Drawing): void {
  let beside = before;
  for (let at: string | null = top; ;) {
    const next: TreeNode[] = drawing.children.get(at) ?? [];
    const straight = next.find(({ id }) => drawing.main.has(id)) ?? (isEnd(at, drawing) ? undefined : next.at(-1));
    for (const node of next) {
      if (node === straight) continue;
      drawing.lines.push(lineOf(node, `${beside}├─`, drawing));
      drawBelow(node.id, `${beside}│ `, drawing);
    }
    if (straight === undefined) return;
    drawing.lines.push(lineOf(straight, beside, drawing));
    at = straight.id;
    beside = before;
  }
}

/** Where the path that goes on ends, whatever was recorded behind it lies beside it. */
function isEnd(at: string | null, { main, marks }: Drawing): boolean {
  return (at === null ? main.size === 0 : main.has(at)) && (marks.get(at) ?? '').includes(headMark);
}

const headMark = '◀ head';

function lineOf(node: TreeNode, before: string, { marks, style }: Drawing): string {
  const turn = node.turn === undefined ? '' : `turn ${node.turn} `;
  const tools = (node.tools ?? []).map((tool) => `[${oneLine(tool)}] `).join('');
  const mark = marks.get(node.id);
  const start = `${style.dim(node.id)} ${before}${signs[node.kind]} ${mark === undefined ? '' : `${style.bold(mark)} `}`;
  const taken = widthOf(`${node.id} ${before}  ${signs[node.kind]}${mark ?? ''}`);
  return `${start}${clip(`${turn}${tools}${oneLine(node.text)}`, Math.max(20, style.width - taken))}`.trimEnd();
}

/** Names of branches where they stand, sessions that were forked there, and the head. */
function marksOf({ branches, branch, headNode, forks }: SessionTree): Map<string | null, string> {
  const marks = new Map<string | null, string>();
  const add = (node: string | null, mark: string): void => {
    marks.set(node, [marks.get(node), mark].filter((each) => each !== undefined).join(' '));
  };
  for (const each of branches) if (each.branch !== branch) add(each.node, `[${oneLine(each.branch)}]`);
  for (const { node, session } of forks) add(node, `⑂ ${oneLine(session)}`);
  add(headNode, `[${oneLine(branch)}] ${headMark}`);
  return marks;
}

function childrenOf(nodes: readonly TreeNode[]): Map<string | null, TreeNode[]> {
  const children = new Map<string | null, TreeNode[]>();
  for (const node of nodes) children.set(node.parent, [...(children.get(node.parent) ?? []), node]);
  return children;
}

function pathTo({ nodes, headNode }: SessionTree): Set<string> {
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const path = new Set<string>();
  for (let at = headNode; at !== null; at = parents.get(at) ?? null) path.add(at);
  return path;
}
