/** A home and a workspace of their own for a test, removed when it ends. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

export interface Setting {
  home: string;
  workspace: string;
  env: { [name: string]: string };
  projectFile: string;
  userFile: string;
  writeProject(content: string | Buffer | object): void;
  writeUser(content: string | Buffer | object): void;
}

export function createSetting(t: Pick<TestContext, 'after'>): Setting {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'reins-config-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  const workspace = join(root, 'workspace');
  mkdirSync(home);
  mkdirSync(workspace);
  const projectFile = join(workspace, '.reins', 'settings.json');
  const userFile = join(home, '.config', 'reins', 'settings.json');
  return {
    home,
    workspace,
    env: { HOME: home },
    projectFile,
    userFile,
    writeProject: (content) => write(projectFile, content),
    writeUser: (content) => write(userFile, content),
  };
}

function write(file: string, content: string | Buffer | object): void {
  mkdirSync(dirname(file), { recursive: true });
  const isText = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(file, isText ? content : JSON.stringify(content, null, 2));
}
