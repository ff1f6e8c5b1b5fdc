/** The joint that makes a folder in which a past session can be rehearsed: the workspace as the session found it, as far as it can be had. */
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ReinsError, type EventData } from '../../core/index.ts';
import { copyRepository, createGit, type Environment, type Git } from '../../exec/index.ts';
import { FileHashes } from '../../verify/index.ts';

type Checkpoint = EventData['checkpoint'];

export interface WorkspaceCopy {
  /** Real path of the copy of the workspace. */
  path: string;
  commit: string | null;
  /** In what it is not, or may not be, what the session found. */
  notes: string[];
}

export interface CopyOptions {
  /** The workspace of the session. */
  workspace: string;
  /** What the session found, where it was recorded. */
  found: Checkpoint | undefined;
  /** An empty folder, in a folder of the rehearsal’s own. */
  into: string;
  environment: Environment;
}

/** What is copied besides the commit, at most: a larger folder is left out, and named. */
const mostBytes = 4 * 1024 ** 3;
const mostFiles = 400_000;
/** Names in one note. */
const mostNamed = 8;

/** Rejects with `workspace-missing`, and with `rehearsal-impossible` where the commit can't be had any more. */
export async function copyWorkspace(options: CopyOptions): Promise<WorkspaceCopy> {
  const { found, into, environment } = options;
  const workspace = await realpath(options.workspace).catch(() => {
    throw new ReinsError(
      'workspace-missing',
      `${options.workspace}, the workspace of the session, isn’t there any more.`,
    );
  });
  const given = { ...options, workspace };
  const git = createGit({ workspace, environment });
  const notes: string[] = [];
  const commit = found?.commit ?? null;
  const path = commit === null ? await copyPresent(given, notes) : await copyCommit(given, git, commit, notes);
  if (found?.incomplete !== undefined)
    notes.push(`What the session found was not fully recorded: ${found.incomplete}.`);
  return { path: await realpath(path ?? into), commit, notes };
}

async function copyCommit(options: CopyOptions, git: Git, commit: string, notes: string[]): Promise<string> {
  const { workspace, found, into, environment } = options;
  const top = git.topLevel();
  if (top === null)
    throw impossible(`${workspace} is in no Git repository any more, and the session began at commit ${commit}.`);
  await copyRepository({ from: workspace, to: into, commit, environment }).catch((error: unknown) => {
    const why = error instanceof ReinsError ? error.detail : String(error);
    throw impossible(`The files of commit ${commit} can’t be had: ${why}`);
  });
  const path = join(into, relative(top, workspace));
  await mkdir(path, { recursive: true });
  await copyIgnored(options, git, path, notes);
  await restore(workspace, path, found?.files ?? {}, notes);
  const staged = await git.run(['ls-files', '--stage', '-z']).catch(() => undefined);
  const modules = (staged?.stdout.toString('utf8') ?? '').split('\0').filter((entry) => entry.startsWith('160000'));
  if (modules.length > 0)
    notes.push(
      `Submodules are empty folders in the copy (${named(modules.map((entry) => entry.split('\t')[1] ?? ''))}).`,
    );
  return path;
}

function impossible(detail: string): ReinsError {
  return new ReinsError('rehearsal-impossible', detail);
}

/** What the repository ignores (installed packages, say) was never recorded: it is there as it is now. */
async function copyIgnored({ workspace, into }: CopyOptions, git: Git, path: string, notes: string[]): Promise<void> {
  const listed = await git.run(['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']);
  const entries = listed.stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '');
  const copied: string[] = [];
  const tree = new TreeCopy(workspace, path, dirname(into));
  for (const entry of entries) {
    const name = entry.replace(/\/$/, '');
    if (await tree.copy(name)) copied.push(name);
    else notes.push(`${name} is ignored by Git and too large: it is not in the copy.`);
  }
  if (copied.length > 0) notes.push(`What Git ignores is as it is now, not as it was (${named(copied)}).`);
}

/** Files that differed from the commit are known by their hashes alone: those that the workspace still has are copied. */
export async function restore(
  workspace: string,
  path: string,
  files: Checkpoint['files'],
  notes: string[],
): Promise<void> {
  const hashes = new FileHashes();
  const lost: string[] = [];
  for (const [name, hash] of Object.entries(files)) {
    const [from, to] = [join(workspace, name), join(path, name)];
    // A name in quotes stands for one that is no text.
    if (name.startsWith('"') || !isWithin(workspace, from)) lost.push(name);
    else if (!(await staysIn(path, to))) lost.push(name);
    else if (hash === null) await rm(to, { force: true, recursive: true });
    else if (hashes.hash(Buffer.from(from)) === hash) await new TreeCopy(workspace, path).copy(name);
    else if (hashes.hash(Buffer.from(to)) !== hash) lost.push(name);
  }
  if (lost.length === 0) return;
  const whole = lost.length === 1 ? 'One file' : `${lost.length} files`;
  notes.push(`${whole} can’t be had as the session found them, only their hashes were recorded (${named(lost)}).`);
}

/** Without a commit there are only the present files; the recorded hashes tell which of them are the same. */
async function copyPresent({ workspace, found, into }: CopyOptions, notes: string[]): Promise<string> {
  const tree = new TreeCopy(workspace, into, dirname(into));
  const names = (await readdir(workspace)).filter((name) => name !== '.git');
  for (const name of names) {
    if (!(await tree.copy(name)))
      throw impossible(`${workspace} is too large to be copied, and the session began at no commit.`);
  }
  const hashes = new FileHashes();
  const recorded = Object.entries(found?.files ?? {});
  const other = recorded.flatMap(([name, hash]) => {
    return name.startsWith('"') || hashes.hash(Buffer.from(join(into, name))) !== hash ? [name] : [];
  });
  const known = found === undefined ? ' and nothing tells how they were' : '';
  const differing = other.length === 0 ? '' : `; different from then: ${named(other)}`;
  if (recorded.length > 0 && other.length === 0) return into;
  notes.push(
    `The session began at no commit: the files are the present ones, and may differ from those then${known}${differing}.`,
  );
  return into;
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? `${shown} and ${names.length - mostNamed} more` : shown;
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** Whether a file lies in the folder by its real path: a committed link may lead a name elsewhere. */
async function staysIn(folder: string, path: string): Promise<boolean> {
  const [root, above] = await Promise.all([realpath(folder), realpath(dirname(path)).catch(() => undefined)]);
  // What isn't there yet can be no link, if what is above it is none.
  return above === undefined ? path === folder || staysIn(folder, dirname(path)) : isWithin(root, above);
}

/** Copies parts of a workspace. What a link of it leads to inside the workspace it leads to inside the copy: nothing there may be written through. */
class TreeCopy {
  readonly #from: string;
  readonly #to: string;
  readonly #own: string;
  #bytes = 0;
  #files = 0;

  /** `own` is the folder of the rehearsal, which may lie in the workspace itself: it is no part of it. */
  constructor(from: string, to: string, own: string = to) {
    this.#from = from;
    this.#to = to;
    this.#own = own;
  }

  /** False where it is too large; then nothing of it is left. */
  async copy(name: string): Promise<boolean> {
    const target = join(this.#to, name);
    if (await this.#copy(join(this.#from, name), target)) return true;
    await rm(target, { recursive: true, force: true });
    return false;
  }

  async #copy(from: string, to: string): Promise<boolean> {
    const status = await lstat(from).catch(() => undefined);
    if (status === undefined || from === this.#own) return true; // It went away meanwhile, or is no part of it.
    this.#files += 1;
    this.#bytes += status.isFile() ? status.size : 0;
    if (this.#files > mostFiles || this.#bytes > mostBytes) return false;
    if (!(await staysIn(this.#to, to))) return true;
    await mkdir(dirname(to), { recursive: true });
    if (status.isSymbolicLink()) await this.#link(from, to);
    else if (status.isFile()) await this.#file(from, to);
    if (!status.isDirectory()) return true;
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) if (!(await this.#copy(join(from, name), join(to, name)))) return false;
    return true;
  }

  async #file(from: string, to: string): Promise<void> {
    await rm(to, { force: true, recursive: true });
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }

  async #link(from: string, to: string): Promise<void> {
    const target = await readlink(from);
    const leads = resolve(dirname(from), target);
    const isMoved = target.startsWith(sep) && isWithin(this.#from, leads);
    await rm(to, { force: true, recursive: true });
    await symlink(isMoved ? join(this.#to, relative(this.#from, leads)) : target, to);
  }
}
