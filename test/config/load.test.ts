import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings, settingsRows } from '../../src/config/index.ts';
import { createSetting } from './places.ts';

test('without files every value is the default', async (t) => {
  const { workspace, env } = createSetting(t);
  const loaded = await loadSettings({ workspace, env });
  assert.deepEqual(loaded.settings, {
    profile: 'default',
    mode: 'ask',
    loop: { leaveOut: [] },
    checks: [],
    limits: { turns: 100, calls: 500, minutes: 60, cost: 5, outputTokens: 16_000 },
    retries: { attempts: 10, minutes: 15, brokenStream: 4, firstPause: 500 },
    timeouts: { connect: 10_000, firstByte: 600_000, silence: 360_000 },
    allow: [],
    ask: [],
    deny: [],
    approvals: { timeout: null, onAsk: 'deny' },
    edits: 'model',
    instructions: { enabled: true, bytes: 32_768, names: [] },
    memory: { enabled: false, autoAccept: false },
    style: 'default',
    preamble: false,
    map: { prompt: false, tool: false, tokens: 1024 },
    diagnostics: { syntax: true, linters: [], servers: [], timeout: 5_000 },
    checkpoints: { enabled: true, fileBytes: 1_048_576, ignoredBytes: 67_108_864, storeBytes: 2_147_483_648 },
    rules: [],
    importRules: [],
    pack: {},
    files: { env: 'deny' },
    environment: { pass: [] },
    fetch: [],
    egress: { hosts: [], credentials: [] },
    sandbox: { read: [], write: [] },
    phases: {},
    providers: {},
    models: {},
    routes: [],
    endpoint: { headers: {} },
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
  setting.writeUser({ model: 'file', providers: { anthropic: { baseUrl: 'https://file.example' } } });
  const { workspace } = setting;
  const env = { ...setting.env, REINS_MODEL: 'environment', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' };
  const { settings, origins } = await loadSettings({ workspace, env });
  assert.equal(settings.model, 'environment');
  assert.equal(settings.providers['anthropic']?.baseUrl, 'http://127.0.0.1:1');
  assert.deepEqual(origins['model'], { layer: 'environment', variable: 'REINS_MODEL' });
  const over = await loadSettings({ workspace, env, overrides: { model: 'command' } });
  assert.equal(over.settings.model, 'command');
  const blank = await loadSettings({ workspace, env: { ...env, REINS_MODEL: '', ANTHROPIC_BASE_URL: '' } });
  assert.equal(blank.settings.model, 'file');
  assert.equal(blank.settings.providers['anthropic']?.baseUrl, 'https://file.example');
});

test('an address from the environment is for its own provider alone, and must be one', async (t) => {
  const { workspace, env } = createSetting(t);
  const addresses = {
    ANTHROPIC_BASE_URL: 'anthropic',
    OPENAI_BASE_URL: 'openai',
    GOOGLE_GEMINI_BASE_URL: 'google',
  };
  for (const [variable, provider] of Object.entries(addresses)) {
    const { settings, origins } = await loadSettings({ workspace, env: { ...env, [variable]: 'http://127.0.0.1:1' } });
    assert.deepEqual(settings.providers, { [provider]: { baseUrl: 'http://127.0.0.1:1' } });
    assert.deepEqual(origins[`providers.${provider}.baseUrl`], { layer: 'environment', variable });
    await assert.rejects(loadSettings({ workspace, env: { ...env, [variable]: 'nowhere' } }), {
      code: 'config-invalid',
      detail: new RegExp(`^${variable}: `),
    });
  }
});

test('providers, models, phases and routes keep their lines, and a part of one may come from the environment', async (t) => {
  const setting = createSetting(t);
  const { workspace, userFile } = setting;
  setting.writeUser(`{
    "providers": {
      "corp": { "baseUrl": "https://llm.corp.example", "wire": "openai-chat", "apiKeyCommand": ["pass", "corp"],
        "models": { "big/one": { "window": 64000, "settings": { "body": { "seed": { "a": [1] } } } } } },
      "openai": { "keyVariable": "MINE" }
    },
    "models": { "openai/gpt-6.2-sol": { "effort": "max", "thinking": 2048, "temperature": 0, "topP": 1 } },
    "phases": { "planning": { "model": "corp/big/one" },
      "working": { "effort": "low" } },
    "routes": [{ "model": "corp/big/one", "when": { "failure": ["quota"], "tries": 2 } }]
  }`);
  const env = { ...setting.env, OPENAI_BASE_URL: 'http://127.0.0.1:1' };
  const { settings, origins } = await loadSettings({ workspace, env });
  assert.deepEqual(settings.providers['openai'], { keyVariable: 'MINE', baseUrl: 'http://127.0.0.1:1' });
  assert.deepEqual(settings.providers['corp'], {
    baseUrl: 'https://llm.corp.example',
    wire: 'openai-chat',
    apiKeyCommand: ['pass', 'corp'],
    models: { 'big/one': { window: 64_000, settings: { body: { seed: { a: [1] } } } } },
  });
  assert.deepEqual(settings.models['openai/gpt-6.2-sol'], { effort: 'max', thinking: 2048, temperature: 0, topP: 1 });
  assert.deepEqual(settings.phases, { planning: { model: 'corp/big/one' }, working: { effort: 'low' } });
  assert.deepEqual(settings.routes, [{ model: 'corp/big/one', when: { failure: ['quota'], tries: 2 } }]);
  const line = (key: string) => origins[key]?.line;
  assert.deepEqual(origins['routes'], { layer: 'user', file: userFile, line: 10 });
  assert.equal(line('providers.corp.models.big/one.window'), 4);
  assert.equal(line('providers.corp.models.big/one.settings.body'), 4);
  assert.equal(line('phases.working.effort'), 9);
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

test('a provider or a model that is only named is there, and stays what it is', async (t) => {
  const setting = createSetting(t);
  const { workspace } = setting;
  setting.writeUser({
    providers: { openai: {}, ollama: { models: { x: {} } }, vllm: {} },
    models: { 'ollama/x': {} },
    limits: {},
  });
  const env = { ...setting.env, OPENAI_BASE_URL: 'http://me:secret@127.0.0.1:1' };
  const loaded = await loadSettings({ workspace, env });
  assert.deepEqual(loaded.settings.providers, {
    openai: { baseUrl: env.OPENAI_BASE_URL },
    ollama: { models: { x: {} } },
    vllm: {},
  });
  assert.deepEqual(loaded.settings.models, { 'ollama/x': {} });
  assert.doesNotMatch(JSON.stringify(settingsRows(loaded, env)), /secret/);
});

test('rates carry the day and the file that they come from', async (t) => {
  const setting = createSetting(t);
  const { workspace, env, userFile } = setting;
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  setting.writeUser({ rates: { plain: prices, 'dated.1': { ...prices, dated: '2026-01-31' } } });
  const { settings } = await loadSettings({ workspace, env });
  assert.deepEqual(settings.rates['dated.1'], { ...prices, dated: '2026-01-31', source: userFile });
  assert.match(settings.rates['plain']!.dated, /^\d{4}-\d{2}-\d{2}$/);
  setting.writeUser({
    providers: { corp: { models: { m: { rates: prices } } } },
    models: { 'corp/n': { rates: { ...prices, dated: '2026-01-31' } } },
  });
  const { settings: nested } = await loadSettings({ workspace, env });
  assert.equal(nested.models['corp/n']?.rates?.dated, '2026-01-31');
  const served = nested.providers['corp']?.models?.['m']?.rates;
  assert.match(served?.dated ?? '', /^\d{4}-\d{2}-\d{2}$/);
  assert.equal(served?.source, userFile);
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
    keys: `${home}/.config/reins/keys.json`,
    state: `${home}/.local/state/reins`,
    cache: `${home}/.cache/reins`,
  });
  const xdg = { ...env, XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: 'relative' };
  const moved = await loadSettings({ workspace, env: xdg });
  assert.deepEqual(moved.places, {
    home,
    settings: '/c/reins/settings.json',
    keys: '/c/reins/keys.json',
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
