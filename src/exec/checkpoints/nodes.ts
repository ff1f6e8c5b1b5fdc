/** The workspace as it was last looked at: a tree in memory, from which snapshots are made and against which the next look compares. */
import type { Rules } from './ignore.ts';
import type { ByteText } from './names.ts';
import type { PatternFile } from './repository-scope.ts';
import type { Scope } from './scope.ts';
import type { Status } from './status.ts';
import { leftOutFolder, partly, permissions, types, type TreeEntry } from './trees.ts';

/** What a file counts towards: each has limits of its own. */
export type Share = 'work' | 'ignored' | 'git';

export class FileNode {
  readonly name: ByteText;
  readonly parent: FolderNode;
  /** `special`: a pipe, socket or device, which is named and nothing else. */
  kind: 'file' | 'link' | 'special' = 'file';
  /** Permission bits. */
  mode = 0;
  /** Of its content, or what stands for it when it isn't kept; undefined when it isn't in snapshots at all. */
  id: string | undefined;
  isKept = false;
  /** Bytes of its content. */
  size = 0;
  share: Share = 'work';
  /** Undefined as long as it has to be read again in any case. */
  status: Status | undefined;
  /** Why it isn't kept. */
  why: string | undefined;
  /** Somebody asked for it by name: then it counts as work, ignored or not. */
  isAsked = false;
  /** Whether it matches a pattern of what is ignored, and the rules of which that was found. */
  matches = false;
  rules: Rules | undefined;

  constructor(parent: FolderNode, name: ByteText) {
    this.parent = parent;
    this.name = name;
  }
}

export class FolderNode {
  readonly name: ByteText;
  readonly parent: FolderNode | undefined;
  /** Absolute. */
  readonly path: ByteText;
  mode = 0;
  /** Of its tree; undefined when something in it changed. */
  id: string | undefined;
  children = new Map<ByteText, FileNode | FolderNode>();
  /** Undefined as long as its names have to be read again in any case. */
  status: Status | undefined;
  /** Why nothing is kept in it but what was asked for by name. */
  why: string | undefined;
  scope: Scope | undefined;
  matches = false;
  rules: Rules | undefined;
  /** Of its own file of patterns, where there is one. */
  patterns: PatternFile | undefined;
  /** The outermost folder around it that is ignored as a whole, or itself. */
  ignoredTop: FolderNode | undefined;
  /** In such a folder: how many files are below. */
  ignoredFiles = 0;

  constructor(parent: FolderNode | undefined, name: ByteText, path?: ByteText) {
    this.parent = parent;
    this.name = name;
    this.path = path ?? `${parent?.path ?? ''}/${name}`;
  }

  /** Says that a snapshot needs a new tree for this folder and all around it. */
  touch(): void {
    this.id = undefined;
    for (let node = this.parent; node !== undefined; node = node.parent) node.id = undefined;
  }
}

export type Node = FileNode | FolderNode;

/** How a node stands in its folder's tree; undefined when it doesn't. */
export function entryOf(node: Node): TreeEntry | undefined {
  if (node instanceof FolderNode) {
    const isLeftOut = node.why !== undefined;
    if (isLeftOut && node.children.size === 0)
      return { name: node.name, mode: types.unkept | node.mode, id: leftOutFolder };
    const mode = types.folder | node.mode | (isLeftOut ? partly : 0);
    return node.id === undefined ? undefined : { name: node.name, mode, id: node.id };
  }
  if (node.id === undefined) return undefined;
  if (!node.isKept) return { name: node.name, mode: types.unkept | node.mode, id: node.id };
  if (node.kind === 'link') return { name: node.name, mode: types.link, id: node.id };
  return { name: node.name, mode: types.file | (node.mode & permissions), id: node.id };
}

/** Path from the outermost folder of a tree; empty for that folder itself. */
export function pathWithin(node: Node): ByteText {
  const steps: ByteText[] = [];
  for (let at: Node = node; at.parent !== undefined; at = at.parent) steps.push(at.name);
  return steps.reverse().join('/');
}
