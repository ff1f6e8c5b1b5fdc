/** A workspace for one test, in a folder of its own. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFile,
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A file: its text or bytes, those with a mode, or a symbolic link. */
export type WorkspaceFile = string | Uint8Array | { content: string | Uint8Array; mode: number } | { link: string };

export interface TemporaryWorkspaceOptions {
  /** Files by path, relative to the workspace. */
  files?: { [path: string]: WorkspaceFile };
  /** Make it a Git repository with all files in one commit. Its settings don't depend on the user's. Default false. */
  git?: boolean;
}

export interface TemporaryWorkspace {
  /** Absolute, without links. */
  path: string;
  write(path: string, file: WorkspaceFile): Promise<void>;
  read(path: string): Promise<Buffer>;
  /**
   * Everything in it but `.git`, by path: text as it is, other bytes as `sha256:` and their hash in hex, links as `-> ` and their
   * target, empty folders as `/`.
   */
  tree(): Promise<{ [path: string]: string }>;
  /** Runs Git in it and gives what it prints. Rejects, with what it says, when it fails. */
  git(...args: string[]): Promise<string>;
  /** Removes it. */
  dispose(): Promise<void>;
}

/** Makes a workspace. The commit has a fixed author and time, so that its hash depends on the files alone. */
export async function temporaryWorkspace(options: TemporaryWorkspaceOptions = {}): Promise<TemporaryWorkspace> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'reins-workspace-')));
  const workspace: TemporaryWorkspace = {
    path,
    write: (name, file) => writeEntry(join(path, name), file),
    read: (name) => readFile(join(path, name)),
    tree: () => readTree(path),
    git: (...args) => runGit(path, args),
    dispose: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
  for (const [name, file] of Object.entries(options.files ?? {})) await workspace.write(name, file);
  if (options.git === true) await initialise(workspace);
  return workspace;
}

async function initialise(workspace: TemporaryWorkspace): Promise<void> {
  await workspace.git('init', '--quiet', '--initial-branch=main');
  // Settings of the repository itself, for commands that later run in it with the user's settings or with none.
  const settings =
    '[user]\n\tname = Reins Test\n\temail = test@reins.invalid\n[commit]\n\tgpgsign = false\n[core]\n\tautocrlf = false\n';
  await appendFile(join(workspace.path, '.git', 'config'), settings);
  await workspace.git('add', '--all');
  await workspace.git('commit', '--quiet', '--allow-empty', '--message=Initial commit');
}

async function writeEntry(path: string, file: WorkspaceFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  if (typeof file === 'string' || file instanceof Uint8Array) return writeFile(path, file);
  if ('link' in file) return symlink(file.link, path);
  await writeFile(path, file.content);
  return chmod(path, file.mode);
}

async function readTree(root: string): Promise<{ [path: string]: string }> {
  const entries: [string, string][] = [];
  const walk = async (folder: string): Promise<void> => {
    const names = (await readdir(join(root, folder))).filter((name) => folder !== '' || name !== '.git');
    if (names.length === 0 && folder !== '') entries.push([folder, '/']);
    for (const name of names) {
      const path = join(folder, name);
      const stats = await lstat(join(root, path));
      if (stats.isDirectory()) await walk(path);
      else if (stats.isSymbolicLink()) entries.push([path, `-> ${await readlink(join(root, path))}`]);
      else if (stats.isFile()) entries.push([path, describe(await readFile(join(root, path)))]);
      else entries.push([path, 'neither file, folder nor link']);
    }
  };
  await walk('');
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describe(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  const isText = !text.includes('\0') && Buffer.from(text).equals(bytes);
  return isText ? text : `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Variables that would lead Git out of the workspace, or have it run or ask something. */
const isolation = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_COMMON_DIR'].flatMap((name) => [
    '-u',
    name,
  ]),
  'GIT_CONFIG_GLOBAL=/dev/null',
  'GIT_CONFIG_SYSTEM=/dev/null',
  'GIT_CONFIG_COUNT=0',
  'GIT_TERMINAL_PROMPT=0',
  'GIT_EDITOR=true',
  'GIT_AUTHOR_DATE=2026-01-01T00:00:00Z',
  'GIT_COMMITTER_DATE=2026-01-01T00:00:00Z',
];

/** Through `env`, which keeps PATH and all else that finding Git may need. */
function runGit(folder: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('env', [...isolation, 'git', ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve(Buffer.concat(output).toString());
      return reject(new Error(`git ${args.join(' ')}: exit ${code}: ${Buffer.concat(errors).toString().trim()}`));
    });
  });
}
