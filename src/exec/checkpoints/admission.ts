/** Decides what of a workspace is looked into, what its files count towards, and by which rules. */
import type { BigIntStats } from 'node:fs';
import { findGitPlace } from '../git/index.ts';
import { isIgnored, type Rules } from './ignore.ts';
import { measure } from './measure.ts';
import type { ByteText } from './names.ts';
import type { FileNode, FolderNode, Node, Share } from './nodes.ts';
import { PatternFile, RepositoryScope } from './repository-scope.ts';
import type { Scope } from './scope.ts';
import type { State } from './state.ts';
import { isSame, look, statusOf } from './status.ts';

/** Where no repository says what is ignored, what package managers fetch is. */
const fetched = 'node_modules';

export class Admission {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Why a folder with so many new entries is left out; undefined when it isn't. */
  whyTooMany(added: number): string | undefined {
    const { entries, limits } = this.#state.budget;
    return added > 0 && entries + added > limits.entries
      ? `more than ${limits.entries} files and folders in all`
      : undefined;
  }

  /** What holds in a folder: what holds around it, and what the folder says itself. */
  scopeOf(folder: FolderNode, around: Scope, has: (name: ByteText) => boolean): Scope {
    if (around.zone !== 'work') {
      const isWhole = has('HEAD') && has('objects') && has('refs');
      const isOne = around.zone === 'git' && (isWhole || folder.parent === undefined || folder.name === '.git');
      this.#state.setGitPlace(folder, isOne);
      return around;
    }
    const nested = folder.parent !== undefined && has('.git') ? nestedRepository(folder) : undefined;
    const repository = nested ?? around.repository;
    const outer = nested === undefined ? around.rules : nested.rules;
    const rules = has('.gitignore') ? rulesOf(folder, repository, outer) : outer;
    const isIgnoredItself = folder.parent !== undefined && folder.ignoredTop === undefined && folder.matches;
    return {
      zone: 'work',
      repository,
      rules,
      isIgnored: nested === undefined && (around.isIgnored || isIgnoredItself),
    };
  }

  /** Whether a folder of the workspace is to be looked into. */
  admits(node: FolderNode, scope: Scope, status: BigIntStats): boolean {
    const { parent } = node;
    if (parent?.why !== undefined) return true;
    if (parent?.ignoredTop !== undefined && !this.#isRepository(node)) {
      node.ignoredTop = parent.ignoredTop;
      this.#readmit(node);
      return !this.#leavesOut(parent.ignoredTop);
    }
    if (!this.#isIgnoredWhole(node, scope)) {
      node.ignoredTop = undefined;
      if (!isSame(node.status, status)) this.#readmit(node);
      return true;
    }
    // Once it is decided, it stays so until the folder changes.
    if (node.ignoredTop === node) return !this.#leavesOut(node);
    if (node.why !== undefined && isSame(node.status, status)) return true;
    return this.#admitsIgnored(node, status);
  }

  #admitsIgnored(node: FolderNode, status: BigIntStats): boolean {
    const { budget } = this.#state;
    const measured = measure(node.path, budget.limits.ignoredFiles, budget.limits.ignored.each);
    const why = measured === 'holds a repository' ? undefined : budget.whyLeaveOut(measured);
    if (why !== undefined) {
      this.#state.leaveOut(node, why, statusOf(status));
      return true;
    }
    this.#readmit(node);
    node.ignoredTop = measured === 'holds a repository' ? undefined : node;
    return true;
  }

  /** What a file counts towards. */
  shareOf(node: FileNode, folder: FolderNode, scope: Scope): Share {
    if (scope.zone !== 'work') return 'git';
    if (node.isAsked) return 'work';
    if (folder.ignoredTop !== undefined) return 'ignored';
    const { repository, rules } = scope;
    if (repository === undefined) return scope.isIgnored ? 'ignored' : 'work';
    const isFresh = node.rules !== rules || rules === undefined;
    if (!isFresh && !node.matches && !scope.isIgnored) return 'work';
    const path = repository.pathOf(`${folder.path}/${node.name}`);
    this.#match(node, rules, path, false);
    return (scope.isIgnored || node.matches) && !repository.isTracked(path) ? 'ignored' : 'work';
  }

  #isIgnoredWhole(node: FolderNode, scope: Scope): boolean {
    const { repository, rules } = scope;
    if (repository === undefined) {
      node.matches = node.name === fetched;
      return (scope.isIgnored || node.matches) && !this.#isRepository(node);
    }
    const path = repository.pathOf(node.path);
    this.#match(node, rules, path, true);
    return (scope.isIgnored || node.matches) && !repository.hasTrackedBelow(path) && !this.#isRepository(node);
  }

  #match(node: Node, rules: Rules | undefined, path: ByteText, isFolder: boolean): void {
    if (node.rules === rules && rules !== undefined) return;
    node.matches = isIgnored(rules, path, isFolder);
    node.rules = rules;
  }

  #isRepository(node: FolderNode): boolean {
    return look(`${node.path}/.git`) !== undefined;
  }

  #readmit(node: FolderNode): void {
    if (node.why === undefined) return;
    this.#state.setWhy(node, undefined);
    node.status = undefined;
  }

  #leavesOut(top: FolderNode): boolean {
    if (!this.#state.budget.isOvergrown(top)) return false;
    const status = look(top.path);
    const why = `ignored, and more than ${this.#state.budget.limits.ignoredFiles} files`;
    this.#state.leaveOut(top, why, typeof status === 'object' ? statusOf(status) : undefined);
    return true;
  }
}

function nestedRepository(folder: FolderNode): RepositoryScope | undefined {
  const path = Buffer.from(folder.path, 'latin1').toString('utf8');
  const place = findGitPlace(path);
  // From a folder that is none of its own, Git goes on upwards.
  if (place?.topLevel !== path) return undefined;
  const known = folder.scope?.repository;
  const repository = known?.isAt(place) === true ? known : new RepositoryScope(place);
  repository.refresh();
  return repository;
}

function rulesOf(
  folder: FolderNode,
  repository: RepositoryScope | undefined,
  outer: Rules | undefined,
): Rules | undefined {
  if (repository === undefined) return outer;
  const isFirst = folder.patterns === undefined;
  const file = (folder.patterns ??= new PatternFile(`${folder.path}/.gitignore`));
  const isChanged = file.refresh();
  const known = folder.scope?.rules;
  const stands = !isFirst && !isChanged && known?.parent === outer && known?.patterns === file.patterns;
  return stands ? known : repository.rulesIn(folder.path, outer, file.patterns);
}
