import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import {
  createSession,
  ReinsError,
  settingsReport,
  type Approver,
  type Event,
  type SessionOptions,
} from '../../src/harness/index.ts';
import { ground, type GroundOptions } from './ground.ts';

type Call = { name: string; arguments: object };
const write = (path: string, content: string): Call => ({ name: 'write', arguments: { path, content } });
const read = (path: string): Call => ({ name: 'read', arguments: { path } });

/** A run of these turns of calls, in a place of its own or an earlier one. */
async function run(
  t: TestContext,
  turns: Call[][],
  {
    at,
    settings,
    ...options
  }: GroundOptions & { at?: Awaited<ReturnType<typeof ground>> } & Partial<SessionOptions> = {},
) {
  const place = at ?? (await ground(t, options));
  const script = join(place.env['HOME'] ?? '', `script-${randomUUID()}.json`);
  writeFileSync(script, JSON.stringify({ turns: [...turns.map((calls) => ({ calls })), { text: 'Done.' }] }));
  const events: Event[] = [];
  const { approver, resume, trust } = options;
  const session = await createSession({
    workspace: place.workspace,
    env: place.env,
    settings: { model: `script:${script}`, mode: 'ask', checks: 'waived', ...settings },
    onEvent: (event) => events.push(event),
    ...(approver !== undefined && { approver }),
    ...(resume !== undefined && { resume }),
    ...(trust !== undefined && { trust }),
  });
  try {
    await session.say('go');
    const outcome = await session.run();
    const verdicts = events.flatMap(({ kind, data }) => (kind === 'verdict' ? [data] : []));
    return { place, session, outcome, verdicts, tools: session.view.setup?.tools.map(({ name }) => name) ?? [] };
  } finally {
    await session.close();
  }
}

const answering = (scope: 'session' | 'always' | 'once'): Approver => ({
  ask: async () => ({ by: 'test', decision: 'yes', scope }),
});

describe('a yes', () => {
  test('for the session holds in it, also when it goes on in another process, and nowhere else', async (t) => {
    const first = await run(t, [[write('b.txt', 'b\n')], [write('b.txt', 'c\n')]], { approver: answering('session') });
    assert.deepEqual(
      first.verdicts.map(({ by }) => by),
      ['mode:ask', 'grant:write(b.txt)'],
    );
    const at = first.place;
    // The script goes on where the session stands: three replies are behind it.
    const said = [[read('b.txt')], [read('b.txt')], [read('b.txt')]];
    const later = await run(t, [...said, [write('b.txt', 'd\n')]], { at, resume: first.session.id });
    assert.deepEqual(
      later.verdicts.map(({ by }) => by),
      ['grant:write(b.txt)'],
    );
    const other = await run(t, [[read('b.txt')], [write('b.txt', 'e\n')]], { at });
    assert.deepEqual(
      other.verdicts.map(({ decision }) => decision),
      ['allow', 'ask'],
    );
  });

  test('to another call than was asked about holds for that call only, now and when the session goes on', async (t) => {
    const other = { path: 'b.txt', content: 'other\n' };
    const approver: Approver = {
      ask: async () => ({ by: 'test', decision: 'yes', scope: 'session', arguments: other }),
    };
    const first = await run(t, [[write('b.txt', 'b\n')], [write('b.txt', 'c\n')]], { approver });
    assert.ok(first.verdicts.every(({ by }) => by === 'mode:ask'));
    const said = [[read('b.txt')], [read('b.txt')], [read('b.txt')]];
    const later = await run(t, [...said, [write('b.txt', 'd\n')]], { at: first.place, resume: first.session.id });
    assert.deepEqual(
      later.verdicts.map(({ by }) => by),
      ['mode:ask'],
    );
  });

  test('for always holds in the workspace', async (t) => {
    const { place: at } = await run(t, [[write('b.txt', 'b\n')]], { approver: answering('always') });
    const other = await run(t, [[read('b.txt')], [write('b.txt', 'e\n')]], { at });
    assert.deepEqual(
      other.verdicts.map(({ by }) => by),
      ['mode:ask', 'grant:write(b.txt)'],
    );
  });
});

describe('rules of the settings', () => {
  const refused = (text: RegExp) => (error: unknown) =>
    error instanceof ReinsError && error.code === 'config-invalid' && text.test(error.message);

  test('whose own examples fail are refused by file and line', async (t) => {
    const rule = {
      effect: 'deny',
      command: 'rm *',
      examples: { match: ['sh -c "rm x"', 'env rm y'], differ: ['echo rm'] },
    };
    await settingsReport(await ground(t, { user: { rules: [rule] } }));
    const wrong = { ...rule, examples: { match: ['echo rm'] } };
    const place = await ground(t, { user: { mode: 'ask', rules: [rule, wrong] } });
    await assert.rejects(settingsReport(place), refused(/settings\.json:\d+: rules: .*own example "echo rm"/));
  });

  test('that mean nothing are refused, and so is a shipped rule that there isn’t', async (t) => {
    for (const [user, text] of [
      [{ rules: [{ effect: 'deny' }] }, /settings\.json:\d+: rules: A rule names at least one/],
      [
        { pack: { 'no-such': 'off' } },
        /settings\.json:\d+: pack\.no-such: There is no such shipped rule; there are no-force-push/,
      ],
      [{ rules: [{ effect: 'forbid' }] }, /Expected "allow", "ask" or "deny"/],
    ] as const) {
      await assert.rejects(settingsReport(await ground(t, { user })), refused(text));
    }
  });

  test('of an untrusted project only tighten', async (t) => {
    const rules = [
      { effect: 'allow', tool: 'write' },
      { effect: 'deny', paths: 'gen/**', access: 'write' },
    ];
    const untrusted = await run(t, [[write('b.txt', 'b\n'), write('gen/a', 'a\n')]], { project: { rules } });
    assert.deepEqual(
      untrusted.verdicts.map(({ decision }) => decision),
      ['ask', 'deny'],
    );
    assert.match(untrusted.session.notices.map(({ text }) => text).join(), /not trusted; left out: rules/);
    const trusted = await run(t, [[write('b.txt', 'b\n'), write('gen/a', 'a\n')]], { project: { rules }, trust: true });
    assert.deepEqual(
      trusted.verdicts.map(({ decision }) => decision),
      ['allow', 'deny'],
    );
  });

  test('by which a tool is denied as a whole hide it from the model, and its calls stay denied', async (t) => {
    const both = await run(t, [[write('b.txt', 'b\n')]], { user: { deny: ['write'] } });
    assert.ok(!both.tools.includes('write') && both.tools.includes('read'));
    assert.equal(both.verdicts[0]?.by, 'rule:write');
    const whole = await run(t, [], { user: { rules: [{ effect: 'deny', tool: 'shell', reason: 'No.' }] } });
    assert.ok(!whole.tools.includes('shell'));
    const part = await run(t, [], { user: { deny: ['write(x)', 'shell(rm)'] } });
    assert.ok(part.tools.includes('write') && part.tools.includes('shell'));
  });

  test('want a fresh read before a change to what was read long ago', async (t) => {
    const user = { rules: [{ kind: 'stale-read', turns: 1 }] };
    const turns = [
      [read('a.txt')],
      [read('b.txt')],
      [read('b.txt')],
      [write('a.txt', 'b\n')],
      [read('a.txt')],
      [write('a.txt', 'b\n')],
    ];
    const { verdicts } = await run(t, turns, { user, settings: { mode: 'edit' } });
    const writes = verdicts.filter(({ tool }) => tool === 'write');
    assert.deepEqual(
      writes.map(({ decision, by }) => [decision, by]),
      [
        ['deny', 'rule:stale-read'],
        ['allow', 'mode:edit'],
      ],
    );
  });
});
