/**
 * A repository copied as it was at a commit, to work in without touching the original. Git is run only in the copy: nothing that the
 * original's configuration, hooks or attributes name takes part, no remote leads back, and no file of the copy is one of the original.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { ReinsError } from '../../core/index.ts';
import type { Environment } from '../needs.ts';
import { findProgram } from '../programs.ts';
import { disarmedArguments, disarmedEnvironment } from './disarm.ts';
import { createGit, runGit } from './git.ts';
import { findGitPlace, type GitPlace } from './place.ts';

export interface RepositoryCopy {
  /** Real path of a folder in the repository. */
  from: string;
  /** An empty folder: the top of the copy's working tree. */
  to: string;
  /** The commit whose files are checked out; the branch that is checked out in the original stands there too. */
  commit: string;
  environment: Environment;
}

/** A checkout of a large repository takes its time; in milliseconds. */
const timeout = 600_000;

/** Rejects with `tool-failed`: there is no repository or no Git, the commit isn't there, or the disk fails. */
export async function copyRepository({ from, to, commit, environment }: RepositoryCopy): Promise<void> {
  const place = findGitPlace(from);
  if (place === undefined) throw failed(`${from} is in no Git repository`);
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw failed(`“${commit}” is no commit`);
  const program = findProgram('git', environment['PATH'], [from, to]);
  if (program === undefined) throw failed('there is no git in PATH');
  const branch = await branchOf(from, environment);
  const gitDir = join(to, '.git');
  const copy: GitPlace = { topLevel: to, gitDir, commonDir: gitDir, kind: 'folder', belongs: true };
  const run = async (args: string[]): Promise<string> => {
    const env = disarmedEnvironment(environment, copy);
    const { exit, stdout, stderr } = await runGit({ program, args, env, folder: to, timeout, outputLimit: 1024 ** 2 });
    if (exit !== 0 && args.includes('config')) return '';
    if (exit !== 0) throw failed(`git ${args.at(-1)}: ${stderr.trim()}`);
    return stdout.toString('utf8');
  };
  try {
    await copyStore(place, gitDir);
    await writeSettings(place, gitDir, run);
    if (branch !== undefined) await run(disarmedArguments(['symbolic-ref', 'HEAD', branch], []));
    const moved = branch === undefined ? ['--no-deref', 'HEAD'] : [branch];
    await run(disarmedArguments(['update-ref', ...moved, commit], []));
    await run(disarmedArguments(['reset', '--hard', '--quiet', commit], []));
  } catch (error) {
    throw error instanceof ReinsError ? error : failed((error as Error).message);
  }
}

function failed(why: string): ReinsError {
  return new ReinsError('tool-failed', `The repository can’t be copied: ${why}.`);
}

/** The full name of the branch that is checked out; undefined where none is. */
async function branchOf(folder: string, environment: Environment): Promise<string | undefined> {
  const { exit, stdout } = await createGit({ workspace: folder, environment }).run(['symbolic-ref', '--quiet', 'HEAD']);
  const name = stdout.toString('utf8').trim();
  return exit === 0 && name.startsWith('refs/heads/') ? name : undefined;
}

/** What makes a history: objects and references. Everything else of a Git folder stays behind. */
async function copyStore({ commonDir }: GitPlace, gitDir: string): Promise<void> {
  await mkdir(gitDir, { mode: 0o700 });
  await mkdir(join(gitDir, 'refs', 'heads'), { recursive: true });
  // Until the right one is known: without a HEAD it is no repository.
  await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n');
  await copyFolder(join(commonDir, 'refs'), join(gitDir, 'refs'), /./);
  await copyFolder(join(commonDir, 'reftable'), join(gitDir, 'reftable'), /./);
  for (const name of ['packed-refs', 'shallow']) await copyIfThere(join(commonDir, name), join(gitDir, name));
  await mkdir(join(gitDir, 'objects'));
  for (const objects of await objectFolders(join(commonDir, 'objects'))) {
    await copyFolder(objects, join(gitDir, 'objects'), objectName);
  }
}

/** Objects, packs of them, and the folders that these are in. */
const objectName = /^(?:[0-9a-f]{2}|[0-9a-f]{38,62}|pack|pack-[0-9a-f]{40,64}\.[a-z]+|multi-pack-index)$/;
const mostBorrowed = 20;

/** The folder of objects, and those that it borrows from: the copy has them all itself. */
async function objectFolders(folder: string, found: string[] = []): Promise<string[]> {
  if (found.includes(folder) || found.length > mostBorrowed) return found;
  found.push(folder);
  const list = await readFile(join(folder, 'info', 'alternates'), 'utf8').catch(() => ''); // Mostly there is none.
  for (const line of list.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    await objectFolders(isAbsolute(line) ? line : resolve(folder, line), found);
  }
  return found;
}

/** Plain files of the right names only: what a hostile repository borrows from, or links to, may be anything. A folder that isn’t there is empty. */
async function copyFolder(from: string, to: string, names: RegExp): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  const wanted = entries.filter(({ name }) => names.test(name));
  if (wanted.length > 0) await mkdir(to, { recursive: true });
  for (const entry of wanted) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target, names);
    if (entry.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE);
  }
}

async function copyIfThere(from: string, to: string): Promise<void> {
  if ((await stat(from).catch(() => undefined))?.isFile()) await copyFile(from, to);
}

/** The settings of a repository that say how its files are written and who commits; none that names a program or an address. */
const harmless =
  '^(user\\.(name|email)|commit\\.gpgsign|core\\.(autocrlf|eol|safecrlf|filemode|ignorecase|precomposeunicode|symlinks)|extensions\\.(objectformat|refstorage))$';

async function writeSettings(
  { commonDir }: GitPlace,
  gitDir: string,
  run: (args: string[]) => Promise<string>,
): Promise<void> {
  const file = join(gitDir, 'config');
  const source = join(commonDir, 'config');
  await writeFile(file, '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
  const found = await run(['config', '--file', source, '--no-includes', '-z', '--get-regexp', harmless]);
  const pairs = found.split('\0').filter((pair) => pair !== '');
  for (const pair of pairs) {
    const end = pair.indexOf('\n');
    const [key, value] = end < 0 ? [pair, 'true'] : [pair.slice(0, end), pair.slice(end + 1)];
    await run(['config', '--file', file, key, value]);
  }
  // Extensions count only from this version on.
  const isExtended = pairs.some((pair) => pair.startsWith('extensions.'));
  if (isExtended) await run(['config', '--file', file, 'core.repositoryformatversion', '1']);
}
