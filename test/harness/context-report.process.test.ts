import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { Type } from 'typebox';
import { estimatedInput } from '../../src/core/index.ts';
import {
  createSession,
  freshContext,
  listSessions,
  sessionContext,
  type ContextReport,
  type Session,
  type SessionOptions,
} from '../../src/harness/index.ts';
import { createSession as createRecord } from '../../src/session/index.ts';
import type { Scenario } from '../../src/testing/index.ts';
import { defineTool } from '../../src/tools/index.ts';
import { go, ground, type Ground } from './ground.ts';

/** A key for each, and no server that could be reached. */
const nowhere = { baseUrl: 'http://127.0.0.1:1' };
const user = {
  providers: {
    anthropic: nowhere,
    openai: nowhere,
    google: nowhere,
    own: { ...nowhere, models: { m: { abilities: { images: true } } } },
  },
};
const keys = { anthropic: 'k-anthropic', openai: 'k-openai', google: 'k-google' };
const models = {
  anthropic: 'anthropic/claude-sonnet-5-5',
  'openai-responses': 'openai/gpt-6.2-sol',
  'openai-chat': 'own/m',
  gemini: 'google/gemini-3.8-flash',
};

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(3_000, 7)]);

async function opened(t: TestContext, { workspace, env }: Ground, options: Omit<SessionOptions, 'workspace' | 'env'>) {
  const session = await createSession({ workspace, env, ...options, settings: { mode: 'plan', ...options.settings } });
  t.after(() => session.close());
  return session;
}

/** The bytes of the next request, which is recorded and never sent. */
async function prepared(session: Session): Promise<Uint8Array> {
  const item = await session.step();
  assert.ok(item.item === 'ask-model');
  return item.request.body;
}

function scenario(place: Ground, turns: Scenario['turns']): string {
  const file = join(place.env['HOME'] ?? '', `${Math.random()}.json`);
  writeFileSync(file, JSON.stringify({ turns }));
  return `script:${file}`;
}

const layerOf = ({ layers }: ContextReport, kind: string) => layers.find((layer) => layer.kind === kind);

function addsUp({ layers, total }: ContextReport): void {
  const sum = (key: 'bytes' | 'tokens') => layers.reduce((all, layer) => all + layer[key], 0);
  assert.deepEqual({ bytes: sum('bytes'), tokens: sum('tokens') }, total);
}

describe('the next request of a session', () => {
  for (const [wire, model] of Object.entries(models)) {
    test(`is to the byte what the wire sends, and its layers add up (${wire})`, async (t) => {
      const place = await ground(t, { user, keys });
      const calls = [
        { name: 'read', arguments: { path: 'a.txt' } },
        { name: 'shell', arguments: { command: 'ls' } },
      ];
      const script = scenario(place, [{ text: 'I look. é', calls }, { text: 'Done.' }]);
      const { outcome } = await go(place, { settings: { model: script } });
      const session = await opened(t, place, { resume: outcome.session, settings: { model } });
      await session.say('and this?', 'user', [png]);
      const body = await prepared(session);
      // The session is held by the driver: it is read without its lock.
      const report = await sessionContext(place.env, session.id);
      assert.deepEqual([report.wire, report.model, report.session], [wire, model, session.id]);
      assert.equal(report.total.bytes, body.length);
      addsUp(report);
      assert.deepEqual(report.layers.map(({ kind, count }) => `${kind} ${count}`).toSorted(), [
        'assistant 2',
        'calls 2',
        'frame 0',
        'images 1',
        'results 2',
        'standing-context 1',
        'static-prompt 1',
        'tools 9',
        'user 2',
      ]);
      const named = layerOf(report, 'results')?.largest.map(({ name }) => name);
      assert.deepEqual(named?.toSorted(), ['read a.txt', 'shell ls']);
      const tools = layerOf(report, 'tools')?.largest.map(({ name }) => name);
      const editing = tools?.includes('apply_patch') === true ? 'apply_patch' : 'edit';
      assert.deepEqual(
        tools?.toSorted(),
        [editing, 'ask', 'find', 'job', 'plan', 'read', 'search', 'shell', 'write'].toSorted(),
      );
      const image = layerOf(report, 'images');
      assert.ok(image !== undefined && image.bytes > png.length, 'its bytes are those in the request');
      assert.ok(image.tokens < 2_000, 'and say nothing of its tokens');
    });
  }

  test('is estimated by what the last reply reported, by what earlier ones taught, or by an assumption', async (t) => {
    const place = await ground(t);
    const calls = [{ name: 'read', arguments: { path: 'a.txt' } }];
    const reported = { usage: { input: 1_000, cacheRead: 200, output: 30 } };
    for (const [by, turns] of [
      [
        'reported',
        [
          { ...reported, calls },
          { ...reported, text: 'Done.' },
        ],
      ],
      [
        'calibrated',
        [
          { ...reported, calls },
          { usage: 'none', text: 'Done.' },
        ],
      ],
      [
        'assumed',
        [
          { usage: 'none', calls },
          { usage: 'none', text: 'Done.' },
        ],
      ],
    ] as const) {
      const model = scenario(place, turns as unknown as Scenario['turns']);
      const session = await opened(t, place, { settings: { model } });
      await session.say('go');
      await session.run();
      const report = await sessionContext(place.env, session.id);
      assert.equal(report.estimate.by, by);
      assert.equal(report.total.tokens, estimatedInput(session.view));
      addsUp(report);
      if (by === 'assumed') assert.equal(report.estimate.bytesPerToken, 3);
      else assert.ok(report.estimate.bytesPerToken !== 3, 'learnt from what was reported');
      if (by === 'reported') assert.equal(report.total.tokens, 1_230);
    }
  });

  test('leaves what the window has beside it and the reply', async (t) => {
    const place = await ground(t);
    const settings = { model: scenario(place, [{ text: 'Done.' }]), limits: { outputTokens: 4_000 } };
    const { outcome, setup } = await go(place, { settings });
    const { window, reserved, left, total } = await sessionContext(place.env, outcome.session);
    assert.deepEqual([window, reserved], [setup.window, 4_000]);
    assert.equal(left, window - reserved - total.tokens);
  });

  test('counts hundreds of tools as quickly as a few, each with its own bytes', async (t) => {
    const place = await ground(t);
    const input = Type.Object(
      Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`p${at}`, Type.Union([Type.String(), Type.Array(Type.Number())])]),
      ),
    );
    const tools = Array.from({ length: 300 }, (_, at) =>
      defineTool({
        name: `tool${100 + at}`,
        description: 'x'.repeat(at + 1),
        input,
        deferral: 'never',
        execute: () => Promise.resolve('done'),
      }),
    );
    const settings = { model: scenario(place, [{ text: 'Done.' }]) };
    const { outcome } = await go(place, { settings, tools, builtinTools: false });
    const started = performance.now();
    const report = await sessionContext(place.env, outcome.session);
    assert.ok(performance.now() - started < 10_000);
    addsUp(report);
    const { largest = [], count } = layerOf(report, 'tools') ?? {};
    assert.deepEqual([count, largest.length], [300, 300]);
    const bytes = new Map(largest.map((piece) => [piece.name, piece.bytes]));
    const first = bytes.get('tool100') ?? 0;
    for (let at = 0; at < 300; at += 1) assert.equal(bytes.get(`tool${100 + at}`), first + at);
  });

  test('is that of the latest session of a folder where none is named', async (t) => {
    const place = await ground(t);
    const { outcome } = await go(place, { settings: { model: scenario(place, [{ text: 'Done.' }]) } });
    const report = await sessionContext(place.env, { latest: place.workspace });
    assert.equal(report.session, outcome.session);
    await assert.rejects(sessionContext(place.env, 'nobody'), { code: 'session-missing' });
  });

  test('says that results are still to come', async (t) => {
    const place = await ground(t, { user, keys });
    const session = await opened(t, place, { settings: { model: models.anthropic } });
    await session.say('go');
    const item = await session.step();
    assert.ok(item.item === 'ask-model');
    const source = { provider: 'anthropic', wire: 'anthropic', model: 'claude-sonnet-5-5' };
    const parts = [{ type: 'call' as const, id: 'c', name: 'read', arguments: { path: 'a.txt' } }];
    await session.settle(item, { kind: 'reply', data: { source, parts, stop: 'calls', firstByte: 1, elapsed: 1 } });
    const { notes } = await sessionContext(place.env, session.id);
    assert.deepEqual(notes, ['The results of open calls (1) are still to come.']);
  });

  test('has a note where an image is lost, as the request has', async (t) => {
    const place = await ground(t, { user, keys });
    const session = await opened(t, place, { settings: { model: models.anthropic } });
    await session.say('look', 'user', [png]);
    for (const name of readdirSync(join(session.folder, 'blobs'))) rmSync(join(session.folder, 'blobs', name));
    const body = await prepared(session);
    const report = await sessionContext(place.env, session.id);
    assert.equal(report.total.bytes, body.length);
    assert.equal(layerOf(report, 'images'), undefined);
  });

  test('is nothing before the first run', async (t) => {
    const place = await ground(t);
    const state = join(place.env['HOME'] ?? '', '.local', 'state', 'reins');
    const record = await createRecord(state, { workspace: place.workspace, reins: '0', at: Date.now() });
    await record.close();
    await assert.rejects(sessionContext(place.env, record.id), { code: 'usage-arguments' });
  });
});

describe('a fresh start', () => {
  test('needs no key, records nothing, and is what a run begins with', async (t) => {
    const place = await ground(t, { user });
    const report = await freshContext({ workspace: place.workspace, env: place.env, settings: { mode: 'plan' } });
    assert.deepEqual([report.model, report.session], ['anthropic/claude-sonnet-5-5', undefined]);
    assert.match(report.notes.join(), /no key is there: this is what anthropic\/claude-sonnet-5-5 would be sent/);
    addsUp(report);
    assert.deepEqual(await listSessions(place.env), []);
    assert.equal(existsSync(join(place.env['HOME'] ?? '', '.local', 'state', 'reins', 'sessions')), false);

    const env = { ...place.env, ANTHROPIC_API_KEY: 'k-anthropic' };
    const session = await opened(t, { ...place, env }, { settings: { model: models.anthropic } });
    await session.say('go');
    const body = await prepared(session);
    const begun = await sessionContext(env, session.id);
    assert.equal(begun.total.bytes, body.length);
    const standing = ['tools', 'static-prompt', 'standing-context'];
    const bytesIn = (each: ContextReport) => standing.map((kind) => layerOf(each, kind)?.bytes);
    assert.deepEqual(bytesIn(report), bytesIn(begun));
    assert.ok(bytesIn(report).every((bytes) => bytes !== undefined && bytes > 400));
  });

  test('goes by the model and mode of the settings, and by those that are asked for', async (t) => {
    const place = await ground(t, { user: { ...user, model: models['openai-chat'], mode: 'edit' } });
    const options = { workspace: place.workspace, env: place.env };
    const edit = await freshContext(options);
    assert.deepEqual([edit.model, edit.wire, edit.notes], ['own/m', 'openai-chat', []]);
    const plan = await freshContext({ ...options, settings: { mode: 'plan', model: models.anthropic } });
    assert.equal(plan.wire, 'anthropic');
    assert.notEqual(layerOf(plan, 'standing-context')?.bytes, layerOf(edit, 'standing-context')?.bytes);
    const rehearsal = await freshContext({ ...options, settings: { model: 'script:nowhere.json' } });
    assert.equal(rehearsal.model, 'script/rehearsed');
    await assert.rejects(freshContext({ ...options, settings: { model: 'nobody/x' } }), { code: 'model-unknown' });
  });

  test('goes to the model of the phase, and to that of a recording', async (t) => {
    const phases = { planning: { model: models['openai-responses'] } };
    const place = await ground(t, { user: { ...user, model: models.anthropic, phases } });
    const options = { workspace: place.workspace, env: place.env };
    assert.equal((await freshContext({ ...options, settings: { mode: 'plan' } })).model, models['openai-responses']);
    assert.equal((await freshContext({ ...options, settings: { mode: 'ask' } })).model, models.anthropic);
    const record = join(place.env['HOME'] ?? '', 'recording');
    await go(place, { settings: { model: scenario(place, [{ text: 'Done.' }]) }, record });
    const replayed = await freshContext({ ...options, settings: { model: `replay:${record}` } });
    assert.equal(replayed.model, 'script/rehearsed');
  });

  test('takes the model that a run would choose by the keys that are there', async (t) => {
    const place = await ground(t, { user, env: { OPENAI_API_KEY: 'k-openai' } });
    const report = await freshContext({ workspace: place.workspace, env: place.env });
    assert.equal(report.model, models['openai-responses']);
    assert.match(report.notes.join(), /OPENAI_API_KEY/);
    assert.doesNotMatch(JSON.stringify(report), /k-openai/);
  });
});
