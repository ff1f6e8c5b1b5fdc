/** Looks at the workspace, or a part of it, and takes over what changed since the last look. */
import { readdirSync, type BigIntStats } from 'node:fs';
import { Admission } from './admission.ts';
import type { Batch } from './batch.ts';
import { keepFile, keepLink } from './content.ts';
import { systemPath, type ByteText } from './names.ts';
import { FileNode, FolderNode, type Share } from './nodes.ts';
import type { Pace } from './pace.ts';
import { innerScope, isImmutable, isKeptInside, type Scope } from './scope.ts';
import type { State } from './state.ts';
import { isSame, isSettled, look, nowNs, reasonFor, statusOf } from './status.ts';

/** What somebody who writes a file beside it holds in his hands. */
const temporaryName = /^\.reins-\d+-[0-9a-f]{16}\.tmp$/;
const gone = new Set(['ENOENT', 'ENOTDIR']);
const seldomChanged = new Set(['HEAD', 'config', 'description']);

export interface LookOptions {
  state: State;
  batch: Batch;
  pace: Pace;
  /** Takes over what was known of a path from before, if anything, instead of what is there now. */
  preset?: (folder: FolderNode, name: ByteText) => boolean;
  /** Called from time to time. */
  onProgress?: () => void;
}

interface Waiting {
  folder: FolderNode;
  status: BigIntStats;
  /** What holds for the folder before it is looked at. */
  scope: Scope;
}

export class Look {
  readonly #options: LookOptions;
  readonly #state: State;
  readonly #admission: Admission;
  readonly #waiting: Waiting[] = [];
  /** Whether files of a Git folder have changed that Git itself seldom changes: then its objects may have been written over, too. */
  #isSuspicious = false;

  constructor(options: LookOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#admission = new Admission(options.state);
  }

  /** Looks at a folder without a parent, and all that is below. */
  async whole(root: FolderNode, scope: Scope): Promise<void> {
    const status = look(root.path);
    if (typeof status !== 'object' || !status.isDirectory()) {
      for (const child of root.children.values()) this.#state.drop(child);
      root.status = undefined;
      return;
    }
    this.#state.setFolderMode(root, status.mode);
    this.#waiting.push({ folder: root, status, scope });
    await this.#drain();
  }

  /** Looks at one path below a folder and, where it is a folder, at all in it. Folders on the way are only passed through. */
  async along(root: FolderNode, scope: Scope, steps: readonly ByteText[]): Promise<void> {
    root.scope ??= scope;
    let folder = root;
    for (const [depth, name] of steps.entries()) {
      const around = folder.scope ?? scope;
      const isLast = depth === steps.length - 1;
      if (isLast) this.#expect(folder, around, name);
      const before = this.#waiting.length;
      await this.#child(folder, around, name);
      if (isLast) break;
      const next = this.#waiting.length > before ? this.#waiting.pop() : undefined;
      const node = folder.children.get(name);
      if (!(node instanceof FolderNode)) return;
      // In a folder that is left out, nothing is known of another one but what is asked for.
      if (folder.why !== undefined && node.why === undefined) this.#state.leaveOut(node, folder.why, undefined);
      node.scope ??= next?.scope ?? around;
      folder = node;
    }
    await this.#drain();
  }

  /** What is asked for by name is kept, whether it is ignored or not. */
  #expect(folder: FolderNode, scope: Scope, name: ByteText): void {
    if (scope.zone !== 'work') return;
    const status = look(`${folder.path}/${name}`);
    if (typeof status !== 'object' || status.isDirectory()) return;
    const known = folder.children.get(name);
    const node = known instanceof FileNode ? known : this.#state.addFile(folder, name);
    node.isAsked = true;
  }

  async #drain(): Promise<void> {
    const objects: Waiting[] = [];
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      if (next.scope.zone === 'objects') objects.push(next);
      else await this.#folder(next);
    }
    // Last, because only what was seen before tells how closely they are to be looked at.
    this.#waiting.push(...objects);
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) await this.#folder(next);
  }

  async #folder({ folder, status, scope: around }: Waiting): Promise<void> {
    // What is in there never changes: as long as the names are the same and nothing is odd, all is.
    if (isImmutable(around.zone) && isSame(folder.status, status) && !this.#isSuspicious) return;
    const names = this.#names(folder, status);
    if (names === undefined) return;
    const why = this.#admission.whyTooMany(names.length - folder.children.size);
    if (why !== undefined) {
      this.#state.leaveOut(folder, why, statusOf(status));
      return;
    }
    const scope = this.#admission.scopeOf(folder, around, (name) => names.includes(name));
    folder.scope = scope;
    const { pace, onProgress } = this.#options;
    for (const name of names) {
      if (pace.isDue()) {
        onProgress?.();
        await pace.rest();
      }
      const slow = this.#child(folder, scope, name);
      if (slow !== undefined) await slow;
    }
  }

  /** The names in a folder: those that are known, as long as it is the same. Undefined when it can't be read. */
  #names(folder: FolderNode, status: BigIntStats): ByteText[] | undefined {
    // Of a folder that is left out, only what was asked for by name is known.
    if (folder.why !== undefined || isSame(folder.status, status)) return [...folder.children.keys()];
    const since = nowNs();
    let names: ByteText[];
    try {
      names = readdirSync(systemPath(folder.path), { encoding: 'latin1' });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      if (folder.parent !== undefined && gone.has(code)) this.#state.drop(folder);
      else this.#state.leaveOut(folder, reasonFor(code), undefined);
      return undefined;
    }
    const present = new Set(names);
    for (const [name, child] of folder.children) if (!present.has(name)) this.#state.drop(child);
    folder.status = isSettled(status, since) ? statusOf(status) : undefined;
    return names;
  }

  /** Gives a promise only where there is something to be read: most files are the same, and there are many of them. */
  #child(folder: FolderNode, scope: Scope, name: ByteText): Promise<void> | undefined {
    if (this.#options.preset?.(folder, name) === true) return undefined;
    const known = folder.children.get(name);
    const path = `${folder.path}/${name}`;
    const status = this.#state.excluded.has(path) ? undefined : look(path);
    if (status === undefined || !this.#isWanted(scope, name, status)) {
      if (known !== undefined) this.#state.drop(known);
      return undefined;
    }
    if (typeof status === 'string') {
      const node = known instanceof FileNode ? known : this.#state.addFile(folder, name);
      this.#state.setSpecial(node, reasonFor(status), undefined);
    } else if (status.isDirectory()) this.#childFolder(folder, scope, name, status);
    else {
      const node = known instanceof FileNode ? known : this.#state.addFile(folder, name);
      if (name === '.git' && scope.zone === 'work') this.#state.setGitPlace(node, true);
      const share = this.#admission.shareOf(node, folder, scope);
      const isKnown = isSame(node.status, status);
      if (!isKnown || node.share !== share) return this.#childFile(node, share, status, isKnown);
    }
    return undefined;
  }

  #isWanted(scope: Scope, name: ByteText, status: BigIntStats | string): boolean {
    if (scope.zone === 'work') return !temporaryName.test(name);
    return (typeof status === 'object' && status.isDirectory()) || isKeptInside(scope.zone, name);
  }

  #childFolder(folder: FolderNode, scope: Scope, name: ByteText, status: BigIntStats): void {
    const known = folder.children.get(name);
    const inner = innerScope(scope, name, this.#state.gitPlaces.has(folder));
    if (inner === undefined) {
      if (known !== undefined) this.#state.drop(known);
      return;
    }
    const node = known instanceof FolderNode ? known : this.#state.addFolder(folder, name);
    this.#state.setFolderMode(node, status.mode);
    if (inner.zone === 'work' && !this.#admission.admits(node, scope, status)) return;
    this.#waiting.push({ folder: node, status, scope: inner });
  }

  async #childFile(node: FileNode, share: Share, status: BigIntStats, isKnown: boolean): Promise<void> {
    if (status.isSymbolicLink()) await this.#link(node, status);
    else if (!status.isFile()) this.#state.setSpecial(node, whatItIs(status), status);
    else await this.#file(node, share, status, isKnown);
    if (seldomChanged.has(node.name) && this.#state.gitPlaces.has(node.parent)) this.#isSuspicious = true;
    node.share = share;
    // While it was read, somebody may have said what it was before.
    this.#options.preset?.(node.parent, node.name);
  }

  async #link(node: FileNode, status: BigIntStats): Promise<void> {
    const since = nowNs();
    const content = await keepLink(`${node.parent.path}/${node.name}`, this.#options.batch);
    if (content === 'gone') this.#state.drop(node);
    else if ('why' in content) this.#state.setSpecial(node, content.why, undefined);
    else {
      this.#state.budget.admitLink(node);
      const settled = isSettled(status, since) ? statusOf(status) : undefined;
      this.#state.setKept(node, 'link', status, { id: content.id, status: settled });
    }
  }

  async #file(node: FileNode, share: Share, status: BigIntStats, isKnown: boolean): Promise<void> {
    const { budget } = this.#state;
    const isAlreadyThere = isKnown && node.isKept;
    const why = budget.admit(node, share, Number(status.size));
    if (why !== undefined) {
      // There may be room for it at the next look.
      this.#state.setUnkept(node, share, status, why, false);
      return;
    }
    if (isAlreadyThere) return; // only what it counts towards is another
    const path = `${node.parent.path}/${node.name}`;
    const content = await keepFile(path, budget.limits[share].each, this.#options.batch);
    if (content === 'gone') this.#state.drop(node);
    else if ('why' in content) this.#state.setUnkept(node, share, status, content.why, content.lasting);
    else {
      const grown = content.size === node.size ? undefined : budget.admit(node, share, content.size);
      if (grown !== undefined) {
        this.#state.setUnkept(node, share, status, grown, false);
        return;
      }
      const settled = content.status && statusOf(content.status);
      this.#state.setKept(node, 'file', content.status ?? status, { id: content.id, status: settled });
    }
  }
}

function whatItIs(status: BigIntStats): string {
  if (status.isFIFO()) return 'it is a pipe';
  return status.isSocket() ? 'it is a socket' : 'it is a device';
}
