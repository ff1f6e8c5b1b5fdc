import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ReinsError } from '../../src/core/index.ts';
import { loadSettings } from '../../src/config/index.ts';
import { createSetting, type Setting } from './places.ts';

/** The lines of the error, with the file's path taken off. */
async function mistakes(setting: Setting): Promise<{ code: string; lines: string[] }> {
  const { workspace, env, userFile, projectFile } = setting;
  try {
    await loadSettings({ workspace, env });
  } catch (error) {
    assert.ok(error instanceof ReinsError, String(error));
    const text = error.detail.replaceAll(userFile, 'user').replaceAll(projectFile, 'project');
    return { code: error.code, lines: text.trim().split('\n') };
  }
  return { code: 'none', lines: [] };
}

const listed: [name: string, content: string, expected: string[]][] = [
  ['an unknown key', '{\n  "modle": "x"\n}', ['user:2:3: modle: This key is unknown. Did you mean model?']],
  [
    'an inner unknown key',
    '{"limits":{"turn":1}}',
    ['user:1:12: limits.turn: This key is unknown. Did you mean turns?'],
  ],
  [
    'a key like no other',
    '{"limits":{"zzzzzz":1}}',
    ['user:1:12: limits.zzzzzz: This key is unknown. Known are: turns, calls, minutes, cost, outputTokens.'],
  ],
  [
    'a bad mode',
    '{"mode":"yolo"}',
    ['user:1:9: mode: Expected "plan", "ask", "edit", "auto" or "unsafe". Found "yolo".'],
  ],
  [
    'a limit of the wrong kind',
    '{"limits":{"turns":0.5}}',
    ['user:1:20: limits.turns: Expected a whole number of at least 1, or null to lift the limit. Found 0.5.'],
  ],
  [
    'seconds where milliseconds are meant',
    '{"checks":[{"command":"x","timeout":600}]}',
    ['user:1:37: checks[0].timeout: Expected milliseconds: a whole number from 1000 to 86400000. Found 600.'],
  ],
  ['a check without a command', '{"checks":[{"timeout":6000}]}', ['user:1:12: checks[0]: Expected also: command.']],
  [
    'a check that is a number',
    '{"checks":[1]}',
    ['user:1:12: checks[0]: Expected a shell command, or {"command": "...", "timeout": milliseconds}. Found 1.'],
  ],
  ['a key given twice', '{"model":"a",\n"model":"b"}', ['user:2:1: model: This key is there twice.']],
  ['a list at the top', '[]', ['user:1:1: Expected an object: { ... }. Found a list.']],
  ['text after the end', '{} x', ['user:1:4: This is no JSON value.']],
  ['a file that is cut off', '{"model":\n', ['user:2:1: Expected a value.', 'user:2:1: Expected a closing brace.']],
  [
    'a bad address',
    '{"proxy":"ftp://x"}',
    ['user:1:10: proxy: Expected an address that begins with http:// or https://.'],
  ],
  [
    'a blank shape',
    '{"deny":[" "]}',
    ['user:1:10: deny[0]: Expected the shape of a call: one line of text that is not blank. Found " ".'],
  ],
  [
    'a wire that is none',
    '{"providers":{"x":{"wire":"soap"}}}',
    ['user:1:27: providers.x.wire: Expected "anthropic", "openai-responses", "openai-chat" or "gemini".'],
  ],
  [
    'a provider with a slash in its name',
    '{"providers":{"a/b":{}}}',
    ['user:1:15: providers."a/b": Expected the name of a provider: lower-case letters, digits, dots and dashes.'],
  ],
  [
    'a model without its provider',
    '{"models":{"gpt-6.2-sol":{}}}',
    ['user:1:12: models."gpt-6.2-sol": Expected a model as "provider/model".'],
  ],
  [
    'a phase that is none',
    '{"phases":{"plan":{}}}',
    ['user:1:12: phases.plan: Expected "planning", "working", "summarising", "reviewing" or "judging".'],
  ],
  ['a route without a model', '{"routes":[{"when":{}}]}', ['user:1:12: routes[0]: Expected also: model.']],
  [
    'a failure that is none',
    '{"routes":[{"model":"a/b","when":{"failure":["cancelled"]}}]}',
    [
      'user:1:46: routes[0].when.failure[0]: Expected "retryable", "wait", "broken-stream", "unreachable", "auth", "quota", "overflow", "content" or "protocol". Found "cancelled".',
    ],
  ],
  [
    'an effort that is none',
    '{"effort":"very"}',
    ['user:1:11: effort: Expected "none", "low", "medium", "high", "xhigh" or "max". Found "very".'],
  ],
  [
    'a command for a key that is empty',
    '{"providers":{"x":{"apiKeyCommand":[]}}}',
    ['user:1:36: providers.x.apiKeyCommand: Expected a program and its arguments. It is empty.'],
  ],
  [
    'a price that is missing',
    '{"rates":{"m":{"input":1,"output":2,"cacheRead":1}}}',
    ['user:1:15: rates.m: Expected also: cacheWrite.'],
  ],
];
for (const [name, content, expected] of listed) {
  test(`${name} is named with file, line, column and what was expected`, async (t) => {
    const setting = createSetting(t);
    setting.writeUser(content);
    const { code, lines } = await mistakes(setting);
    assert.equal(code, 'config-invalid');
    assert.deepEqual(
      lines.filter((line) => !line.includes('mistakes in the settings')),
      expected,
    );
  });
}

test('all mistakes of both files are listed together, however many', async (t) => {
  const setting = createSetting(t);
  setting.writeUser({
    mode: 1,
    model: 2,
    effort: 3,
    thinking: 4,
    temperature: 5,
    limits: 6,
    retries: 7,
    timeouts: 8,
    checks: 9,
    allow: 0,
  });
  setting.writeProject('{"limits":{"cost":-1}}');
  const { lines } = await mistakes(setting);
  assert.equal(lines[0], '11 mistakes in the settings:');
  assert.equal(lines.length, 12);
  assert.match(lines.at(-1) ?? '', /^project:1:19: limits.cost: /);
});

test('what only the user may set is refused in a project, with file, line and key', async (t) => {
  const cases = [
    ['endpoint', '{"baseUrl":"https://x.example"}'],
    ['endpoint', '{"keyVariable":"AWS_SECRET"}'],
    ['endpoint', '{"headers":{"a":"b"}}'],
    ['proxy', '"http://x.example"'],
    ['rates', '{}'],
    ['providers', '{"openai":{"baseUrl":"https://x.example"}}'],
    ['providers', '{"openai":{"keyVariable":"AWS_SECRET"}}'],
    ['providers', '{"openai":{"apiKeyCommand":"cat ~/.ssh/id_rsa"}}'],
    ['providers', '{"openai":{"headers":{"a":"b"}}}'],
    ['models', '{"openai/gpt-6.2-sol":{"body":{"a":1}}}'],
    ['routes', '[{"model":"openai/gpt-6.2-sol"}]'],
  ] as const;
  for (const [key, value] of cases) {
    const setting = createSetting(t);
    setting.writeProject(`{\n "mode": "plan",\n "${key}": ${value}\n}`);
    const { code, lines } = await mistakes(setting);
    assert.equal(code, 'config-untrusted');
    assert.deepEqual(lines, [`project:3:2: ${key}: Only the user’s own settings may have this key.`]);
    const trusted = loadSettings({ workspace: setting.workspace, env: setting.env, trust: true });
    await assert.rejects(trusted, { code: 'config-untrusted' });
    setting.writeProject('{}');
    setting.writeUser(`{"${key}": ${value}}`);
    assert.equal((await mistakes(setting)).code, 'none');
  }
});

test('a project may set the phases, but choose no model for one', async (t) => {
  const setting = createSetting(t);
  setting.writeProject('{"phases":{"planning":{"effort":"high"},\n"summarising":{"model":"openai/gpt-6.2-sol"}}}');
  const { code, lines } = await mistakes(setting);
  assert.equal(code, 'config-untrusted');
  assert.deepEqual(lines, ['project:2:16: phases.summarising.model: Only the user’s own settings may have this key.']);
  setting.writeProject('{"phases":{"planning":{"effort":"high"}}}');
  assert.equal((await mistakes(setting)).code, 'none');
  const { settings } = await loadSettings({ workspace: setting.workspace, env: setting.env });
  assert.deepEqual(settings.phases, {});
  const trusted = await loadSettings({ workspace: setting.workspace, env: setting.env, trust: true });
  assert.deepEqual(trusted.settings.phases, { planning: { effort: 'high' } });
  setting.writeProject('{}');
  setting.writeUser({ phases: { summarising: { model: 'openai/gpt-6.2-sol' } } });
  assert.equal((await mistakes(setting)).code, 'none');
});

test('a project can choose every mode but unsafe, the user every mode', async (t) => {
  const setting = createSetting(t);
  setting.writeProject({ mode: 'unsafe' });
  const { code, lines } = await mistakes(setting);
  assert.equal(code, 'config-untrusted');
  assert.deepEqual(lines, ['project:2:3: mode: A project can’t choose the mode unsafe.']);
  setting.writeProject({ mode: 'auto' });
  assert.equal((await mistakes(setting)).code, 'none');
  setting.writeProject('{}');
  setting.writeUser({ mode: 'unsafe' });
  assert.equal((await mistakes(setting)).code, 'none');
});

test('a secret in a header, an address or a command does not end up in the message', async (t) => {
  const setting = createSetting(t);
  const headers = { authorization: 'Bearer very-secret\n' };
  const provider = { headers, baseUrl: 'very-secret', apiKeyCommand: ['echo', 'very-secret\0'] };
  for (const settings of [{ endpoint: { headers } }, { providers: { corp: provider } }]) {
    setting.writeUser(settings);
    const { lines } = await mistakes(setting);
    assert.match(lines.join(''), /authorization/);
    assert.doesNotMatch(lines.join(''), /very-secret/);
  }
});

test('what a terminal would obey is shown as an escape', async (t) => {
  const setting = createSetting(t);
  setting.writeUser('{"\\u001b[2Jx": 1, "model": "\\u202eabc\\u009b\\n"}');
  const { lines } = await mistakes(setting);
  assert.equal(lines.length, 3);
  assert.doesNotMatch(lines.join(''), /[\u0000-\u001f\u007f-\u009f\u202e]/);
});

test('a folder, a pipe, a device, a loop or a huge file in its place is named, and nothing waits', async (t) => {
  const { workspace, env, projectFile } = createSetting(t);
  const place = async (make: () => void): Promise<string> => {
    execFileSync('rm', ['-rf', projectFile]);
    mkdirSync(dirname(projectFile), { recursive: true });
    make();
    const error = await loadSettings({ workspace, env }).then(
      () => undefined,
      (reason: ReinsError) => reason,
    );
    assert.equal(error?.code, 'config-invalid');
    assert.ok(error.detail.startsWith(`${projectFile}:1:1: `), error.detail);
    return error.detail;
  };
  assert.match(await place(() => mkdirSync(projectFile)), /This is a folder; expected a file\./);
  assert.match(await place(() => execFileSync('mkfifo', [projectFile])), /not a regular file/);
  assert.match(await place(() => symlinkSync('/dev/zero', projectFile)), /not a regular file/);
  assert.match(await place(() => symlinkSync(projectFile, projectFile)), /ELOOP/);
  const fill = (bytes: number) => execFileSync('truncate', ['-s', String(bytes), projectFile]);
  assert.match(await place(() => fill(256 * 1024 + 1)), /more than 262144 bytes/);
});

test('a file of exactly the largest size is read', async (t) => {
  const setting = createSetting(t);
  setting.writeUser(' '.repeat(256 * 1024 - 2) + '{}');
  assert.equal((await mistakes(setting)).code, 'none');
});

test(
  'a file without permission to read is named',
  { skip: process.getuid?.() === 0 && 'root reads everything' },
  async (t) => {
    const setting = createSetting(t);
    setting.writeUser('{}');
    chmodSync(setting.userFile, 0);
    assert.match((await mistakes(setting)).lines.join(), /can’t be opened \(EACCES\)/);
  },
);

test('a file that is not UTF-8, and one that is nested without end, are named', async (t) => {
  const setting = createSetting(t);
  setting.writeUser(Buffer.from([0x7b, 0xff, 0x7d]));
  assert.deepEqual((await mistakes(setting)).lines, ['user:1:1: The file is not UTF-8 text.']);
  for (const depth of [50, 5000, 200_000]) {
    setting.writeUser('{"model":' + '['.repeat(depth));
    assert.equal((await mistakes(setting)).code, 'config-invalid');
  }
  for (const depth of [100, 5000]) {
    setting.writeUser('{"model":' + '['.repeat(depth) + ']'.repeat(depth) + '}');
    assert.deepEqual((await mistakes(setting)).lines, ['user:1:1: The file is nested too deeply.']);
  }
});

test('whatever a file holds, loading it works or names the file', async (t) => {
  const setting = createSetting(t);
  const keys = [
    'model',
    'mode',
    'limits',
    'turns',
    'checks',
    'endpoint',
    'headers',
    'rates',
    'providers',
    'models',
    'phases',
    'routes',
    'a/b',
    'allow',
    '__proto__',
    '$schema',
  ];
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, 0, 1, 2.5, 'plan', 'x', ''),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  const text = fc.oneof(
    json.map((value) => JSON.stringify(value)),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      setting.writeProject(content);
      const { code, lines } = await mistakes(setting);
      assert.ok(['none', 'config-invalid', 'config-untrusted'].includes(code));
      if (code !== 'none') assert.match(lines.at(-1) ?? '', /^project:\d+:\d+: /);
    }),
    { numRuns: 200 },
  );
});

test('the published schema is the one in the code', async () => {
  const { settingsSchema } = await import('../../src/config/schema.ts');
  const published: unknown = JSON.parse(
    readFileSync(new URL('../../schema/settings.schema.json', import.meta.url), 'utf8'),
  );
  assert.deepEqual(published, JSON.parse(JSON.stringify(settingsSchema)));
});
