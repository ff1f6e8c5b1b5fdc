import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createGit, createSandbox, createShell } from '../../src/exec/index.ts';
import { scriptedVerifier, temporaryWorkspace } from '../../src/testing/index.ts';
import { createVerifier } from '../../src/verify/index.ts';
import { commands, files, testVerifierContract } from './verifier.ts';

testVerifierContract('the verifier of a workspace', async () => {
  const workspace = await temporaryWorkspace({ files });
  const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
  const sandbox = createSandbox({ kind: 'none', workspace: workspace.path, environment });
  const shell = createShell({ workspace: workspace.path, sandbox });
  const git = createGit({ workspace: workspace.path, environment });
  return {
    verifier: createVerifier({ workspace: workspace.path, runner: shell, git }),
    write: (path, text) => (text === null ? rm(join(workspace.path, path)) : workspace.write(path, text)),
    async close() {
      await shell.close();
      await sandbox.close();
      await workspace.dispose();
    },
  };
});

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

testVerifierContract('the scripted verifier', async () => {
  const hashes = new Map(Object.entries(files).map(([path, text]) => [path, hashOf(text)]));
  const verifier = scriptedVerifier({
    checks: { [commands.passes]: ['passed'], [commands.fails]: [{ failed: 'broken' }] },
    files: () => Object.fromEntries(hashes),
    definersChanged: () => (hashes.get('check.sh') === hashOf(files['check.sh']) ? [] : ['check.sh']),
  });
  return {
    verifier,
    async write(path, text) {
      if (text === null) hashes.delete(path);
      else hashes.set(path, hashOf(text));
    },
    close: async () => undefined,
  };
});
