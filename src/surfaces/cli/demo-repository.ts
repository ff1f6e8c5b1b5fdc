/** Makes a folder a Git repository with one commit, whatever the user's own Git configuration says. */
import { spawn } from 'node:child_process';
import { CannotRun } from './failure.ts';

/** Variables that would lead Git to another repository or to templates, and what keeps the configuration of others out. */
const isolation = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_TEMPLATE_DIR'].flatMap((name) => [
    '-u',
    name,
  ]),
  'GIT_CONFIG_GLOBAL=/dev/null',
  'GIT_CONFIG_NOSYSTEM=1',
];

/** Rejects where Git is missing or fails, with its own words. */
export async function commitAll(folder: string, message: string): Promise<void> {
  await git(folder, ['-c', 'init.defaultBranch=main', 'init', '--quiet']);
  await git(folder, ['add', '--all']);
  const author = ['-c', 'user.name=Reins demo', '-c', 'user.email=demo@localhost'];
  await git(folder, [...author, 'commit', '--quiet', '--message', message]);
}

function git(folder: string, words: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('env', [...isolation, 'git', ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString('utf8');
    });
    child.on('error', reject);
    child.on('close', (exit) => {
      if (exit === 0) resolve();
      else reject(new CannotRun(`The demo needs Git, and \`git ${words.join(' ')}\` failed: ${said.trim()}`));
    });
  });
}
