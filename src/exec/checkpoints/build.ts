/** Makes trees of what is known, and one of them all. */
import type { Batch } from './batch.ts';
import { encodeAbout, type About } from './about.ts';
import { keyOf, type ByteText } from './names.ts';
import { entryOf, FolderNode, pathWithin, type Node } from './nodes.ts';
import type { Pace } from './pace.ts';
import type { State } from './state.ts';
import { encodeTree, types, type TreeEntry } from './trees.ts';

/** Entries of a snapshot's own tree. */
export const rootNames = { about: 'about', outside: 'outside', workspace: 'workspace' } as const;

const mostMissing = 500;

/** Gives the id of a snapshot of the state. */
export async function buildSnapshot(state: State, batch: Batch, pace: Pace): Promise<string> {
  const entries: TreeEntry[] = [
    { name: rootNames.about, mode: types.file | 0o644, id: await batch.put('blob', encodeAbout(aboutOf(state))) },
    { name: rootNames.workspace, mode: types.folder | state.root.mode, id: await buildTree(state.root, batch, pace) },
  ];
  const outside: TreeEntry[] = [];
  for (const [place, folder] of [...state.outside.values()].entries()) {
    outside.push({ name: String(place), mode: types.folder | folder.mode, id: await buildTree(folder, batch, pace) });
  }
  if (outside.length > 0)
    entries.push({
      name: rootNames.outside,
      mode: types.folder | 0o755,
      id: await batch.put('tree', encodeTree(outside)),
    });
  return batch.put('tree', encodeTree(entries));
}

/** Gives the id of a folder’s tree. */
export async function buildTree(folder: FolderNode, batch: Batch, pace: Pace): Promise<string> {
  if (folder.id !== undefined) return folder.id;
  for (const child of folder.children.values()) {
    if (!(child instanceof FolderNode) || child.id !== undefined) continue;
    const isEmptyLeftOut = child.why !== undefined && child.children.size === 0;
    if (!isEmptyLeftOut) await buildTree(child, batch, pace);
  }
  if (pace.isDue()) await pace.rest();
  const entries = [...folder.children.values()].flatMap((child) => entryOf(child) ?? []);
  folder.id = await batch.put('tree', encodeTree(entries));
  return folder.id;
}

const abouts = new WeakMap<State, { version: number; about: About }>();

function aboutOf(state: State): About {
  const known = abouts.get(state);
  if (known?.version === state.listsVersion) return known.about;
  // What lies in a folder that is left out is named with it.
  const unkept = [...state.unkept].filter((node) => node.parent?.why === undefined);
  const missing = unkept.map((node) => [keyOf(pathFrom(state, node)) || '.', node.why ?? ''] as const);
  missing.sort(([a], [b]) => (a < b ? -1 : 1));
  const outside = [...state.outside.keys()];
  const git = [...state.gitPlaces].map((node) => placeOf(node, outside));
  git.sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1));
  const about: About = {
    workspace: keyOf(state.root.path),
    outside: outside.map(keyOf),
    git,
    missing: missing.slice(0, mostMissing).map(([path, why]) => ({ path, why })),
    more: Math.max(0, missing.length - mostMissing),
  };
  abouts.set(state, { version: state.listsVersion, about });
  return about;
}

/** From the workspace or, where it lies outside, from the root. */
function pathFrom(state: State, node: Node): ByteText {
  const top = topOf(node);
  const inside = pathWithin(node);
  return top === state.root ? inside : `${top instanceof FolderNode ? top.path : ''}/${inside}`;
}

function topOf(node: Node): Node {
  let top: Node = node;
  while (top.parent !== undefined) top = top.parent;
  return top;
}

function placeOf(node: Node, outside: readonly string[]): [number, string] {
  const top = topOf(node);
  return [outside.indexOf(top instanceof FolderNode ? top.path : ''), keyOf(pathWithin(node))];
}
