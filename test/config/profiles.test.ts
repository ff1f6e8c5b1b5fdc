import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { listProfiles, loadSettings, profileTrust, revokeTrust, settingsRows, trust } from '../../src/config/index.ts';
import { shippedProfiles } from '../../src/config/shipped-profiles.ts';
import { ReinsError } from '../../src/core/index.ts';
import { createSetting, type Setting } from './places.ts';

function put(file: string, content: object | string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return file;
}

const own = ({ home }: Setting, name: string, content: object | string): string =>
  put(join(home, '.config', 'reins', 'profiles', `${name}.jsonc`), content);
const projects = ({ workspace }: Setting, name: string, content: object | string): string =>
  put(join(workspace, '.reins', 'profiles', `${name}.jsonc`), content);

const fails = (code: string, text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ReinsError);
  assert.equal(error.code, code);
  assert.match(error.message, text);
  return true;
};

test('a profile stands above the settings of the user and the project, and below environment and command line', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  setting.writeUser({ model: 'user', effort: 'low', limits: { turns: 9, calls: 9 }, deny: ['shell(a)'] });
  setting.writeProject({ mode: 'plan', limits: { turns: 8 }, deny: ['shell(b)'] });
  const file = own(
    setting,
    'mine',
    '// mine\n{\n"mode": "edit",\n"model": "profile", "effort": "high", "deny": ["shell(c)"], "limits": {"turns": 7, "minutes": 7} }',
  );
  const overrides = { profile: 'mine', limits: { minutes: 5 } };
  const { settings, origins, profile } = await loadSettings({
    workspace,
    env: { ...env, REINS_MODEL: 'environment' },
    overrides,
  });
  assert.equal(settings.mode, 'edit');
  assert.equal(settings.model, 'environment');
  assert.equal(settings.effort, 'high');
  assert.deepEqual(settings.deny, ['shell(a)', 'shell(b)', 'shell(c)']);
  assert.deepEqual([settings.limits.turns, settings.limits.calls, settings.limits.minutes], [7, 9, 5]);
  assert.deepEqual(origins['mode'], { layer: 'profile', file, line: 3, profile: 'mine' });
  assert.deepEqual([profile.name, profile.source, profile.file], ['mine', 'user', file]);
  assert.match(profile.hash ?? '', /^[0-9a-f]{64}$/);
});

test('where a value of a shipped profile comes from is shown by its name', async (t) => {
  const { workspace, env } = createSetting(t);
  const loaded = await loadSettings({ workspace, env, overrides: { profile: 'explore' } });
  const rows = settingsRows(loaded, env).map(({ key, value, origin }) => `${key} = ${value} <- ${origin}`);
  assert.ok(rows.includes('profile = "explore" <- command line'));
  assert.ok(rows.includes('mode = "plan" <- profile explore'));
});

test('the settings name the profile of every run, the command line that of one', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  setting.writeUser({ profile: 'edit' });
  assert.equal((await loadSettings({ workspace, env })).settings.mode, 'edit');
  const asked = await loadSettings({ workspace, env, overrides: { profile: 'default' } });
  assert.deepEqual([asked.settings.mode, asked.settings.profile], ['ask', 'default']);
  setting.writeUser({});
  setting.writeProject({ profile: 'auto' });
  const untrusted = await loadSettings({ workspace, env });
  assert.equal(untrusted.settings.mode, 'ask');
  assert.deepEqual(untrusted.notices[0]?.data?.['keys'], ['profile']);
});

test('each shipped profile is a layer of settings that loads', async (t) => {
  const { workspace, env } = createSetting(t);
  assert.deepEqual(Object.keys(shippedProfiles), ['default', 'plan', 'edit', 'auto', 'explore', 'lean']);
  for (const name of Object.keys(shippedProfiles)) {
    const { settings, entries } = await loadSettings({ workspace, env, overrides: { profile: name } });
    assert.equal(settings.profile, name);
    const said = entries.filter(({ origin }) => origin.layer === 'profile').map(({ path: [key = ''] }) => key);
    assert.deepEqual(new Set(said), new Set(Object.keys(shippedProfiles[name]?.settings ?? {})), name);
  }
});

test('a profile that is not there is an error with the near names, whatever was asked for', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  own(setting, 'careful', {});
  const load = (profile: string) => loadSettings({ workspace, env, overrides: { profile } });
  await assert.rejects(load('carefull'), fails('profile-unknown', /Did you mean careful\? There are careful, default/));
  await assert.rejects(load('zzzzzzzzzz'), fails('profile-unknown', /There are careful, default, plan.*profiles/));
  for (const name of ['../settings', '', '.', 'a/b', '__proto__', 'constructor'])
    await assert.rejects(load(name), { code: 'profile-unknown' }, name);
});

test('a mistake in a profile is said by file and line, also that it chooses another', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  const file = own(setting, 'bad', '{\n"mood": "edit",\n"profile": "lean"\n}');
  const load = loadSettings({ workspace, env, overrides: { profile: 'bad' } });
  await assert.rejects(
    load,
    fails('config-invalid', /bad\.jsonc:2:1: mood: .*\n.*bad\.jsonc:3:1: profile: A profile can’t/),
  );
  assert.ok(file.endsWith('bad.jsonc'));
  // What isn't chosen keeps nobody from working.
  assert.equal((await loadSettings({ workspace, env })).settings.mode, 'ask');
});

test('a profile of the user’s takes the place of a shipped one, one of the project’s never', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  projects(setting, 'edit', { mode: 'auto' });
  projects(setting, 'mine', { mode: 'auto' });
  own(setting, 'auto', { mode: 'edit' });
  own(setting, 'mine', { mode: 'plan' });
  const mode = async (profile: string) =>
    (await loadSettings({ workspace, env, trust: true, overrides: { profile } })).settings.mode;
  assert.deepEqual([await mode('edit'), await mode('auto'), await mode('mine')], ['edit', 'edit', 'plan']);
  const { places } = await loadSettings({ workspace, env });
  const sources = listProfiles({ workspace, places }).map(({ name, source }) => `${name} ${source}`);
  assert.deepEqual(sources.toSorted(), [
    'auto user',
    'default shipped',
    'edit shipped',
    'explore shipped',
    'lean shipped',
    'mine user',
    'plan shipped',
  ]);
});

test('a profile of the project’s counts once it is trusted, by its content, and loosens nothing even then', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  setting.writeUser({ limits: { turns: 5 }, tools: ['read', 'search'] });
  const content = {
    mode: 'auto',
    limits: { turns: 50, calls: 3 },
    tools: ['read', 'shell'],
    allow: ['shell'],
    deny: ['shell(rm *)'],
    rules: [
      { effect: 'allow', tool: 'write' },
      { effect: 'ask', tool: 'fetch' },
    ],
    effort: 'low',
  };
  const file = projects(setting, 'team', content);
  const load = (more: object = {}) => loadSettings({ workspace, env, overrides: { profile: 'team' }, ...more });
  await assert.rejects(load(), fails('profile-untrusted', /team\.jsonc.*reins trust --profile team/));
  const check = ({ settings, notices }: Awaited<ReturnType<typeof load>>) => {
    assert.deepEqual(
      [settings.mode, settings.limits.turns, settings.limits.calls, settings.tools, settings.effort],
      ['ask', 5, 3, ['read', 'search'], 'low'],
    );
    assert.deepEqual([settings.allow, settings.deny, settings.rules.length], [[], ['shell(rm *)'], 1]);
    const notice = notices.find(({ code }) => code === 'profile-loosens');
    assert.deepEqual(notice?.data?.['keys'], ['mode', 'limits.turns', 'tools', 'allow', 'rules']);
  };
  check(await load({ trust: true }));
  const seen = await profileTrust({ workspace, env }, 'team');
  assert.ok(seen !== undefined && !seen.trusted && seen.file === file);
  trust({ workspace, env, profile: 'team', hash: seen.hash, content: seen.content });
  check(await load());
  // Trust in a profile is none in the settings, nor in another profile of the same content.
  projects(setting, 'other', content);
  await assert.rejects(load({ overrides: { profile: 'other' } }), { code: 'profile-untrusted' });
  setting.writeProject(content);
  assert.equal((await loadSettings({ workspace, env })).project?.trusted, false);
  rmSync(setting.projectFile);
  projects(setting, 'team', { ...content, effort: 'high' });
  await assert.rejects(load(), { code: 'profile-untrusted' });
  const changed = await profileTrust({ workspace, env }, 'team');
  assert.match(changed?.changed?.difference ?? '', /-.*"low"/);
  projects(setting, 'team', content);
  check(await load());
  assert.ok(revokeTrust({ workspace, env }));
  await assert.rejects(load(), { code: 'profile-untrusted' });
});

test('a profile of the project’s may hold what its settings may, and lie where they may', async (t) => {
  const setting = createSetting(t);
  const { workspace, env, home } = setting;
  const load = (profile: string) => loadSettings({ workspace, env, trust: true, overrides: { profile } });
  for (const content of [
    { mode: 'unsafe' },
    { loop: { leaveOut: ['stuck'] } },
    { endpoint: { baseUrl: 'http://x' } },
  ]) {
    projects(setting, 'team', content);
    await assert.rejects(load('team'), fails('config-untrusted', /team\.jsonc:\d/));
  }
  symlinkSync(put(join(home, 'outside.jsonc'), {}), join(workspace, '.reins', 'profiles', 'linked.jsonc'));
  await assert.rejects(load('linked'), fails('config-invalid', /link that leads out of the workspace/));
});

test('a settings file for a run is a part of the command line: below its options, the user’s own, and told by file and line', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  const file = put(
    join(workspace, 'run.jsonc'),
    '{\n"mode": "auto",\n"profile": "edit", "limits": {"turns": 3},\n"proxy": "http://proxy.example", "allow": ["shell(x)"],\n"rates": {"m": {"input":1,"output":2,"cacheRead":0,"cacheWrite":1}}}',
  );
  const { settings, origins, profile } = await loadSettings({
    workspace,
    env,
    settingsFrom: file,
    overrides: { limits: { turns: 4 } },
  });
  assert.deepEqual([settings.mode, settings.limits.turns, settings.proxy], ['auto', 4, 'http://proxy.example']);
  assert.equal(profile.name, 'edit');
  assert.deepEqual(origins['mode'], { layer: 'command-line', file, line: 2 });
  assert.deepEqual(origins['limits.turns'], { layer: 'command-line' });
  assert.equal(settings.rates['m']?.source, file);
  const bad = put(join(workspace, 'bad.jsonc'), '{\n"mode": "loose" }');
  await assert.rejects(
    loadSettings({ workspace, env, settingsFrom: bad }),
    fails('config-invalid', /bad\.jsonc:2:9: mode/),
  );
  const missing = loadSettings({ workspace, env, settingsFrom: join(workspace, 'none.jsonc') });
  await assert.rejects(missing, fails('config-invalid', /none\.jsonc: There is no such file/));
});
