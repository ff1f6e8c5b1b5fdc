import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { createGitFacts } from '../../src/exec/index.ts';
import { temporaryWorkspace } from '../../src/testing/index.ts';

const repository = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': '[core]\n\tbare = false\n' };

interface Options {
  files?: { [path: string]: string };
  environment?: { [name: string]: string };
  /** Folder to ask about, from the top. */
  at?: string;
}

/** Facts of Git in a folder with a home beside the repository. */
async function factsOf({ files = {}, environment = {}, at = 'repository' }: Options) {
  const place = await temporaryWorkspace({ files: {} });
  const all: { [path: string]: string } = {};
  for (const [path, text] of Object.entries(repository)) all[`repository/${path}`] = text;
  for (const [path, text] of Object.entries({ ...all, ...files })) {
    mkdirSync(dirname(join(place.path, path)), { recursive: true });
    writeFileSync(join(place.path, path), text);
  }
  for (const folder of ['objects', 'refs']) mkdirSync(join(place.path, 'repository/.git', folder), { recursive: true });
  const facts = createGitFacts({ home: join(place.path, 'home'), environment });
  const found = facts(join(place.path, at));
  await place.dispose();
  return found;
}

const runsWith = async (config: string) => (await factsOf({ files: { 'repository/.git/config': config } })).runs;

describe('what Git runs by itself in a repository', () => {
  test('nothing in an ordinary one, nor outside of any', async () => {
    assert.equal((await factsOf({})).runs, undefined);
    assert.equal((await factsOf({ at: '.' })).runs, undefined);
    assert.equal(await runsWith('[core]\n\tfsmonitor = false\n\tpager = cat\n[pager]\n\tlog = true\n'), undefined);
  });

  const running = [
    '[core]\n\tfsmonitor = ./x\n',
    '[CORE]\nFsMonitor = "./x" # why not\n',
    '[core] fsmonitor = ./x\n',
    '[core]\n\tfsmonitor = \\\n./x\n',
    '[core]\n\tfsmonitor\n',
    '[core]\n\tpager = ./x\n',
    '[core]\n\tsshCommand = ./x\n',
    '[diff]\n\texternal = ./x\n',
    '[diff "a b"]\n\ttextconv = ./x\n',
    '[diff.a]\n\tcommand = ./x\n',
    '[filter "x"]\n\tclean = ./x\n',
    '[filter "x]y"]\n\tprocess = ./x\n',
    '[gpg]\n\tprogram = ./x\n',
    '[credential "https://a.b"]\n\thelper = ./x\n',
    '[remote "origin"]\n\tpromisor = true\n',
  ];
  for (const config of running) {
    test(JSON.stringify(config), async () => assert.notEqual(await runsWith(config), undefined));
  }

  test('what an included file says, whatever the condition', async () => {
    for (const header of ['[include]', '[includeIf "gitdir:/nowhere/"]']) {
      const files = {
        'repository/.git/config': `${header}\n\tpath = ../../other\n`,
        other: '[core]\n\tfsmonitor = ./x\n',
      };
      assert.match((await factsOf({ files })).runs ?? '', /fsmonitor/);
    }
  });

  test('a configuration that can’t be read, or leads in a circle', async () => {
    assert.notEqual(await runsWith('[core\n\tfsmonitor = ./x\n'), undefined);
    assert.notEqual(await runsWith('[include]\n\tpath = config\n'), undefined);
    assert.notEqual(await runsWith(`# ${'x'.repeat(70_000)}\n`), undefined);
  });

  test('the hook of a refreshed index, also in a folder that is configured', async () => {
    const hook = await factsOf({ files: { 'repository/.git/hooks/post-index-change': '' } });
    assert.match(hook.runs ?? '', /post-index-change/);
    const files = {
      'repository/.git/config': '[core]\n\thooksPath = hooks\n',
      'repository/hooks/post-index-change': '',
    };
    assert.match((await factsOf({ files })).runs ?? '', /post-index-change/);
    assert.equal((await factsOf({ files: { 'repository/.git/hooks/pre-commit': '' } })).runs, undefined);
  });

  test('a folder that is itself a Git folder is one to Git', async () => {
    const files = {
      'repository/evil/HEAD': 'ref: refs/heads/main\n',
      'repository/evil/config': '[core]\n\tfsmonitor = ./x\n',
      'repository/evil/objects/x': '',
      'repository/evil/refs/x': '',
    };
    assert.match((await factsOf({ files, at: 'repository/evil' })).runs ?? '', /fsmonitor/);
    assert.equal((await factsOf({ files })).runs, undefined);
  });

  test('of the user’s own settings what runs at every look, and variables that lead elsewhere', async () => {
    const user = (text: string) => factsOf({ files: { 'home/.gitconfig': text } });
    assert.match((await user('[core]\n\tfsmonitor = ./x\n')).runs ?? '', /fsmonitor/);
    assert.equal((await user('[filter "lfs"]\n\tclean = git-lfs clean\n[core]\n\tpager = less\n')).runs, undefined);
    assert.match((await factsOf({ environment: { GIT_DIR: '/x' } })).runs ?? '', /GIT_DIR/);
  });
});

describe('aliases of Git', () => {
  test('of the user and of the repository, whose own come last', async () => {
    const files = {
      'home/.gitconfig': '[alias]\n\tst = status\n\tgone = !rm a\n',
      'repository/.git/config': '[alias]\n\tst = "status --short" ; shorter\n',
    };
    assert.deepEqual({ ...(await factsOf({ files })).aliases }, { st: 'status --short', gone: '!rm a' });
  });

  test('are read anew when a file has changed', async (t) => {
    const place = await temporaryWorkspace({ files: { '.gitconfig': '[alias]\n\ta = log\n' } });
    t.after(() => place.dispose());
    const facts = createGitFacts({ home: place.path, environment: {} });
    assert.equal(facts(place.path).aliases['a'], 'log');
    writeFileSync(join(place.path, '.gitconfig'), '[alias]\n\ta = status\n');
    assert.equal(facts(place.path).aliases['a'], 'status');
  });
});
