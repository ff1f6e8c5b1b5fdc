/**
 * Some paths of the workspace, looked at by themselves while a look at the whole is still under way: what they were at that moment
 * counts, both for the snapshot of that moment and for the whole, unless that has passed them already.
 */
import type { Batch } from './batch.ts';
import { buildTree } from './build.ts';
import { Look } from './look.ts';
import { keyOf, type ByteText } from './names.ts';
import { entryOf, FileNode, FolderNode, type Node } from './nodes.ts';
import type { Pace } from './pace.ts';
import type { Recorded } from './records.ts';
import { scopeOfWorkspace } from './scope.ts';
import type { State } from './state.ts';

export class Overlay {
  readonly #state: State;
  readonly #paths: (readonly ByteText[])[];

  private constructor(state: State, paths: (readonly ByteText[])[]) {
    this.#state = state;
    this.#paths = paths;
  }

  /** Looks at the paths, into a state that is empty. Their contents are in the batch, which the caller flushes. */
  static async of(state: State, paths: (readonly ByteText[])[], batch: Batch, pace: Pace): Promise<Overlay> {
    const look = new Look({ state, batch, pace });
    for (const steps of paths) await look.along(state.root, scopeOfWorkspace(), steps);
    await buildTree(state.root, batch, pace);
    return new Overlay(state, paths);
  }

  /** What a record says of it. */
  known(): NonNullable<Recorded['known']> {
    const entries = this.#paths.map((steps): [string, [number, string] | null] => {
      const { node, depth } = follow(this.#state.root, steps);
      const entry = node && depth === steps.length ? entryOf(node) : undefined;
      return [keyOf(steps.join('/')), entry === undefined ? null : [entry.mode, entry.id]];
    });
    // Makes every name a key of its own, `__proto__` included.
    return Object.fromEntries(entries);
  }

  /** Paths with what is known of them: where one isn't there, its outermost folder that isn't. */
  presets(): Map<ByteText, Preset> {
    const found = this.#paths.map((steps): [ByteText, Preset] => {
      const { node, depth } = follow(this.#state.root, steps);
      return [`${this.#state.root.path}/${steps.slice(0, depth).join('/')}`, { node }];
    });
    return new Map(found);
  }

  /** Has another state say of these paths what this one does. */
  applyTo(target: State): void {
    for (const steps of this.#paths) {
      const { node, depth } = follow(this.#state.root, steps);
      let from: Node | undefined = this.#state.root;
      let to = target.root;
      for (const name of steps.slice(0, depth - 1)) {
        from = from instanceof FolderNode ? from.children.get(name) : undefined;
        const known = to.children.get(name);
        const next: FolderNode = known instanceof FolderNode ? known : target.addFolder(to, name);
        if (from !== undefined) target.setFolderMode(next, BigInt(from.mode));
        if (to.why !== undefined && next.why === undefined) target.leaveOut(next, to.why, undefined);
        to = next;
      }
      transplant(target, to, steps[depth - 1] ?? '', node);
    }
  }
}

/** Undefined: there was nothing. */
export interface Preset {
  node: Node | undefined;
}

/** What is at a path or, where the way to it ends earlier (with nothing, or a file), what is there. There is one step at least. */
function follow(root: FolderNode, steps: readonly ByteText[]): { node: Node | undefined; depth: number } {
  let folder = root;
  for (let depth = 1; ; depth++) {
    const node = folder.children.get(steps[depth - 1] ?? '');
    if (depth >= steps.length || !(node instanceof FolderNode)) return { node, depth };
    folder = node;
  }
}

/** Puts a copy of a node in another state's folder, or takes out what is there. */
export function transplant(target: State, folder: FolderNode, name: ByteText, node: Node | undefined): void {
  const known = folder.children.get(name);
  if (node === undefined) {
    if (known !== undefined) target.drop(known);
    folder.status = undefined;
    return;
  }
  if (node instanceof FolderNode) {
    const copy = known instanceof FolderNode ? known : target.addFolder(folder, name);
    target.setFolderMode(copy, BigInt(node.mode));
    for (const child of copy.children.values()) if (!node.children.has(child.name)) target.drop(child);
    for (const child of node.children.values()) transplant(target, copy, child.name, child);
    copy.status = undefined;
    copy.touch();
    return;
  }
  const copy = known instanceof FileNode ? known : target.addFile(folder, name);
  target.copyFile(copy, node);
  folder.status = undefined;
}
