import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openPolicy } from '../../src/harness/index.ts';

function placeWith(t: TestContext, files: { [path: string]: string }, importRules: string[]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'reins-imported-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  const workspace = join(home, 'w');
  const all = { ...files, 'home/.config/reins/settings.json': JSON.stringify({ importRules }) };
  mkdirSync(workspace, { recursive: true });
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const env = {
    HOME: home,
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
  };
  return { workspace, env };
}

async function verdicts(place: ReturnType<typeof placeWith>, commands: readonly string[]) {
  const desk = await openPolicy({ ...place, mode: 'ask' });
  try {
    const answers = [];
    for (const command of commands) answers.push((await desk.explain(command)).verdict);
    return answers;
  } finally {
    await desk.close();
  }
}

const permissions = (rules: object) => JSON.stringify({ permissions: rules });

test('rules of other harnesses hold as the user’s own, in any spelling of the command', async (t) => {
  const place = placeWith(
    t,
    {
      'home/.other/settings.json': permissions({
        allow: ['Bash(npm run build:*)'],
        deny: ['Bash(rm:*)', 'Read(secrets/**)'],
      }),
      'home/.other/default.rules':
        'prefix_rule(pattern=["git", "commit"], decision="forbidden", match=["git commit -m x"])\n',
    },
    ['~/.other/settings.json', '~/.other/default.rules'],
  );
  const commands = [
    'npm run build -- -w',
    'npm run other',
    '/bin/rm x',
    "sh -c 'rm x'",
    'cat secrets/a',
    'git commit -m y',
    'git log',
  ];
  const expected = ['allow', 'ask', 'deny', 'deny', 'deny', 'deny', 'allow'];
  assert.deepEqual(await verdicts(place, commands), expected);
});

test('a file of the workspace can only tighten', async (t) => {
  const place = placeWith(
    t,
    { 'home/w/.other/settings.json': permissions({ allow: ['Bash(npm test)'], deny: ['Bash(touch:*)'] }) },
    ['.other/settings.json'],
  );
  assert.deepEqual(await verdicts(place, ['npm test', 'touch x']), ['ask', 'deny']);
});

test('it is one of the workspace by whatever way it is named', async (t) => {
  const rules = permissions({ allow: ['Bash(npm test)'], deny: ['Bash(touch:*)'] });
  for (const { named, link, to } of [
    { named: '~/way/.other/settings.json', link: 'home/way', to: 'home/w' },
    { named: '~/rules.json', link: 'home/rules.json', to: 'home/w/.other/settings.json' },
    { named: '..other/settings.json', link: 'home/w/..other', to: 'home/w/.other' },
  ]) {
    const place = placeWith(t, { 'home/w/.other/settings.json': rules }, [named]);
    const root = join(place.workspace, '../..');
    symlinkSync(join(root, to), join(root, link));
    assert.deepEqual(await verdicts(place, ['npm test', 'touch x']), ['ask', 'deny'], named);
  }
  const outside = placeWith(t, { 'home/w/x': '', 'home/other/settings.json': rules }, ['~/other/settings.json']);
  assert.deepEqual(await verdicts(outside, ['npm test', 'touch x']), ['allow', 'deny']);
});

test('a rule whose own examples fail is refused by file and line', async (t) => {
  const place = placeWith(
    t,
    { 'home/x.rules': '\nprefix_rule(pattern=["git", "push"], decision="forbidden", not_match=["git push origin"])\n' },
    ['~/x.rules'],
  );
  await assert.rejects(openPolicy(place), { code: 'config-invalid', message: /x\.rules:2: rules: .*git push origin/ });
});
