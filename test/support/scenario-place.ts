/** A throw-away place for one case: workspace, home, state and settings of its own, and the server that plays the model. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startModelServer, type Scenario } from '../../src/testing/index.ts';
import { fillIn } from './scenario-case.ts';
import { putFiles, readTree } from './scenario-files.ts';
import type { LoadedCase, Place, Trees } from './scenario-types.ts';
import { providersFor } from './scenario-wires.ts';
import { compiledCode } from './compiled.ts';

/** The key that the server asks for. */
export const key = 'test-key-of-a-scenario';
const own = ['state', 'config', 'cache'];

export async function makePlace(loaded: LoadedCase): Promise<Place> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'reins-scenario-')));
  const { inHome, git } = loaded.parts;
  const home = join(root, 'home');
  const workspace = inHome === undefined ? join(root, 'workspace') : join(home, inHome);
  for (const folder of [workspace, home, join(root, 'temporary'), ...own.map((name) => join(root, name))]) {
    mkdirSync(folder, { recursive: true });
  }
  const values = { ...loaded.values, workspace, home, root, closedPort: await closedPort() };
  const { files = {}, home: homeFiles = {}, outside = {}, settings } = loaded.filled(values);
  mkdirSync(join(home, '.cache'));
  symlinkSync(compiled(), join(home, '.cache', 'reins'));
  putFiles(home, homeFiles);
  putFiles(root, outside);
  if (existsSync(join(loaded.folder, 'workspace'))) {
    cpSync(join(loaded.folder, 'workspace'), workspace, { recursive: true, verbatimSymlinks: true });
  }
  putFiles(workspace, files);
  if (git === true) commitAll(workspace);
  // Also in its expectations, which a server takes as they are.
  const scenario = fillIn(loaded.scenario, values) as Scenario;
  const server = await startModelServer(scenario, { values, key });
  const lead = (baseUrl: string): void => {
    const isCommon = loaded.parts.wires === undefined;
    const all = isCommon
      ? settings
      : { ...settings, providers: { ...(settings?.['providers'] as object | undefined), ...providersFor(baseUrl) } };
    if (all === undefined) return;
    mkdirSync(join(root, 'config', 'reins'), { recursive: true });
    writeFileSync(join(root, 'config', 'reins', 'settings.json'), JSON.stringify(all));
  };
  lead(server.url);
  const look = (): Trees => ({
    workspace: readTree(workspace),
    home: readTree(home, [workspace, join(home, '.cache')]),
    outside: readTree(root, [workspace, home, ...own.map((name) => join(root, name))]),
  });
  return {
    root,
    workspace,
    home,
    environment: environmentOf(root, home),
    server,
    values: { ...values, server: server.url, key },
    before: look(),
    look,
    lead,
    close: async () => {
      await server.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

let shared: string | undefined;

/** What Reins keeps of its own compiled code is common to all places: each would compile everything anew. */
function compiled(): string {
  if (shared === undefined) {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'reins-compiled-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    shared = folder;
  }
  return shared;
}

/** Nothing of the environment of the tests but the way to programs. */
function environmentOf(root: string, home: string): { [name: string]: string } {
  const places = Object.fromEntries(own.map((name) => [`XDG_${name.toUpperCase()}_HOME`, join(root, name)]));
  return {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    TMPDIR: join(root, 'temporary'),
    LANG: 'C.UTF-8',
    TERM: 'xterm',
    ...places,
    ...compiledCode(),
  };
}

/** The address of a port that nothing listens on. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

function commitAll(workspace: string): void {
  const settings = ['user.name=Reins Test', 'user.email=test@reins.invalid', 'commit.gpgsign=false'];
  const git = (...words: string[]): void => {
    const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
    const { status, stderr } = spawnSync('git', words, { cwd: workspace, encoding: 'utf8', env });
    if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
  };
  git('init', '--quiet', '--initial-branch=main');
  for (const setting of settings) git('config', ...setting.split('='));
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message=Initial commit');
}

/** The command lines of processes that belong to a place: by their environment, command line or folder. This process is none of them. */
export function processesOf(root: string): string[] {
  if (!existsSync('/proc/self/environ')) {
    // No /proc: there `ps` shows the environment of one's own processes.
    const { stdout } = spawnSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8' });
    return stdout.split('\n').filter((line) => line.includes(root));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const line = read(pid, 'cmdline');
      const said = `${line}\0${read(pid, 'environ')}\0${folderOf(pid)}`;
      return said.includes(root) && line !== '' ? [`${pid} ${line.replaceAll('\0', ' ')}`] : [];
    });
}

function read(pid: string, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'latin1');
  } catch {
    return ''; // It has ended meanwhile, or belongs to somebody else.
  }
}

function folderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return ''; // It has ended meanwhile, or belongs to somebody else.
  }
}

/** Waits until something holds, looking again and again; gives whether it came to hold within the time. */
export async function within(milliseconds: number, holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + milliseconds;
  for (;;) {
    if (await holds()) return true;
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
