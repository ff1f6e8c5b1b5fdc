import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings, settingsRows } from '../../src/config/index.ts';
import { createSetting } from './places.ts';

test('rows show each value and where it comes from', async (t) => {
  const setting = createSetting(t);
  const { workspace, userFile, projectFile } = setting;
  setting.writeUser('{\n"model": "m",\n"rates": {"claude.1": {"input":1,"output":2,"cacheRead":0,"cacheWrite":1}}}');
  setting.writeProject('{"deny": ["a",\n"b"], "limits": {"cost": 1}}');
  const env = { ...setting.env, ANTHROPIC_BASE_URL: 'https://example.com' };
  const loaded = await loadSettings({ workspace, env, overrides: { checks: 'none', limits: { turns: null } } });
  const rows = settingsRows(loaded, env).map(({ key, value, origin }) => `${key} = ${value} <- ${origin}`);
  assert.deepEqual(rows, [
    'profile = "default" <- default',
    `model = "m" <- ${userFile}:2`,
    'mode = "ask" <- default',
    'tools = not set <- default',
    'loop.leaveOut = [] <- default',
    'checks = "none" <- command line',
    'limits.turns = null <- command line',
    'limits.calls = 500 <- default',
    'limits.minutes = 60 <- default',
    `limits.cost = 1 <- ${projectFile}:2`,
    'limits.outputTokens = 16000 <- default',
    'retries.attempts = 10 <- default',
    'retries.minutes = 15 <- default',
    'retries.brokenStream = 4 <- default',
    'retries.firstPause = 500 <- default',
    'timeouts.connect = 10000 <- default',
    'timeouts.firstByte = 600000 <- default',
    'timeouts.silence = 360000 <- default',
    'effort = not set <- default',
    'thinking = not set <- default',
    'temperature = not set <- default',
    'topP = not set <- default',
    'phases = not set <- default',
    'allow = not set <- default',
    'ask = not set <- default',
    `deny = "a" <- ${projectFile}:1`,
    `deny = "b" <- ${projectFile}:2`,
    'rules = not set <- default',
    'importRules = [] <- default',
    'pack = not set <- default',
    'files.env = "deny" <- default',
    'approvals.timeout = null <- default',
    'approvals.onAsk = "deny" <- default',
    'edits = "model" <- default',
    'instructions.enabled = true <- default',
    'instructions.bytes = 32768 <- default',
    'instructions.names = [] <- default',
    'memory.enabled = false <- default',
    'memory.autoAccept = false <- default',
    'style = "default" <- default',
    'appendPrompt = not set <- default',
    'preamble = false <- default',
    'map.prompt = false <- default',
    'map.tool = false <- default',
    'map.tokens = 1024 <- default',
    'diagnostics.syntax = true <- default',
    'diagnostics.linters = [] <- default',
    'diagnostics.servers = [] <- default',
    'diagnostics.timeout = 5000 <- default',
    'checkpoints.enabled = true <- default',
    'checkpoints.fileBytes = 1048576 <- default',
    'checkpoints.ignoredBytes = 67108864 <- default',
    'checkpoints.storeBytes = 2147483648 <- default',
    'environment.pass = [] <- default',
    'fetch = [] <- default',
    'egress.hosts = [] <- default',
    'egress.credentials = [] <- default',
    'sandbox.read = [] <- default',
    'sandbox.write = [] <- default',
    'providers.anthropic.baseUrl = "https://example.com" <- environment ANTHROPIC_BASE_URL',
    'models = not set <- default',
    'routes = [] <- default',
    'endpoint = not set <- default',
    'proxy = not set <- default',
    `rates.claude.1 = {"input":1,"output":2,"cacheRead":0,"cacheWrite":1} <- ${userFile}:3`,
  ]);
});

test('rows show no key, header or password', async (t) => {
  const setting = createSetting(t);
  setting.writeUser({
    endpoint: {
      keyVariable: 'MY_KEY',
      baseUrl: 'https://me:secret1@example.com/a@b',
      headers: { authorization: 'secret2' },
    },
    proxy: 'http://secret3@localhost:1',
  });
  const env = { ...setting.env, MY_KEY: 'secret4' };
  const rows = settingsRows(await loadSettings({ workspace: setting.workspace, env }), env);
  assert.doesNotMatch(JSON.stringify(rows), /secret/);
  const value = (key: string) => rows.find((row) => row.key === key)?.value;
  assert.equal(value('endpoint.keyVariable'), '"MY_KEY" (set)');
  assert.equal(value('endpoint.baseUrl'), '"https://...@example.com/a@b"');
  assert.equal(value('endpoint.headers.authorization'), 'hidden');
  assert.equal(value('proxy'), '"http://...@localhost:1"');
  setting.writeUser({
    providers: {
      corp: {
        keyVariable: 'MY_KEY',
        baseUrl: 'https://me:secret1@example.com',
        headers: { authorization: 'secret2' },
        apiKeyCommand: 'echo secret5',
      },
      other: { apiKeyCommand: ['echo', 'secret5'], keyVariable: 'NOT_SET' },
    },
  });
  const own = settingsRows(await loadSettings({ workspace: setting.workspace, env }), env);
  assert.doesNotMatch(JSON.stringify(own), /secret/);
  const of = (key: string) => own.find((row) => row.key === `providers.${key}`)?.value;
  assert.equal(of('corp.keyVariable'), '"MY_KEY" (set)');
  assert.equal(of('corp.baseUrl'), '"https://...@example.com"');
  assert.equal(of('corp.headers.authorization'), 'hidden');
  assert.equal(of('corp.apiKeyCommand'), 'hidden');
  assert.equal(of('other.apiKeyCommand'), 'hidden');
  assert.equal(of('other.keyVariable'), '"NOT_SET" (not set)');
});
