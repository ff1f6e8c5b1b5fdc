import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings } from '../../src/config/index.ts';
import { createSetting } from './places.ts';

test('without files every value is the default', async (t) => {
  const { workspace, env } = createSetting(t);
  const loaded = await loadSettings({ workspace, env });
  assert.deepEqual(loaded.settings, {
    mode: 'ask',
    checks: [],
    limits: { turns: 100, calls: 500, minutes: 60, cost: 5, outputTokens: 16_000 },
    retries: { attempts: 10, minutes: 15, brokenStream: 4, firstPause: 500 },
    timeouts: { connect: 10_000, firstByte: 600_000, silence: 360_000 },
    allow: [],
    ask: [],
    deny: [],
    endpoint: { keyVariable: 'ANTHROPIC_API_KEY', headers: {} },
    rates: {},
  });
  assert.deepEqual(loaded.notices, []);
  assert.equal(loaded.project, undefined);
  assert.ok(Object.values(loaded.origins).every(({ layer }) => layer === 'default'));
});

test('the defaults are not shared between loads', async (t) => {
  const { workspace, env } = createSetting(t);
  const first = await loadSettings({ workspace, env });
  first.settings.allow.push('x');
  first.settings.limits.turns = 1;
  const second = await loadSettings({ workspace, env });
  assert.deepEqual(second.settings.allow, []);
  assert.equal(second.settings.limits.turns, 100);
});

test('a higher layer replaces a value, and the origin says file and line', async (t) => {
  const setting = createSetting(t);
  const { workspace, env, userFile, projectFile } = setting;
  setting.writeUser('{\n  "model": "from-user",\n  "limits": {\n    "turns": 7,\n    "cost": null\n  }\n}');
  setting.writeProject('// the project\n{\n  "limits": { "turns": 5, },\n}');
  const overrides = { limits: { calls: 9 } };
  const { settings, origins } = await loadSettings({ workspace, env, overrides });
  assert.equal(settings.model, 'from-user');
  assert.deepEqual(settings.limits, { turns: 5, calls: 9, minutes: 60, cost: null, outputTokens: 16_000 });
  assert.deepEqual(origins['model'], { layer: 'user', file: userFile, line: 2 });
  assert.deepEqual(origins['limits.turns'], { layer: 'project', file: projectFile, line: 3 });
  assert.deepEqual(origins['limits.cost'], { layer: 'user', file: userFile, line: 5 });
  assert.deepEqual(origins['limits.calls'], { layer: 'command-line' });
  assert.deepEqual(origins['limits.minutes'], { layer: 'default' });
});

test('the environment stands between the files and the command line', async (t) => {
  const setting = createSetting(t);
  setting.writeUser({ model: 'file', endpoint: { baseUrl: 'https://file.example' } });
  const { workspace } = setting;
  const env = { ...setting.env, REINS_MODEL: 'environment', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' };
  const { settings, origins } = await loadSettings({ workspace, env });
  assert.equal(settings.model, 'environment');
  assert.equal(settings.endpoint.baseUrl, 'http://127.0.0.1:1');
  assert.deepEqual(origins['model'], { layer: 'environment', variable: 'REINS_MODEL' });
  const over = await loadSettings({ workspace, env, overrides: { model: 'command' } });
  assert.equal(over.settings.model, 'command');
  const blank = await loadSettings({ workspace, env: { ...env, REINS_MODEL: '' } });
  assert.equal(blank.settings.model, 'file');
  await assert.rejects(loadSettings({ workspace, env: { ...env, ANTHROPIC_BASE_URL: 'nowhere' } }), {
    code: 'config-invalid',
    detail: /ANTHROPIC_BASE_URL/,
  });
});

test('shape lists add up over the layers, each shape once, with its first origin', async (t) => {
  const setting = createSetting(t);
  const { workspace, env, userFile, projectFile } = setting;
  setting.writeUser('{"deny":["a","b"]}');
  setting.writeProject('{"deny":[\n"b",\n"c"]}');
  const { settings, origins } = await loadSettings({ workspace, env, overrides: { deny: ['d', 'a'] } });
  assert.deepEqual(settings.deny, ['a', 'b', 'c', 'd']);
  assert.deepEqual(origins['deny.1'], { layer: 'user', file: userFile, line: 1 });
  assert.deepEqual(origins['deny.2'], { layer: 'project', file: projectFile, line: 3 });
  assert.deepEqual(origins['deny.3'], { layer: 'command-line' });
});

test('checks are replaced as a whole and say where they are from', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  setting.writeUser({ checks: ['user check', { command: 'slow check', timeout: 1000 }] });
  const user = await loadSettings({ workspace, env });
  assert.deepEqual(user.settings.checks, [
    { command: 'user check', timeout: 600_000, from: 'user' },
    { command: 'slow check', timeout: 1000, from: 'user' },
  ]);
  setting.writeProject({ checks: ['project check'] });
  const project = await loadSettings({ workspace, env, trust: true });
  assert.deepEqual(project.settings.checks, [{ command: 'project check', timeout: 600_000, from: 'project' }]);
  const command = await loadSettings({ workspace, env, overrides: { checks: ['mine'] } });
  assert.deepEqual(command.settings.checks, [{ command: 'mine', timeout: 600_000, from: 'command-line' }]);
  const waived = await loadSettings({ workspace, env, overrides: { checks: 'none' } });
  assert.equal(waived.settings.checks, 'waived');
});

test('rates carry the day and the file that they come from', async (t) => {
  const setting = createSetting(t);
  const { workspace, env, userFile } = setting;
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  setting.writeUser({ rates: { plain: prices, 'dated.1': { ...prices, dated: '2026-01-31' } } });
  const { settings } = await loadSettings({ workspace, env });
  assert.deepEqual(settings.rates['dated.1'], { ...prices, dated: '2026-01-31', source: userFile });
  assert.match(settings.rates['plain']!.dated, /^\d{4}-\d{2}-\d{2}$/);
});

test('names that mean something to JavaScript are names like any other', async (t) => {
  const setting = createSetting(t);
  const { workspace, env } = setting;
  setting.writeUser('{"endpoint":{"headers":{"__proto__":"x","constructor":"y"}}}');
  const { settings } = await loadSettings({ workspace, env });
  assert.deepEqual(Object.entries(settings.endpoint.headers), [
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  assert.equal(({} as { x?: unknown }).x, undefined);
});

test('a byte order mark, CRLF, comments and trailing commas are fine; so is a file with nothing in it', async (t) => {
  const setting = createSetting(t);
  const { workspace, env, userFile } = setting;
  setting.writeUser('\ufeff{\r\n  // why\r\n  "mode": "plan", /* so */\r\n  "model": "m",\r\n}\r\n');
  const { settings, origins } = await loadSettings({ workspace, env });
  assert.equal(settings.mode, 'plan');
  assert.deepEqual(origins['model'], { layer: 'user', file: userFile, line: 4 });
  for (const empty of ['', ' \n', '// only a comment\n', '{}', '{"$schema":"x"}']) {
    setting.writeUser(empty);
    assert.equal((await loadSettings({ workspace, env })).settings.mode, 'ask', JSON.stringify(empty));
  }
});

test('places follow the XDG variables, and relative ones do not count', async (t) => {
  const { workspace, env, home } = createSetting(t);
  const defaults = await loadSettings({ workspace, env });
  assert.deepEqual(defaults.places, {
    home,
    settings: `${home}/.config/reins/settings.json`,
    state: `${home}/.local/state/reins`,
    cache: `${home}/.cache/reins`,
  });
  const xdg = { ...env, XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: 'relative' };
  const moved = await loadSettings({ workspace, env: xdg });
  assert.deepEqual(moved.places, {
    home,
    settings: '/c/reins/settings.json',
    state: '/s/reins',
    cache: `${home}/.cache/reins`,
  });
});

test('a workspace that is not a folder is named', async (t) => {
  const setting = createSetting(t);
  setting.writeProject('{}');
  const missing = { code: 'workspace-missing' };
  await assert.rejects(loadSettings({ workspace: `${setting.workspace}/none`, env: setting.env }), missing);
  await assert.rejects(loadSettings({ workspace: setting.projectFile, env: setting.env }), missing);
});
