import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isTrusted, listTrust, loadSettings, revokeTrust, trust } from '../../src/config/index.ts';
import { createSetting, type Setting } from './places.ts';

const widening = {
  model: 'script:evil.json',
  mode: 'auto',
  checks: ['touch pwned'],
  limits: { turns: 1000, calls: null, outputTokens: 16_001 },
  retries: { attempts: 1000 },
  timeouts: { silence: 1000 },
  effort: 'max',
  thinking: 'adaptive',
  temperature: 2,
  allow: ['shell rm *'],
};

const trustFile = ({ home }: Setting): string => {
  const folder = join(home, '.local/state/reins/trust');
  return join(folder, readdirSync(folder)[0]!);
};

/** Trusts the settings as they are now, and remembers it. */
async function remember(workspace: string, env: { [name: string]: string }): Promise<void> {
  const { project } = await loadSettings({ workspace, env });
  assert.ok(project);
  trust({ workspace, env, hash: project.hash, content: project.content });
}

test('nothing that runs or widens is taken from an untrusted project, and a notice names each part', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  const bare = await loadSettings({ workspace, env });
  setting.writeProject(widening);
  const { settings, notices, project } = await loadSettings({ workspace, env });
  assert.deepEqual(settings, bare.settings);
  assert.equal(project?.trusted, false);
  assert.equal(notices.length, 1);
  assert.equal(notices[0]!.code, 'settings-untrusted');
  assert.deepEqual(notices[0]!.data?.['keys'], [
    'model',
    'mode',
    'checks',
    'limits.turns',
    'limits.calls',
    'limits.outputTokens',
    'retries.attempts',
    'timeouts.silence',
    'effort',
    'thinking',
    'temperature',
    'allow',
  ]);
  assert.match(notices[0]!.text, /checks \["touch pwned"\]/);
  assert.match(notices[0]!.text, /--trust/);
});

test('what tightens holds without trust', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  const tight = {
    mode: 'plan',
    deny: ['a'],
    ask: ['b'],
    limits: { turns: 100, calls: 1, cost: 0.5, minutes: 1, outputTokens: 10 },
  };
  setting.writeProject(tight);
  const { settings, notices } = await loadSettings({ workspace, env });
  assert.deepEqual(notices, []);
  assert.equal(settings.mode, 'plan');
  assert.deepEqual(settings.deny, ['a']);
  assert.deepEqual(settings.ask, ['b']);
  assert.deepEqual(settings.limits, tight.limits);
});

test('what is tighter is measured by the user’s settings, not by the defaults', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  setting.writeUser({ mode: 'edit', limits: { turns: null, calls: 10 } });
  setting.writeProject({ mode: 'ask', limits: { turns: 100_000, calls: 11 } });
  const { settings, notices } = await loadSettings({ workspace, env });
  assert.equal(settings.mode, 'ask');
  assert.equal(settings.limits.turns, 100_000);
  assert.equal(settings.limits.calls, 10);
  assert.deepEqual(notices[0]!.data?.['keys'], ['limits.calls']);
});

test('--trust uses all of it, for this once', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  setting.writeProject(widening);
  const { settings, notices, project } = await loadSettings({ workspace, env, trust: true });
  assert.deepEqual(settings.checks, [{ command: 'touch pwned', timeout: 600_000, from: 'project' }]);
  assert.deepEqual([notices, project?.trusted], [[], true]);
  assert.equal((await loadSettings({ workspace, env })).project?.trusted, false);
  assert.deepEqual(readdirSync(setting.home), []);
});

test('what is trusted is exactly this content', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  setting.writeProject(widening);
  await remember(workspace, env);
  const trusted = await loadSettings({ workspace, env });
  assert.equal(trusted.project?.trusted, true);
  assert.deepEqual(trusted.settings.checks, [{ command: 'touch pwned', timeout: 600_000, from: 'project' }]);
  assert.equal(trusted.settings.limits.calls, null);
  assert.deepEqual(trusted.notices, []);
  appendFileSync(setting.projectFile, ' ');
  const changed = await loadSettings({ workspace, env });
  assert.equal(changed.project?.trusted, false);
  assert.deepEqual(changed.settings.checks, []);
});

test('trust is for one workspace, by its real path', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  setting.writeProject(widening);
  await remember(workspace, env);
  const link = `${workspace}-link`;
  symlinkSync(workspace, link);
  assert.equal((await loadSettings({ workspace: link, env })).project?.trusted, true);
  const copy = `${workspace}-copy`;
  mkdirSync(join(copy, '.reins'), { recursive: true });
  writeFileSync(join(copy, '.reins/settings.json'), readFileSync(setting.projectFile));
  assert.equal((await loadSettings({ workspace: copy, env })).project?.trusted, false);
});

test('records and what was trusted are the owner’s alone', async (t) => {
  const setting = createSetting(t);
  const { workspace, env, home } = setting;
  setting.writeProject(widening);
  await remember(workspace, env);
  const file = trustFile(setting);
  const contents = join(home, '.local/state/reins/trust-content');
  const [content = ''] = readdirSync(contents);
  for (const each of [file, join(contents, content)]) {
    assert.equal(statSync(each).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(each)).mode & 0o777, 0o700);
  }
});

test('a record that others can write does not count, and it is said why', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  setting.writeProject(widening);
  await remember(workspace, env);
  const { project } = await loadSettings({ workspace, env });
  const question = { workspace, env, hash: project!.hash };
  const file = trustFile(setting);
  for (const path of [file, dirname(file)]) {
    const mode = statSync(path).mode & 0o777;
    chmodSync(path, mode | 0o020);
    const answer = isTrusted(question);
    assert.equal(answer.trusted, false);
    assert.match(answer.problem ?? '', /written by others/);
    const { notices } = await loadSettings({ workspace, env });
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['trust-record', 'settings-untrusted'],
    );
    chmodSync(path, mode);
    assert.equal(isTrusted(question).trusted, true);
  }
});

test('a record that came with the repository does not count', async (t) => {
  const setting = createSetting(t);
  const { workspace } = setting;
  const env = { ...setting.env, XDG_STATE_HOME: join(workspace, 'state') };
  setting.writeProject(widening);
  await remember(workspace, env);
  const { project, notices } = await loadSettings({ workspace, env });
  assert.equal(project?.trusted, false);
  assert.match(notices[0]!.text, /inside the workspace/);
});

test('a torn or foreign line in the record costs that line only', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  const hash = 'a'.repeat(64);
  trust({ workspace, env, hash });
  appendFileSync(trustFile(setting), '{"workspace":"' + workspace);
  trust({ workspace, env, hash: 'b'.repeat(64) });
  for (const line of ['null', '[]', '7', '{"hash":"c"}', `{"workspace":"/else","hash":"${'d'.repeat(64)}"}`])
    appendFileSync(trustFile(setting), `${line}\n`);
  const trusted = (of: string) => isTrusted({ workspace, env, hash: of }).trusted;
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((letter) => trusted(letter.repeat(64))),
    [true, true, false, false],
  );
  assert.match(isTrusted({ workspace, env, hash }).problem ?? '', /4 damaged lines/);
});

test('a state folder that can’t be written is named', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  writeFileSync(join(setting.home, '.local'), 'a file');
  setting.writeProject(widening);
  await assert.rejects(remember(workspace, env), { code: 'state-unwritable' });
});

test('a change of what was trusted is shown as a difference, and what was trusted before still is', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  setting.writeProject({ checks: ['npm test'], deny: ['a'] });
  await remember(workspace, env);
  setting.writeProject({ checks: ['npm test; touch pwned'], deny: ['a'] });
  const { project, notices, settings } = await loadSettings({ workspace, env });
  assert.deepEqual(settings.checks, []);
  assert.deepEqual(settings.deny, ['a']);
  assert.match(notices[0]!.text, /have changed since you trusted them; left out: checks .*reins trust --show/);
  const difference = project?.changed?.difference ?? '';
  assert.match(difference, /^-\s+"npm test"$/m);
  assert.match(difference, /^\+\s+"npm test; touch pwned"$/m);
  assert.equal(notices[0]!.data?.['difference'], difference);
  assert.match(project?.changed?.since ?? '', /^\d{4}-/);
  setting.writeProject({ checks: ['npm test'], deny: ['a'] });
  assert.equal((await loadSettings({ workspace, env })).project?.trusted, true);
});

test('a difference is only shown from what was trusted, whatever lies in its place now', async (t) => {
  const setting = createSetting(t);
  const { workspace, env, home } = setting;
  setting.writeProject({ checks: ['a'] });
  await remember(workspace, env);
  const contents = join(home, '.local/state/reins/trust-content');
  writeFileSync(join(contents, readdirSync(contents)[0]!), '{ "checks": ["b"] }');
  setting.writeProject({ checks: ['b'] });
  const { project } = await loadSettings({ workspace, env });
  assert.deepEqual([project?.trusted, project?.changed?.difference], [false, '']);
});

test('trust is listed, and taken back as a whole', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  const hashes = ['a', 'b'].map((digit) => digit.repeat(64));
  assert.equal(revokeTrust({ workspace, env }), false);
  for (const hash of hashes) trust({ workspace, env, hash });
  const [listed] = listTrust({ env }).trusted;
  assert.deepEqual([listed?.workspace, listed?.hash], [workspace, hashes[1]]);
  assert.equal(revokeTrust({ workspace, env }), true);
  for (const hash of hashes) assert.equal(isTrusted({ workspace, env, hash }).trusted, false);
  assert.deepEqual(listTrust({ env }), { trusted: [], problems: [] });
  trust({ workspace, env, hash: hashes[0]! });
  assert.deepEqual(
    hashes.map((hash) => isTrusted({ workspace, env, hash }).trusted),
    [true, false],
  );
});

test('settings above the workspace and in folders of it take no part', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  const bare = await loadSettings({ workspace, env });
  for (const folder of [dirname(workspace), join(workspace, 'packages/a')]) {
    mkdirSync(join(folder, '.reins'), { recursive: true });
    writeFileSync(join(folder, '.reins/settings.json'), JSON.stringify(widening));
  }
  for (const isTrusting of [false, true]) {
    const { settings, notices, project } = await loadSettings({ workspace, env, trust: isTrusting });
    assert.deepEqual([settings, notices, project], [bare.settings, [], undefined]);
  }
});

for (const [what, at, to] of [
  ['the file', '.reins/settings.json', 'settings.json'],
  ['its folder', '.reins', '.'],
] as const) {
  test(`a link to elsewhere in place of ${what} is no settings file, one within the workspace is`, async (t) => {
    const { workspace, env, home } = createSetting(t);
    writeFileSync(join(home, 'settings.json'), '{ "deny": ["a"] }');
    mkdirSync(join(workspace, 'shared'));
    writeFileSync(join(workspace, 'shared/settings.json'), '{ "deny": ["b"] }');
    mkdirSync(dirname(join(workspace, at)), { recursive: true });
    symlinkSync(join(home, to), join(workspace, at));
    await assert.rejects(loadSettings({ workspace, env, trust: true }), {
      code: 'config-invalid',
      message: /leads out of the workspace/,
    });
    rmSync(join(workspace, at));
    symlinkSync(join(workspace, 'shared', to), join(workspace, at));
    assert.deepEqual((await loadSettings({ workspace, env })).settings.deny, ['b']);
  });
}
