/** All that is known of a workspace in memory, and the only place that changes it. */
import type { Budget } from './limits.ts';
import { FileNode, FolderNode, type Node, type Share } from './nodes.ts';
import type { ByteText } from './names.ts';
import type { RepositoryScope } from './repository-scope.ts';
import { statusOf, type Status } from './status.ts';
import { fingerprint, permissions, unkeptIgnored } from './trees.ts';
import type { BigIntStats } from 'node:fs';

export class State {
  readonly root: FolderNode;
  /** Folders with Git's data outside of the workspace, by path. */
  readonly outside = new Map<ByteText, FolderNode>();
  readonly budget: Budget;
  /** Absolute paths that are no part of the workspace. */
  readonly excluded: ReadonlySet<ByteText>;
  /** What isn't kept, and why is said in each. */
  readonly unkept = new Set<Node>();
  /** Folders with Git's data: each `.git`, and those inside them that are whole Git folders as well; and files that point to one. */
  readonly gitPlaces = new Set<Node>();
  /** The one that the workspace belongs to. */
  repository: RepositoryScope | undefined;
  /** Changes with the two lists above. */
  listsVersion = 0;

  constructor(workspace: ByteText, budget: Budget, excluded: ReadonlySet<ByteText> = new Set()) {
    this.root = new FolderNode(undefined, '', workspace);
    this.budget = budget;
    this.excluded = excluded;
  }

  addFile(folder: FolderNode, name: ByteText): FileNode {
    const node = new FileNode(folder, name);
    this.#add(folder, node);
    if (folder.ignoredTop !== undefined) folder.ignoredTop.ignoredFiles += 1;
    return node;
  }

  addFolder(folder: FolderNode, name: ByteText): FolderNode {
    const node = new FolderNode(folder, name);
    this.#add(folder, node);
    return node;
  }

  /** The folder of Git's data at an absolute path outside of the workspace. */
  outsideFolder(path: ByteText): FolderNode {
    const known = this.outside.get(path);
    if (known !== undefined) return known;
    const node = new FolderNode(undefined, '', path);
    this.outside.set(path, node);
    this.budget.entries += 1;
    this.listsVersion += 1;
    return node;
  }

  #add(folder: FolderNode, node: Node): void {
    const old = folder.children.get(node.name);
    if (old !== undefined) this.drop(old);
    folder.children.set(node.name, node);
    folder.touch();
    this.budget.entries += 1;
  }

  /** Takes in a node that was read from a manifest. */
  restore(node: Node): void {
    node.parent?.children.set(node.name, node);
    this.budget.entries += 1;
    if (node.why !== undefined) this.unkept.add(node);
    if (!(node instanceof FileNode)) return;
    this.budget.restore(node);
    if (node.parent.ignoredTop !== undefined) node.parent.ignoredTop.ignoredFiles += 1;
  }

  /** Takes something out, with all that is below. */
  drop(node: Node): void {
    if (node.parent?.children.get(node.name) === node) node.parent.children.delete(node.name);
    node.parent?.touch();
    if (node instanceof FolderNode && this.outside.get(node.path) === node) this.outside.delete(node.path);
    this.#forget(node);
  }

  #forget(start: Node): void {
    const waiting = [start];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      this.budget.entries -= 1;
      this.setWhy(node, undefined);
      if (this.gitPlaces.delete(node)) this.listsVersion += 1;
      if (node instanceof FileNode) {
        this.budget.release(node);
        if (node.parent.ignoredTop !== undefined) node.parent.ignoredTop.ignoredFiles -= 1;
        continue;
      }
      for (const child of node.children.values()) waiting.push(child);
    }
  }

  setWhy(node: Node, why: string | undefined): void {
    if (node.why === why) return;
    node.why = why;
    if (why === undefined) this.unkept.delete(node);
    else this.unkept.add(node);
    this.listsVersion += 1;
    node.parent?.touch();
  }

  setGitPlace(node: Node, isOne: boolean): void {
    if (this.gitPlaces.has(node) === isOne) return;
    if (isOne) this.gitPlaces.add(node);
    else this.gitPlaces.delete(node);
    this.listsVersion += 1;
  }

  setFolderMode(folder: FolderNode, mode: bigint): void {
    const bits = Number(mode) & permissions;
    if (folder.mode === bits) return;
    folder.mode = bits;
    folder.parent?.touch();
  }

  /** Nothing in a folder is kept any more, but what was asked for by name. */
  leaveOut(folder: FolderNode, why: string, status: Status | undefined): void {
    for (const child of folder.children.values()) {
      if (!holdsAsked(child)) this.drop(child);
      else if (child instanceof FolderNode) this.leaveOut(child, why, undefined);
    }
    folder.touch();
    folder.ignoredTop = undefined;
    folder.ignoredFiles = 0;
    folder.status = status;
    this.setWhy(folder, why);
  }

  /** A file or link whose content is kept. The budget has admitted it. `status`: undefined when it has to be read again. */
  setKept(
    node: FileNode,
    kind: 'file' | 'link',
    now: BigIntStats,
    content: { id: string; status: Status | undefined },
  ): void {
    this.setWhy(node, undefined);
    this.#set(node, kind, now, content.id);
    node.status = content.status;
  }

  /** A file that is there, but whose content isn't kept. */
  setUnkept(node: FileNode, share: Share, now: BigIntStats, why: string, lasting: boolean): void {
    this.budget.release(node);
    this.setWhy(node, why);
    node.share = share;
    node.size = Number(now.size);
    // Of ignored files only their being there counts.
    const id = share === 'ignored' ? unkeptIgnored : fingerprintOf(now);
    this.#set(node, 'file', now, id);
    node.status = lasting ? statusOf(now) : undefined;
  }

  /** What is no file, or can't even be looked at: it is named, and isn't in snapshots. */
  setSpecial(node: FileNode, why: string, now: BigIntStats | undefined): void {
    this.budget.release(node);
    this.setWhy(node, why);
    if (node.id !== undefined) node.parent.touch();
    node.id = undefined;
    node.kind = 'special';
    node.status = now && statusOf(now);
  }

  /** Says of a file what another state says of it. */
  copyFile(to: FileNode, from: FileNode): void {
    this.budget.copy(to, from);
    this.setWhy(to, from.why);
    to.kind = from.kind;
    to.mode = from.mode;
    to.id = from.id;
    to.status = from.status;
    to.isAsked = from.isAsked;
    to.parent.touch();
  }

  #set(node: FileNode, kind: 'file' | 'link', now: BigIntStats, id: string): void {
    const mode = Number(now.mode) & permissions;
    if (node.kind === kind && node.mode === mode && node.id === id) return;
    node.kind = kind;
    node.mode = mode;
    node.id = id;
    node.parent.touch();
  }
}

function holdsAsked(node: Node): boolean {
  if (node instanceof FileNode) return node.isAsked;
  return [...node.children.values()].some(holdsAsked);
}

/** Tells two states of a file apart whose content isn't kept. */
export function fingerprintOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return fingerprint(`${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`);
}
