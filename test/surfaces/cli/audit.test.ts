import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Draft } from '../../../src/core/index.ts';
import { auditSession, type AuditEntry, type AuditOptions } from '../../../src/harness/index.ts';
import { auditLines, auditTable, cellOf } from '../../../src/surfaces/cli/audit/index.ts';
import { plainStyle } from '../../../src/surfaces/cli/render/index.ts';
import { appendAll, newSession, temporaryState } from '../../session/sessions.ts';

const hash = (digit: string): string => digit.repeat(64);
const source = { provider: 'p', wire: 'w', model: 'm' };

/** A log with a call of each fate: allowed after a question, refused by a rule, refused by a person, refused by no rule at all. */
async function recorded(context: TestContext): Promise<{ env: { [name: string]: string }; id: string }> {
  const home = temporaryState(context);
  const { session } = await newSession(context, join(home, 'reins'));
  const call = (name: string, args: { [name: string]: string }) =>
    ({ type: 'call', id: 'x', name, arguments: args }) as const;
  const request: Draft = {
    kind: 'request',
    data: {
      turn: 3,
      attempt: 1,
      source,
      fingerprint: hash('0'),
      base: null,
      kept: 0,
      tail: '{}',
      bytes: 2,
      extends: true,
      reserved: { input: 1, output: 1 },
    },
  };
  const [asking] = await appendAll(session, [request]);
  const parts = [
    call('shell', { command: 'npm install' }),
    call('shell', { command: '=cmd|calc' }),
    call('write', { path: 'a.txt', content: 'x'.repeat(1000) }),
    call('nothing', {}),
  ];
  const [reply] = await appendAll(session, [
    {
      kind: 'reply',
      data: { request: asking!.id, source, parts, stop: 'calls', firstByte: 1, elapsed: 1 },
    },
  ]);
  const key = (index: number): string => `${reply!.id}/${index}`;
  const verdict = { tool: 'shell', reason: 'It asks.', resources: 'unknown' as const };
  const [, ask] = await appendAll(session, [
    {
      kind: 'verdict',
      data: {
        ...verdict,
        call: key(0),
        decision: 'ask',
        by: 'mode:ask',
        arguments: { command: 'npm ci' },
        changedBy: ['guard'],
        effects: ['execute', 'network'],
        hosts: ['registry.example'],
        part: 'npm ci',
        shape: 'shell(npm ci)',
      },
    },
    { kind: 'ask', data: { call: key(0), tool: 'shell', question: 'Run npm ci?', shape: 'shell(npm ci)' } },
  ]);
  await appendAll(session, [
    { kind: 'answer', data: { ask: ask!.id, by: 'ada', decision: 'yes', scope: 'always', reason: 'known' } },
    { kind: 'answer', data: { ask: ask!.id, by: 'late', decision: 'no', scope: 'once' } },
    { kind: 'start', data: { call: key(0), tool: 'shell' } },
    { kind: 'connection', data: { call: key(0), host: 'registry.example', port: 443, allowed: true, reason: 'fetch' } },
    { kind: 'connection', data: { host: 'bad.example', port: 80, allowed: false, reason: 'not granted' } },
    { kind: 'job', data: { id: 'job-1', call: key(0), command: 'npm ci', kept: false } },
    { kind: 'job-end', data: { id: 'job-1', how: 'exited', exit: 0 } },
    { kind: 'notice', data: { code: 'injection', level: 'warning', text: 'odd', data: { call: key(0) } } },
    {
      kind: 'result',
      data: {
        call: key(0),
        tool: 'shell',
        outcome: 'ok',
        text: '',
        exit: 0,
        changes: [{ path: 'lock.json', before: hash('1'), after: hash('2') }],
      },
    },
  ]);
  const [, , , refused] = await appendAll(session, [
    {
      kind: 'verdict',
      data: { ...verdict, call: key(1), decision: 'deny', by: 'rule:x', arguments: { command: '=cmd|calc' } },
    },
    { kind: 'result', data: { call: key(1), tool: 'shell', outcome: 'denied', text: 'no' } },
    {
      kind: 'verdict',
      data: {
        ...verdict,
        tool: 'write',
        call: key(2),
        decision: 'ask',
        by: 'mode:ask',
        arguments: { path: 'a.txt', content: 'x'.repeat(1000) },
        resources: [{ access: 'write', path: '/work/space/deep/a.txt' }],
      },
    },
    { kind: 'ask', data: { call: key(2), tool: 'write', question: 'Write a.txt?' } },
  ]);
  const [, , , undo] = await appendAll(session, [
    { kind: 'answer', data: { ask: refused!.id, by: 'ada', decision: 'no', scope: 'once', reason: 'never\u001b[2J' } },
    { kind: 'result', data: { call: key(2), tool: 'write', outcome: 'denied', text: 'no' } },
    { kind: 'result', data: { call: key(3), tool: 'nothing', outcome: 'error', text: 'no such tool' } },
    {
      kind: 'undo',
      data: {
        calls: [key(0)],
        before: 's1',
        after: 's2',
        changes: [{ path: 'lock.json', before: hash('2'), after: hash('1') }],
        kept: [],
      },
    },
  ]);
  await session.close();
  assert.ok(undo);
  return { env: { XDG_STATE_HOME: home, HOME: home }, id: session.id };
}

async function callsOf(context: TestContext, options: AuditOptions = {}): Promise<AuditEntry[]> {
  const { env, id } = await recorded(context);
  return (await auditSession(env, id, options)).entries;
}

describe('an audit', () => {
  test('says of a call who decided what, and what came of it', async (context) => {
    const [entry] = await callsOf(context);
    assert.ok(entry?.type === 'call');
    assert.equal(entry.turn, 3);
    assert.equal(entry.what, 'npm ci');
    assert.deepEqual(entry.changedBy, ['guard']);
    assert.deepEqual([entry.effects, entry.hosts], [['execute', 'network'], ['registry.example']]);
    assert.deepEqual(
      entry.verdicts.map(({ decision, by, part }) => [decision, by, part]),
      [['ask', 'mode:ask', 'npm ci']],
    );
    const [question] = entry.questions;
    assert.deepEqual(
      [question?.answer?.by, question?.answer?.decision, question?.answer?.scope, question?.answer?.reason],
      ['ada', 'yes', 'always', 'known'],
    );
    assert.deepEqual(
      entry.grants.map(({ shape, by }) => [shape, by]),
      [['shell(npm ci)', 'ada']],
    );
    assert.deepEqual(entry.changes, [{ path: 'lock.json', before: hash('1'), after: hash('2'), how: 'reported' }]);
    assert.deepEqual(
      entry.connections.map(({ host }) => host),
      ['registry.example'],
    );
    assert.equal(entry.jobs[0]?.end?.how, 'exited');
    assert.deepEqual(entry.notices, [{ code: 'injection', text: 'odd' }]);
    assert.ok(entry.undoneBy !== undefined);
  });

  test('shortens long arguments', async (context) => {
    const entry = (await callsOf(context)).find((each) => each.type === 'call' && each.tool === 'write');
    assert.ok(entry?.type === 'call');
    assert.equal(entry.arguments['content'], `${'x'.repeat(300)}… (1000 characters)`);
  });

  for (const [name, options, expected] of [
    ['what was refused', { denied: true }, ['shell =cmd|calc', 'write a.txt', 'connection bad.example']],
    ['what changed', { changes: true }, ['shell npm ci', 'undo']],
    ['a path of a change', { path: 'lock.*' }, ['shell npm ci', 'undo']],
    ['a path that was declared', { path: 'deep/**' }, ['write a.txt']],
    ['an absolute path', { path: '/work/space/**' }, ['shell npm ci', 'write a.txt', 'undo']],
    ['a path that nothing touched', { path: '*.md' }, []],
    ['two things at once', { denied: true, path: '**' }, ['write a.txt']],
  ] as const) {
    test(`can be asked for ${name}`, async (context) => {
      const found = (await callsOf(context, options)).map((entry) => {
        if (entry.type === 'call') return `${entry.tool} ${entry.what}`;
        return entry.type === 'connection' ? `connection ${entry.host}` : entry.type;
      });
      assert.deepEqual(found, expected);
    });
  }

  test('is lines that fit and that a terminal obeys nothing of', async (context) => {
    const { env, id } = await recorded(context);
    const lines = auditLines(await auditSession(env, id), plainStyle(100));
    assert.match(lines[0] ?? '', /the log is not whole|the chain holds/i);
    for (const line of lines) assert.doesNotMatch(line, /[\u0000-\u001f\u007f-\u009f]/);
    assert.ok(lines.some((line) => /answered +no by ada/.test(line)));
  });

  for (const format of [1, 2, 3]) {
    test(`reads a log of format ${format}`, async (context) => {
      const home = temporaryState(context);
      const id = '20260101-000000-golden';
      const folder = join(home, 'reins', 'sessions', id);
      mkdirSync(folder, { recursive: true });
      const golden = fileURLToPath(new URL(`../../golden/log-format-${format}`, import.meta.url));
      cpSync(golden, folder, { recursive: true });
      const audit = await auditSession({ XDG_STATE_HOME: home, HOME: home }, id);
      assert.deepEqual(audit.verification.problems, []);
      const calls = audit.entries.filter((entry) => entry.type === 'call');
      assert.deepEqual(calls.map(({ tool, verdicts, outcome }) => [tool, verdicts.at(-1)?.by, outcome]).slice(0, 2), [
        ['shell', 'mode:ask', 'ok'],
        ['shell', 'floor', undefined],
      ]);
      assert.ok((calls[0]?.changes.length ?? 0) > 0);
      assert.ok(auditTable(audit).startsWith('type,id,time,'));
    });
  }
});

describe('a cell of the table', () => {
  for (const [value, cell] of [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    [' =1', "' =1"],
    ['\t=1', "'\t=1"],
    ['a=1', 'a=1'],
    ['a-b', 'a-b'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['a\nb', '"a\nb"'],
    ['=a"b', '"\'=a""b"'],
    ['\u001b[2J', '\\x1b[2J'],
    ['＝1+1', "'＝1+1"],
    ['\u3000＠x', "'\u3000＠x"],
  ] as const) {
    test(JSON.stringify(value), () => assert.equal(cellOf(value), cell));
  }

  test('that is a figure stays one', () => {
    assert.deepEqual([cellOf(-1), cellOf(0), cellOf(null)], ['-1', '0', '']);
  });

  test('never makes a row or column more', async (context) => {
    const table = auditTable({ entries: await callsOf(context) });
    const rows = table.trimEnd().split('\r\n');
    const [head = ''] = rows;
    for (const row of rows) {
      assert.equal((row.replaceAll(/"(?:[^"]|"")*"/g, '').match(/,/g) ?? []).length, head.split(',').length - 1);
    }
    assert.match(table, /,'=cmd\|calc,/);
  });
});
