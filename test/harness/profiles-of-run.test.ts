/** What a profile makes of a run: the tools that are offered, the rules that run, what the log says of it. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
  createSession,
  profilesReport,
  ReinsError,
  type RunSettings,
  type SessionOptions,
} from '../../src/harness/index.ts';
import { loopRules } from '../../src/harness/profiles.ts';
import { settingsFor } from '../../src/harness/settings.ts';
import { startModelServer, type ScriptedReply } from '../../src/testing/index.ts';
import { defineTool } from '../../src/tools/index.ts';
import { go, ground } from './ground.ts';

const model = 'anthropic/claude-sonnet-5';

interface Body {
  system: { text: string }[];
  tools: { name: string }[];
}

async function running(
  t: TestContext,
  settings: RunSettings,
  { turns = [], user, ...more }: Omit<SessionOptions, 'workspace'> & { turns?: ScriptedReply[]; user?: object } = {},
) {
  const server = await startModelServer({ turns: [...turns, { text: 'Done.' }] });
  t.after(() => server.close());
  const place = await ground(t, { env: { ANTHROPIC_API_KEY: 'k' }, ...(user !== undefined && { user }) });
  const asked = { model, endpoint: { baseUrl: server.url }, checks: 'waived' as const, ...settings };
  const texts: string[] = [];
  const ran = await go(place, {
    ...more,
    settings: asked,
    onEvent: ({ kind, data }) => kind === 'result' && texts.push(data.text),
  });
  const [body] = server.requests.map((request) => request.body as unknown as Body);
  return { ...ran, texts, body, place, names: body?.tools.map(({ name }) => name).toSorted() };
}

const ownTool = defineTool({ name: 'own', description: 'Mine.', input: { type: 'object' }, execute: () => 'own' });

describe('the tools of a run', () => {
  test('are exactly those that are named, also one of the embedder’s and one that is only understood otherwise', async (t) => {
    const turns = [{ calls: [{ name: 'write', arguments: { path: 'b.txt', content: 'b' } }] }];
    const options = { tools: [ownTool], turns };
    const { names, texts, setup } = await running(t, { mode: 'edit', tools: ['own', 'read', 'apply_patch'] }, options);
    assert.deepEqual(names, ['apply_patch', 'own', 'read']);
    assert.match(texts[0] ?? '', /write/);
    assert.ok(!texts[0]?.startsWith('Created'));
    assert.deepEqual(
      setup.tools.map(({ name }) => name),
      ['apply_patch', 'own', 'read'],
    );
  });

  test('that are not there are an error that names those that are, and the place that names them', async (t) => {
    const fails = (text: RegExp) => (error: unknown) =>
      error instanceof ReinsError && error.code === 'tool-unknown' && text.test(error.message);
    await assert.rejects(
      running(t, { tools: ['reed', 'shell'] }),
      fails(/^There is no tool "reed" here\. There are .*read, search, shell/),
    );
    await assert.rejects(
      running(t, {}, { user: { tools: ['reed'] } }),
      fails(/settings\.json:2: There is no tool "reed"/),
    );
    await assert.rejects(running(t, { tools: [] }), { code: 'config-invalid' });
  });
});

describe('a profile', () => {
  test('is in the setup of the log, a file of one’s own with the hash of its content', async (t) => {
    const shipped = await running(t, { profile: 'explore' });
    assert.deepEqual(shipped.setup.runProfile, { name: 'explore', source: 'shipped' });
    assert.deepEqual(shipped.names, ['ask', 'find', 'read', 'search', 'shell']);
    assert.equal(shipped.setup.mode, 'plan');
    const place = await ground(t, { user: { model: 'script:none' } });
    mkdirSync(join(place.config, 'profiles'));
    const file = join(place.config, 'profiles', 'mine.jsonc');
    writeFileSync(file, '{ "tools": ["read"], "limits": { "turns": 3 } }');
    const script = join(place.config, 'script.json');
    writeFileSync(script, JSON.stringify({ turns: [{ text: 'Done.' }] }));
    const { setup } = await go(place, { settings: { profile: 'mine', model: `script:${script}` } });
    const { hash, ...rest } = setup.runProfile ?? {};
    assert.deepEqual(rest, { name: 'mine', source: 'user', file });
    assert.match(hash ?? '', /^[0-9a-f]{64}$/);
    assert.equal(setup.limits.turns, 3);
    const { profiles } = await profilesReport(place);
    assert.deepEqual(profiles[0], { name: 'mine', source: 'user', file, chosen: false });
    assert.ok(profiles.some(({ name, chosen }) => name === 'default' && chosen));
  });

  test('chooses the effort over that of the model, and a session that goes on has its model', async (t) => {
    const user = { models: { [model]: { effort: 'low' } } };
    const place = await ground(t, { user });
    mkdirSync(join(place.config, 'profiles'));
    writeFileSync(join(place.config, 'profiles', 'deep.jsonc'), JSON.stringify({ effort: 'high' }));
    const { settings, origins } = await settingsFor({ ...place, settings: { profile: 'deep' } });
    assert.deepEqual([settings.effort, origins['effort']?.layer], ['high', 'profile']);
    const server = await startModelServer({ turns: [{ text: 'Done.' }] });
    t.after(() => server.close());
    const env = { ...place.env, ANTHROPIC_API_KEY: 'k' };
    const asked = { profile: 'deep', model, endpoint: { baseUrl: server.url } };
    const { setup } = await go({ ...place, env }, { settings: asked });
    assert.equal(setup.settings.effort, 'high');
  });

  test('leaves rules of the loop out, and only those that may be', async (t) => {
    const place = await ground(t);
    const names = async (settings: RunSettings) =>
      loopRules(await settingsFor({ ...place, settings })).map(({ name }) => name);
    const all = await names({});
    assert.deepEqual(
      await names({ profile: 'lean' }),
      all.filter((name) => name !== 'plan'),
    );
    const other = await ground(t, { user: { loop: { leaveOut: ['limits'] } } });
    await assert.rejects(settingsFor(other), { code: 'config-invalid' });
  });

  test('that is unknown, and what is no setting of a run, keeps a session from beginning', async (t) => {
    const place = await ground(t);
    const start = (settings: object) => createSession({ ...place, settings });
    await assert.rejects(start({ profile: 'leam' }), { code: 'profile-unknown' });
    await assert.rejects(start({ profiles: 'lean' }), { code: 'config-invalid' });
  });
});

test('the standing part of the first request: at most 1,200 tokens by default, 650 in the profile lean', async (t) => {
  const size = async (profile: string) => {
    const { body } = await running(t, { profile, mode: 'ask' });
    return (
      countTokens(JSON.stringify(body?.tools)) + countTokens(body?.system.map(({ text }) => text).join('\n') ?? '')
    );
  };
  const [byDefault, lean] = [await size('default'), await size('lean')];
  assert.ok(byDefault <= 1_200, String(byDefault));
  assert.ok(lean <= 650, String(lean));
  t.diagnostic(`default ${byDefault}, lean ${lean}`);
});
