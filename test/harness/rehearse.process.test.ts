import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import {
  createSession,
  doctor,
  listSessions,
  openReader,
  rehearseSession,
  rewindSession,
  type Event,
  type Rehearsal,
} from '../../src/harness/index.ts';
import { loadScenario, type Scenario } from '../../src/testing/index.ts';
import { defineTool, type CallHook } from '../../src/tools/index.ts';
import { edit, read, shell } from '../support/calls.ts';
import { asked, parts, words } from './long-talk.ts';
import { files, place, provideModel, serve, wires, work, type Place, type WireName } from './past.ts';

type Options = Parameters<typeof work>[2];

// A workspace of its own: the folder for temporary files as a whole can't be one in a sandbox.
const tried = mkdtempSync(join(tmpdir(), 'reins-tried-'));
const { rows } = await doctor({ workspace: tried }).finally(() => rmSync(tried, { recursive: true }));
const sandboxed = rows.some(({ name, ok }) => name === 'sandbox' && ok);
const needsSandbox = { skip: sandboxed ? false : 'there is no sandbox here' };

/** A session that is over, and whose model server is gone. */
async function past(
  t: TestContext,
  at: Place,
  scenario: Scenario,
  options: Options = {},
  wire: WireName = 'anthropic',
  tasks = ['Do it.'],
) {
  const server = await serve(t, scenario, at);
  await provideModel(at, wire, server, { retries: { firstPause: 10 } });
  const done = await work(at, tasks, options);
  await server.close();
  return done;
}

/** Rehearses, in a folder for temporary files that is looked into afterwards. */
async function rehearse(
  at: Place,
  session: string,
  options: Partial<Parameters<typeof rehearseSession>[0]> = {},
): Promise<Rehearsal> {
  return rehearseSession({ session, env: at.env, ...options });
}

function hashOf(folder: string): string {
  const digest = createHash('sha256');
  const walk = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = join(path, entry.name);
      digest.update(`${entry.name}\n`);
      if (entry.isDirectory()) walk(inner);
      else if (entry.isFile()) digest.update(readFileSync(inner));
    }
  };
  walk(folder);
  return digest.digest('hex');
}

const fix: Scenario = {
  turns: [
    { thinking: 'I should look.', text: 'I look.', calls: [read('${workspace}/a.ts'), read('b.ts')] },
    { calls: [edit('${workspace}/a.ts', '= 1', '= 2')] },
    { text: 'Done.' },
  ],
};

describe('a session that is rehearsed unchanged', () => {
  for (const wire of wires) {
    test(`over ${wire}, does the same, asks nobody and touches nothing`, async (t) => {
      const at = await place(t);
      const { outcome } = await past(t, at, fix, { settings: { checks: ['test -f a.ts'] } }, wire);
      assert.equal(outcome.outcome, 'completed', outcome.detail);
      await at.workspace.git('checkout', '--', 'a.ts');
      const temporary = new Set(readdirSync(tmpdir()));
      const before = [hashOf(at.workspace.path), hashOf(at.home.path)];
      const rehearsal = await rehearse(at, outcome.session);
      assert.deepEqual(rehearsal.differences, []);
      assert.equal(rehearsal.same, true);
      assert.deepEqual([hashOf(at.workspace.path), hashOf(at.home.path)], before);
      assert.deepEqual(
        (await listSessions(at.env)).map(({ id }) => id),
        [outcome.session],
      );
      assert.deepEqual(
        readdirSync(tmpdir()).filter((name) => name.startsWith('reins-rehearsal-') && !temporary.has(name)),
        [],
      );
      assert.equal(rehearsal.commit, (await at.workspace.git('rev-parse', 'HEAD')).trim());
      assert.deepEqual(
        rehearsal.calls.map(({ turn, call, tool, outcome: { now } }) => [turn, call, tool, now]),
        [
          [1, 1, 'read', 'ok'],
          [1, 2, 'read', 'ok'],
          [2, 1, 'edit', 'ok'],
        ],
      );
      assert.deepEqual(rehearsal.changed.same, ['a.ts']);
      assert.deepEqual(rehearsal.checks, [{ command: 'test -f a.ts', recorded: 'passed', now: 'passed' }]);
      assert.deepEqual(
        rehearsal.stops.map(({ recorded, now }) => [recorded, now]),
        [['completed', 'completed']],
      );
      assert.deepEqual(rehearsal.setup, { prompt: 'same', tools: { added: [], removed: [], changed: [] } });
    });
  }

  test('with commands whose times, ids and places differ, and text that names the workspace', async (t) => {
    const at = await place(t);
    const turns = [
      {
        calls: [
          shell(
            'pwd; date; date +%s; git rev-parse HEAD; git status --short; ls -l a.ts; cat /proc/sys/kernel/random/uuid',
          ),
        ],
      },
      { calls: [read('a.ts'), edit('a.ts', '1', "'${workspace}/b.ts'")] },
      { calls: [shell('cat a.ts')] },
      { text: 'All in ${workspace}.' },
    ];
    const { outcome } = await past(t, at, { turns }, { settings: { allow: ['shell(*)'] } });
    assert.equal(outcome.outcome, 'completed', outcome.detail);
    const rehearsal = await rehearse(at, outcome.session, { settings: { allow: ['shell(*)'] } });
    assert.deepEqual(rehearsal.differences, []);
    assert.deepEqual(rehearsal.changed.same, ['a.ts']);
  });
});

describe('what differs is told', () => {
  test('a rule of today that refuses a call', async (t) => {
    const at = await place(t);
    const { outcome } = await past(t, at, fix);
    await at.home.write('.config/reins/settings.json', JSON.stringify({ deny: ['edit(a.ts)'] }));
    const rehearsal = await rehearse(at, outcome.session);
    assert.equal(rehearsal.same, false);
    const call = rehearsal.calls[2]!;
    assert.deepEqual(
      [call.verdict, call.outcome],
      [
        { recorded: 'allow', now: 'deny' },
        { recorded: 'ok', now: 'denied' },
      ],
    );
    assert.match(
      rehearsal.differences.join('\n'),
      /2\.1 edit: verdict allow by mode:edit then, deny by rule:edit\(a\.ts\) now\./,
    );
    assert.deepEqual(rehearsal.changed.onlyRecorded, ['a.ts']);
  });

  test('a hook of today that blocks a call, and a tool and a prompt that it didn’t have', needsSandbox, async (t) => {
    const at = await place(t);
    const { outcome } = await past(t, at, fix);
    const hook: CallHook = {
      name: 'no-edits',
      before: ({ tool }) => Promise.resolve(tool === 'edit' ? { block: 'not today' } : undefined),
    };
    const blocked = await rehearse(at, outcome.session, { parts: { hooks: [hook] } });
    assert.equal(blocked.same, false);
    assert.equal(blocked.calls[2]?.outcome.now, 'denied');
    assert.match(
      blocked.differences.join('\n'),
      /2\.1 edit: verdict allow by mode:edit then, deny by hook:no-edits now\./,
    );

    const ping = defineTool({
      name: 'ping',
      description: 'Pings.',
      input: { type: 'object' },
      execute: async () => 'pong',
    });
    const other = await rehearse(at, outcome.session, { parts: { tools: [ping] }, settings: { mode: 'auto' } });
    assert.deepEqual(other.setup, { prompt: 'changed', tools: { added: ['ping'], removed: [], changed: [] } });
    // Neither makes a difference by itself: the work was the same.
    assert.deepEqual(other.differences, []);
  });

  test('a tool that isn’t there any more', async (t) => {
    const at = await place(t);
    const ping = defineTool({
      name: 'ping',
      description: 'Pings.',
      input: { type: 'object' },
      execute: async () => 'pong',
    });
    const scenario = { turns: [{ calls: [{ name: 'ping' }] }, { text: 'Done.' }] };
    const { outcome } = await past(t, at, scenario, { tools: [ping], settings: { allow: ['ping'] } });
    const rehearsal = await rehearse(at, outcome.session);
    assert.deepEqual(rehearsal.calls[0]?.outcome, { recorded: 'ok', now: 'error' });
    assert.deepEqual(rehearsal.setup.tools.removed, ['ping']);
  });

  test('a result, by its first line that differs', async (t) => {
    const at = await place(t, { files });
    const { outcome } = await past(t, at, { turns: [{ calls: [read('b.ts')] }, { text: 'Done.' }] });
    await at.workspace.write('b.ts', 'const b = 2;\nmore\n');
    const rehearsal = await rehearse(at, outcome.session);
    const [call] = rehearsal.calls;
    assert.equal(call?.line?.number, 1);
    assert.match(call?.line?.recorded ?? '', /const b = 1/);
    assert.match(call?.line?.now ?? '', /const b = 2/);
    assert.deepEqual(rehearsal.differences.length, 1);
    assert.match(rehearsal.notes.join('\n'), /began at no commit.*may differ.*b\.ts/);
  });

  test('another end, another check, another content', async (t) => {
    const at = await place(t);
    const { outcome } = await past(t, at, fix, { settings: { checks: ['grep -q 2 a.ts'] } });
    const rehearsal = await rehearse(at, outcome.session, { settings: { checks: ['grep -q 3 a.ts'] } });
    assert.ok(rehearsal.checks.some(({ recorded, now }) => recorded === 'passed' && now === 'failed'));
    const [stop] = rehearsal.stops;
    assert.equal(stop?.recorded, 'completed');
    assert.notEqual(stop?.now, 'completed');
    assert.match(rehearsal.notes.join('\n'), /asked for more replies than were recorded/);
  });
});

describe('the copy of the workspace', () => {
  test('is that of the commit at which the session began, with what wasn’t committed and what is ignored', async (t) => {
    const at = await place(t);
    await at.workspace.write('a.ts', 'const a = 1; // mine\n');
    await at.workspace.write('new.ts', 'untracked\n');
    await at.workspace.write('node_modules/x/index.js', 'installed\n');
    const turns = [
      { calls: [read('a.ts'), read('new.ts'), read('node_modules/x/index.js'), edit('b.ts', '1', '2')] },
      { text: 'Done.' },
    ];
    const { outcome } = await past(t, at, { turns });
    // What was done since is no part of it.
    await at.workspace.git('commit', '--quiet', '--all', '--message=later');
    const rehearsal = await rehearse(at, outcome.session);
    assert.deepEqual(rehearsal.differences, []);
    assert.match(rehearsal.notes.join('\n'), /What Git ignores is as it is now, not as it was \(node_modules\)/);
  });

  test('lacks what can’t be had any more, and says so', async (t) => {
    const at = await place(t);
    await at.workspace.write('a.ts', 'const a = 7;\n');
    await at.workspace.write('gone.ts', 'gone\n');
    const { outcome } = await past(t, at, { turns: [{ calls: [read('a.ts'), read('gone.ts')] }, { text: 'Done.' }] });
    await at.workspace.write('a.ts', 'const a = 8;\n');
    rmSync(join(at.workspace.path, 'gone.ts'));
    const rehearsal = await rehearse(at, outcome.session);
    assert.match(rehearsal.notes.join('\n'), /2 files can’t be had as the session found them.*a\.ts, gone\.ts/);
    assert.equal(rehearsal.same, false);
  });

  test('has no remote, no hook and no filter of the original, and shares no file with it', async (t) => {
    const at = await place(t);
    const mark = join(at.home.path, 'ran');
    await at.workspace.git('remote', 'add', 'origin', at.home.path);
    await at.workspace.git('config', 'filter.x.smudge', `touch ${mark}; cat`);
    await at.workspace.write('.gitattributes', '*.ts filter=x\n');
    await at.workspace.write('.git/hooks/post-checkout', { content: `#!/bin/sh\ntouch ${mark}\n`, mode: 0o755 });
    await at.workspace.git('add', '.gitattributes');
    await at.workspace.git('commit', '--quiet', '--message=attributes');
    rmSync(mark, { force: true });
    const { outcome } = await past(t, at, { turns: [{ calls: [read('a.ts')] }, { text: 'Done.' }] });
    const rehearsal = await rehearse(at, outcome.session, { keep: true });
    t.after(() => rmSync(rehearsal.kept!.folder, { recursive: true, force: true }));
    assert.equal(existsSync(mark), false);
    const copy = rehearsal.kept!.workspace;
    assert.doesNotMatch(readFileSync(join(copy, '.git', 'config'), 'utf8'), /remote|filter|hooksPath/);
    assert.equal(existsSync(join(copy, '.git', 'hooks', 'post-checkout')), false);
  });

  test('is of the folder inside a repository that was the workspace', async (t) => {
    const at = await place(t, {
      files: { 'packages/one/a.ts': 'const a = 1;\n', 'packages/two/b.ts': 'b\n' },
      git: true,
    });
    const inner = join(at.workspace.path, 'packages', 'one');
    const moved = { ...at, workspace: { ...at.workspace, path: inner } };
    const { outcome } = await past(t, moved, {
      turns: [{ calls: [read('a.ts'), edit('a.ts', '1', '2')] }, { text: 'Done.' }],
    });
    await at.workspace.git('checkout', '--', '.');
    const rehearsal = await rehearse(moved, outcome.session);
    assert.deepEqual(rehearsal.differences, []);
  });

  test('leads no link back into the original', async (t) => {
    const at = await place(t, { files: { ...files, 'node_modules/.keep': '' }, git: true });
    await at.workspace.write('node_modules/back', { link: at.workspace.path });
    const { outcome } = await past(t, at, {
      turns: [{ calls: [edit('node_modules/back/a.ts', '1', '2')] }, { text: 'Done.' }],
    });
    await at.workspace.git('checkout', '--', 'a.ts');
    await rehearse(at, outcome.session);
    assert.equal((await at.workspace.read('a.ts')).toString(), files['a.ts']);
  });

  test('is none of itself, where temporary files lie in the workspace', async (t) => {
    const temporary = process.env['TMPDIR'];
    t.after(() => {
      if (temporary === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporary;
    });
    for (const git of [true, false]) {
      const at = await place(t, { files: { ...files, 'node_modules/tmp/.keep': '' }, git });
      const { outcome } = await past(t, at, { turns: [{ calls: [read('a.ts')] }, { text: 'Done.' }] });
      process.env['TMPDIR'] = join(at.workspace.path, 'node_modules/tmp');
      const rehearsal = await rehearse(at, outcome.session);
      assert.deepEqual(rehearsal.differences, []);
      assert.deepEqual(readdirSync(join(at.workspace.path, 'node_modules/tmp')), ['.keep']);
      if (temporary === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporary;
    }
  });

  test('can’t be made where the commit or the workspace is gone', async (t) => {
    const at = await place(t);
    const { outcome } = await past(t, at, fix);
    const git = join(at.workspace.path, '.git');
    rmSync(git, { recursive: true });
    await assert.rejects(rehearse(at, outcome.session), {
      code: 'rehearsal-impossible',
      message: /no Git repository any more/,
    });
    await at.workspace.git('init', '--quiet');
    await assert.rejects(rehearse(at, outcome.session), { code: 'rehearsal-impossible', message: /can’t be had/ });
    rmSync(at.workspace.path, { recursive: true });
    await assert.rejects(rehearse(at, outcome.session), { code: 'workspace-missing' });
  });
});

describe('what came from outside comes again in its place', () => {
  test('a steer in the middle, and a second run with other settings', async (t) => {
    const at = await place(t);
    const turns = [
      { calls: [read('a.ts')] },
      { text: 'As you say.', expect: { contains: 'Only b, in ' } },
      { calls: [read('b.ts'), edit('b.ts', '1', '2')], expect: { contains: 'And now b.' } },
      { text: 'Done.' },
    ];
    const server = await serve(t, { turns }, at);
    await provideModel(at, 'anthropic', server);
    let said = false;
    const session = await createSession({
      workspace: at.workspace.path,
      env: at.env,
      settings: {
        mode: 'plan',
        checks: 'waived',
      },
      onEvent: ({ kind }) => {
        if (kind !== 'start' || said) return;
        said = true;
        void session.say(`Only b, in ${at.workspace.path}.`, 'steer');
      },
    });
    await session.say('Look.');
    await session.run();
    await session.close();
    const second = await work(at, ['And now b.'], { resume: session.id });
    assert.equal(second.outcome.outcome, 'completed', second.outcome.detail);
    await server.close();
    await at.workspace.git('checkout', '--', 'b.ts');
    const rehearsal = await rehearse(at, session.id, { keep: true });
    t.after(() => rmSync(rehearsal.kept!.folder, { recursive: true, force: true }));
    assert.deepEqual(rehearsal.differences, []);
    assert.deepEqual(
      rehearsal.stops.map(({ now }) => now),
      ['completed', 'completed'],
    );
    // The same inputs stand at the same places of both logs.
    const kinds = async (env: Place['env'], id: string) => {
      const events = [...(await openReader(env, id)).items()] as Event[];
      return events.flatMap(({ kind, data }) =>
        kind === 'input' || kind === 'reply' || kind === 'setup' ? [[kind, kind === 'input' ? data.from : '']] : [],
      );
    };
    const own = { ...at.env, XDG_STATE_HOME: join(rehearsal.kept!.folder, 'state') };
    assert.deepEqual(await kinds(own, rehearsal.kept!.session!), await kinds(at.env, session.id));
  });

  test('answers as they were given, and an “always” that holds from there on, for the rehearsal alone', async (t) => {
    const at = await place(t);
    const turns = [
      { calls: [read('a.ts'), read('b.ts')] },
      { calls: [edit('a.ts', '1', '2')] },
      { calls: [edit('a.ts', '2', '3')] },
      { calls: [edit('b.ts', '1', '2')] },
      { text: 'Done.' },
    ];
    const answers = [
      { decision: 'yes', scope: 'always' },
      { decision: 'no', scope: 'once', reason: 'leave b' },
    ] as const;
    let asked = 0;
    const approver = { ask: () => Promise.resolve({ by: 'me', ...answers[asked++]! }) };
    const { outcome } = await past(t, at, { turns }, { approver, settings: { mode: 'ask' } });
    await at.workspace.git('checkout', '--', '.');
    const before = hashOf(at.home.path);
    const rehearsal = await rehearse(at, outcome.session);
    assert.deepEqual(rehearsal.differences, []);
    assert.equal(hashOf(at.home.path), before);
    assert.ok(rehearsal.calls.some(({ outcome: { now } }) => now === 'denied'));
  });

  test('a cancel', async (t) => {
    const at = await place(t);
    const server = await serve(t, { turns: [{ calls: [shell('sleep 30')] }, { text: 'Done.' }] }, at);
    await provideModel(at, 'anthropic', server);
    const session = await createSession({
      workspace: at.workspace.path,
      env: at.env,
      settings: {
        mode: 'edit',
        allow: ['shell(*)'],
        checks: 'waived',
      },
      onEvent: ({ kind }) => {
        if (kind === 'start') void session.cancel('me', 'SIGINT');
      },
    });
    await session.say('Wait.');
    assert.equal((await session.run()).outcome, 'cancelled');
    await session.close();
    await server.close();
    const startedAt = performance.now();
    const rehearsal = await rehearse(at, session.id, { settings: { allow: ['shell(*)'] } });
    assert.ok(performance.now() - startedAt < 20_000);
    assert.deepEqual(
      rehearsal.stops.map(({ now }) => now),
      ['cancelled'],
    );
  });

  test('a cancel while the model was asked', async (t) => {
    const at = await place(t);
    const server = await serve(
      t,
      { turns: [{ calls: [read('a.ts')] }, { failures: [{ silence: 'in-text' }], text: 'Done.' }] },
      at,
    );
    await provideModel(at, 'anthropic', server);
    let requests = 0;
    const session = await createSession({
      workspace: at.workspace.path,
      env: at.env,
      settings: { checks: 'waived' },
      onEvent: ({ kind }) => {
        if (kind === 'request') requests += 1;
        if (kind === 'request' && requests === 2) void session.cancel('me', 'SIGINT');
      },
    });
    await session.say('Look.');
    assert.equal((await session.run()).outcome, 'cancelled');
    await session.close();
    await server.close();
    const rehearsal = await rehearse(at, session.id);
    assert.deepEqual(rehearsal.differences, []);
    assert.deepEqual(
      rehearsal.stops.map(({ now }) => now),
      ['cancelled'],
    );
  });

  test('a provider that failed for good', async (t) => {
    const at = await place(t);
    const { outcome } = await past(t, at, {
      turns: [{ calls: [read('a.ts')] }, { failures: [{ status: 529, times: 'forever' }] }],
    });
    assert.equal(outcome.outcome, 'provider');
    const startedAt = performance.now();
    const rehearsal = await rehearse(at, outcome.session);
    assert.ok(performance.now() - startedAt < 20_000);
    assert.deepEqual(rehearsal.differences, []);
    assert.deepEqual(
      rehearsal.stops.map(({ now }) => now),
      ['provider (provider-overloaded)'],
    );
  });

  test('an image', async (t) => {
    const at = await place(t);
    const server = await serve(t, { turns: [{ text: 'A dot.' }] }, at);
    await provideModel(at, 'anthropic', server);
    const session = await createSession({ workspace: at.workspace.path, env: at.env, settings: { checks: 'waived' } });
    const dot = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await session.say('What is it?', 'user', [dot]);
    await session.run();
    await session.close();
    await server.close();
    const rehearsal = await rehearse(at, session.id);
    assert.deepEqual([rehearsal.differences, rehearsal.notes], [[], []]);
    rmSync(join(session.folder, 'blobs'), { recursive: true });
    const without = await rehearse(at, session.id);
    assert.deepEqual(without.differences, []);
    assert.deepEqual(without.notes, ['An image is lost: “What is it?” is said without it.']);
  });

  test('a conversation that is longer than was assumed the provider takes', async (t) => {
    const at = await place(t);
    const turns = [{ text: 'word '.repeat(300_000), calls: [read('a.ts')] }, { text: 'Done.' }];
    const { outcome } = await past(t, at, { turns, window: 10_000_000 });
    assert.equal(outcome.outcome, 'completed', outcome.detail);
    const rehearsal = await rehearse(at, outcome.session);
    assert.deepEqual(rehearsal.differences, []);
  });

  test('a reply of blocks that are the provider’s own alone', async (t) => {
    const at = await place(t);
    const code = { executableCode: { language: 'PYTHON', code: '1' } };
    const { outcome } = await past(t, at, { turns: [{ blocks: [{ opaque: code }, { opaque: code }] }] }, {}, 'gemini');
    const rehearsal = await rehearse(at, outcome.session);
    assert.deepEqual(rehearsal.differences, []);
  });
});

describe('a run that ended without an end', () => {
  test('goes on in the rehearsal: a call that was interrupted has no outcome to be compared', async (t) => {
    const at = await place(t);
    const server = await serve(
      t,
      { turns: [{ calls: [read('a.ts'), edit('a.ts', '1', '2')] }, { text: 'Done.' }] },
      at,
    );
    await provideModel(at, 'anthropic', server);
    const options = {
      workspace: at.workspace.path,
      env: at.env,
      settings: { mode: 'edit', checks: 'waived' },
    } as const;
    const session = await createSession(options);
    await session.say('Do it.');
    for (
      let item = await session.step();
      item.item !== 'run-call' || item.call.tool !== 'edit';
      item = await session.step()
    ) {
      if (item.item === 'run-call') {
        await session.settle(item, { outcome: 'ok', text: '1\tconst a = 1;' });
        continue;
      }
      assert.ok(item.item === 'ask-model');
      const sent = await fetch(`${server.url}/v1/messages`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': 'key-0123456789abcdef',
          'anthropic-version': '2023-06-01',
        },
        body: Buffer.from(item.request.body),
      });
      await sent.text();
      const parts = [
        { type: 'call', id: 'toolu_0', name: 'read', arguments: read('a.ts').arguments },
        { type: 'call', id: 'toolu_1', name: 'edit', arguments: edit('a.ts', '1', '2').arguments },
      ] as const;
      const source = { provider: 'corp', wire: 'anthropic', model: 'small' };
      await session.settle(item, {
        kind: 'reply',
        data: { source, parts: [...parts], stop: 'calls', firstByte: 1, elapsed: 1 },
      });
    }
    await session.close(); // With a call under way.
    const { outcome } = await work(at, ['Go on.'], { resume: session.id });
    assert.equal(outcome.outcome, 'completed', outcome.detail);
    await server.close();
    const rehearsal = await rehearse(at, session.id);
    assert.deepEqual(rehearsal.calls[1]?.outcome, { recorded: 'interrupted', now: 'ok' });
    assert.deepEqual(rehearsal.calls[1]?.differs, []);
    assert.match(rehearsal.notes.join('\n'), /ended without a stop/);
  });
});

describe('what can’t be rehearsed is refused', () => {
  test('a session that isn’t there, and one without a reply', async (t) => {
    const at = await place(t);
    await assert.rejects(rehearse(at, 'nowhere'), { code: 'session-missing' });
    const server = await serve(t, { turns: [] }, at);
    await provideModel(at, 'anthropic', server);
    const session = await createSession({ workspace: at.workspace.path, env: at.env });
    await session.close();
    await assert.rejects(rehearse(at, session.id), { code: 'rehearsal-impossible', message: /no reply/ });
  });

  test('and what is cancelled in the middle leaves nothing behind', async (t) => {
    const at = await place(t);
    const { outcome } = await past(
      t,
      at,
      { turns: [{ calls: [shell('sleep 0.1')] }, { text: 'Done.' }] },
      { settings: { allow: ['shell(*)'] } },
    );
    const folder = mkdtempSync(join(tmpdir(), 'reins-own-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const cancel = new AbortController();
    const parts = { onEvent: ({ kind }: Event) => kind === 'start' && cancel.abort() };
    const before = new Set(readdirSync(tmpdir()));
    await assert.rejects(
      rehearse(at, outcome.session, {
        signal: cancel.signal,
        settings: { allow: ['shell(*)'] },
        parts: { onEvent: (event) => void parts.onEvent(event) },
      }),
    );
    assert.deepEqual(
      readdirSync(tmpdir()).filter((name) => name.startsWith('reins-rehearsal-') && !before.has(name)),
      [],
    );
  });
});

describe('what is kept', () => {
  test('is the copy, the session and a scenario that plays again', async (t) => {
    const at = await place(t);
    const { outcome } = await past(t, at, fix);
    await at.workspace.git('checkout', '--', 'a.ts');
    const rehearsal = await rehearse(at, outcome.session, { keep: true });
    const kept = rehearsal.kept!;
    t.after(() => rmSync(kept.folder, { recursive: true, force: true }));
    assert.equal(readFileSync(join(kept.workspace, 'a.ts'), 'utf8'), 'const a = 2;\n');
    const scenario = await loadScenario(kept.scenario);
    assert.equal(scenario.turns.length, 3);
    assert.ok(!readFileSync(kept.scenario, 'utf8').includes(at.workspace.path));
    const again = await place(t);
    const played = await work(again, ['Do it.'], { settings: { model: `script:${kept.scenario}` } });
    assert.equal(played.outcome.outcome, 'completed', played.outcome.detail);
    assert.equal((await again.workspace.read('a.ts')).toString(), 'const a = 2;\n');
  });
});

describe('the user’s own trust and grants', () => {
  test('hold in the copy as they do in the workspace', async (t) => {
    const at = await place(t, {
      files: { ...files, '.reins/settings.json': '{ "allow": ["edit(a.ts)"] }' },
      git: true,
    });
    const turns = [{ calls: [read('a.ts'), edit('a.ts', '1', '2')] }, { text: 'Done.' }];
    const { outcome } = await past(t, at, { turns }, { confirmTrust: async () => true, settings: { mode: 'ask' } });
    await at.workspace.git('checkout', '--', '.');
    const rehearsal = await rehearse(at, outcome.session);
    assert.deepEqual(rehearsal.differences, []);
    assert.equal(rehearsal.calls[0]?.verdict.now, 'allow');
  });

  test('are needed there as they are in the workspace', async (t) => {
    const project = '{ "allow": ["edit(a.ts)"] }';
    const at = await place(t, { files: { ...files, '.reins/settings.json': project }, git: true });
    const turns = [{ calls: [read('a.ts'), edit('a.ts', '1', '2')] }, { text: 'Done.' }];
    const approver = { ask: () => Promise.resolve({ by: 'me', decision: 'yes', scope: 'once' } as const) };
    const { outcome } = await past(t, at, { turns }, { approver, settings: { mode: 'ask' } });
    await at.workspace.git('checkout', '--', '.');
    const rehearsal = await rehearse(at, outcome.session);
    assert.deepEqual(rehearsal.differences, []);
    assert.equal(rehearsal.calls[1]?.verdict.now, 'ask');
  });
});

describe('what a rehearsal says of itself', () => {
  test('mode unsafe is played inside the sandbox', needsSandbox, async (t) => {
    const at = await place(t);
    const outside = join(at.home.path, 'outside');
    const turns = [{ calls: [shell(`echo x > ${outside}; echo done`)] }, { text: 'Done.' }];
    const { outcome } = await past(t, at, { turns }, { settings: { mode: 'unsafe' } });
    assert.equal(existsSync(outside), true);
    rmSync(outside);
    const rehearsal = await rehearse(at, outcome.session);
    assert.equal(existsSync(outside), false);
    assert.match(rehearsal.notes.join('\n'), /ran in mode unsafe; here its commands run in mode auto/);
  });

  test('what others did between two runs is done again, as far as it can be had', async (t) => {
    const at = await place(t);
    const turns = [
      { calls: [shell('true'), read('a.ts')] },
      { text: 'One.' },
      { calls: [read('b.ts'), read('c.ts')] },
      { text: 'Two.' },
    ];
    const server = await serve(t, { turns }, at);
    await provideModel(at, 'anthropic', server);
    const options: Options = { settings: { checks: 'waived', allow: ['shell(*)'] } };
    const first = await work(at, ['First.'], options);
    await at.workspace.write('b.ts', 'const b = 9;\n');
    await at.workspace.write('c.ts', 'new\n');
    await work(at, ['Second.'], { ...options, resume: first.outcome.session });
    await server.close();
    const rehearsal = await rehearse(at, first.outcome.session, { settings: { allow: ['shell(*)'] } });
    assert.deepEqual(rehearsal.differences, []);
    await at.workspace.write('c.ts', 'newer\n');
    const again = await rehearse(at, first.outcome.session, { settings: { allow: ['shell(*)'] } });
    assert.match(again.notes.join('\n'), /One file can’t be had .* \(c\.ts\)/);
  });

  test('branches that were left are not played', async (t) => {
    const at = await place(t);
    const server = await serve(t, { turns: [{ calls: [read('a.ts')] }, { text: 'One.' }, { text: 'Two.' }] }, at);
    await provideModel(at, 'anthropic', server);
    const { outcome, events } = await work(at, ['First.']);
    const result = events.find(({ kind }) => kind === 'result');
    await rewindSession(at.env, outcome.session, result!.id);
    await work(at, ['Otherwise.'], { resume: outcome.session });
    await server.close();
    const rehearsal = await rehearse(at, outcome.session);
    assert.match(rehearsal.notes.join('\n'), /head of the session was moved/);
    assert.deepEqual(
      rehearsal.calls.map(({ turn, tool }) => [turn, tool]),
      [[1, 'read']],
    );
  });
});

test('older turns give way in a rehearsal as they did', async (t) => {
  const at = await place(t);
  const turns = Array.from({ length: 16 }, (_, n) => {
    return { text: `Step ${n}: ${words(2_000, n * 1_000)}`, calls: [read(n % 2 === 0 ? 'a.ts' : 'b.ts')] };
  });
  const scenario: Scenario = {
    position: 'count',
    turns: [...turns, { text: 'Done.' }],
    anyTurn: [{ when: asked, text: parts }],
  };
  const server = await serve(t, scenario, at);
  await provideModel(at, 'anthropic', server, { models: { 'corp/small': { window: 8_000, maxOutput: 1_000 } } });
  const { outcome, events } = await work(at, ['Do it.']);
  await server.close();
  assert.equal(outcome.answer, 'Done.');
  assert.ok(events.some(({ kind }) => kind === 'compaction'));
  const summaries: (string | undefined)[] = [];
  const onEvent = (event: Event): void => {
    if (event.kind === 'compaction') summaries.push(event.data.gist?.summary?.text);
  };
  const again = await rehearse(at, outcome.session, { parts: { onEvent } });
  assert.equal(again.same, true, JSON.stringify(again));
  assert.ok(summaries.length > 0 && summaries.every((text) => text === parts));
});
