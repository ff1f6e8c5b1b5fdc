import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { fold, foldAll, openCalls, targetName, type SetupData } from '../../src/core/index.ts';
import {
  exportSession,
  forkSession,
  importSession,
  listBranches,
  type SessionImport,
} from '../../src/harness/index.ts';
import { pathOf, readLog, scan, sessionFolder, verify } from '../../src/session/index.ts';
import { askedOf, peersFor, targets } from '../properties/switching-peers.ts';
import { claudeLines, codexLines, jsonl, piLines } from '../session/foreign-lines.ts';
import { eventsOf, temporaryState } from '../session/sessions.ts';
import { holds } from '../support/property.ts';
import { place, provideModel, serve, work } from './past.ts';

const fixtures = fileURLToPath(new URL('../session/fixtures', import.meta.url));

function ground(t: TestContext) {
  const home = temporaryState(t);
  const env = { XDG_STATE_HOME: home, HOME: home, GIVEN_TOKEN: 'abcd-0123456789-wxyz' };
  const folderOf = (session: string) => sessionFolder(join(home, 'reins'), session);
  return {
    env,
    folderOf,
    file(text: string): string {
      const file = join(home, 'foreign.jsonl');
      writeFileSync(file, text);
      return file;
    },
    bring: (file: string) => importSession(env, { file, workspace: home }),
    sessions: () => readdirSync(join(home, 'reins', 'sessions')),
  };
}

const told = (folder: string, leaf?: string): unknown[] => {
  const path = pathOf(scan(folder), leaf);
  return eventsOf(folder).flatMap(({ id, kind, data }): unknown[] => {
    if (!path.has(id)) return [];
    if (kind === 'input') return [[data.from, data.text]];
    if (kind === 'result') return [[data.tool, data.outcome, data.text]];
    if (kind !== 'reply') return [];
    return [data.parts.map((part) => (part.type === 'call' ? part.name : 'text' in part ? part.text : part.type))];
  });
};

/** What the branches beside the one that goes on say. */
function beside({ env, folderOf }: ReturnType<typeof ground>, session: string): unknown[] {
  const others = listBranches(env, session).filter(({ isCurrent }) => !isCurrent);
  return others.map(({ branch, tip }) => [branch, told(folderOf(session), tip)]);
}

const standing: Omit<SetupData, keyof (typeof targets)[number]> = {
  reins: '0.0.0',
  system: ['You are a test.'],
  tools: [{ name: 'look', description: 'Looks.', input: { type: 'object', properties: {} } }],
  mode: 'auto',
  limits: { turns: 100, calls: 500, minutes: 60, cost: null, outputTokens: 4_000 },
  retries: { attempts: 4, minutes: 15, brokenStream: 4, firstPause: 1 },
  checks: [],
};

/** The next request of a session, after `input` was said, is one that every provider takes. */
async function assertGoesOn(folder: string): Promise<void> {
  const view = foldAll(readLog(folder), pathOf(scan(folder)));
  assert.deepEqual(openCalls(view.transcript), [], 'no call is open');
  assert.deepEqual(
    [view.ledger.turns, view.ledger.calls, view.ledger.settled, view.ledger.costUnknown],
    [0, 0, 0, false],
  );
  const [first, ...others] = targets;
  assert.ok(first !== undefined);
  const routes = others.map((target) => ({ ...target, when: {} }));
  const at = Date.now();
  fold(view, { id: 'x1', parent: view.head, at, kind: 'setup', data: { ...standing, ...first, routes } });
  fold(view, { id: 'x2', parent: 'x1', at, kind: 'input', data: { from: 'user', text: 'go on' } });
  for (const peer of await peersFor(new Map())) {
    const { sent } = await askedOf(peer, view);
    assert.ok(sent.includes('go on'), targetName(peer.target));
  }
}

/** What was told can be exported, forked and gone on with. */
async function assertWhole({ env, folderOf }: ReturnType<typeof ground>, { session }: SessionImport): Promise<void> {
  assert.deepEqual((await verify(folderOf(session))).findings, []);
  await assertGoesOn(folderOf(session));
  const forked = await forkSession(env, session);
  assert.deepEqual(told(folderOf(forked)), told(folderOf(session)));
  await assertGoesOn(folderOf(forked));
  const { pieces } = await exportSession(env, session, { format: 'json' });
  const exported = JSON.stringify(JSON.parse([...pieces].join('')));
  for (const text of told(folderOf(session)).flat(2) as string[])
    assert.ok(exported.includes(JSON.stringify(text)), `the export lacks ${text}`);
}

describe('session files that other harnesses wrote themselves', () => {
  const calls = { 'claude-2.1.332': 'Bash', 'codex-0.171.0': 'exec_command', 'pi-0.73.1': 'bash' };
  for (const [name, tool] of Object.entries(calls)) {
    test(`${name}: texts, thinking, call and result`, async (t) => {
      const here = ground(t);
      const report = await here.bring(join(fixtures, `${name}.jsonl`));
      assert.deepEqual([report.format, report.said, report.replies, report.calls], [name.split('-')[0], 1, 2, 1]);
      assert.deepEqual([report.lost, report.broken.count], [0, 0]);
      const [task, reply, result, end] = told(here.folderOf(report.session)) as [
        string[],
        string[],
        string[],
        string[],
      ];
      assert.deepEqual([task, reply, end].flat(), [
        'user',
        'What do the notes say?',
        'The notes first.',
        'I read the notes.',
        tool,
        'The notes speak of tulips.',
      ]);
      assert.deepEqual(result.slice(0, 2), [tool, 'ok']);
      assert.match(result[2]!, /Plant tulips in autumn\.\n?$/);
      await assertWhole(here, report);
    });
  }
});

describe('odd but whole session files', () => {
  const lost = 'The record of this result was lost; its effects are unknown. Look before you repeat it.';
  const summary = ['harness', 'What was done so far.'];

  test('Claude: what belongs together is put together, what is left out is counted', async (t) => {
    const here = ground(t);
    const report = await here.bring(here.file(jsonl(claudeLines())));
    assert.deepEqual(told(here.folderOf(report.session)), [
      ['user', 'mend it'],
      ['hm', 'mcp__files__read', 'Task'],
      ['mcp__files__read', 'ok', 'first\n[image: not imported]'],
      ['Task', 'ok', 'second'],
      summary,
      ['user', 'and now?'],
      ['I go on.', 'Bash'],
      ['Bash', 'interrupted', lost],
    ]);
    assert.deepEqual(
      report.leftOut.map(({ what, count }) => `${count} ${what}`),
      ['1 messages of sub-agents', '1 lines of type system'],
    );
    assert.deepEqual([report.lost, report.branches], [1, 1]);
    assert.deepEqual(beside(here, report.session), [
      ['imported-1', [...told(here.folderOf(report.session)).slice(0, 4), ['user', 'no, wait']]],
    ]);
    await assertWhole(here, report);
    const notice = eventsOf(here.folderOf(report.session)).at(-1);
    assert.ok(notice?.kind === 'notice' && notice.data.code === 'imported');
    assert.match(
      notice.data.text,
      /^Imported from a session of claude .* 1 of them without a result, and 1 branch\. Left out: /,
    );
    assert.deepEqual(notice.data.data?.['origin'], { session: 'foreign-1', version: '2.0.0', workspace: '/elsewhere' });
  });

  test('Codex: two calls at once, arguments that are none, a result of nothing', async (t) => {
    const here = ground(t);
    const report = await here.bring(here.file(jsonl(codexLines())));
    assert.deepEqual(told(here.folderOf(report.session)), [
      ['user', 'mend it'],
      ['shell', 'apply_patch'],
      ['shell', 'ok', 'a.ts'],
      ['apply_patch', 'ok', '{"output":"Done."}'],
      ['harness', '[A result whose call isn’t in the imported session:]\nwhose?'],
      summary,
      ['shell'],
      ['shell', 'interrupted', lost],
    ]);
    await assertWhole(here, report);
  });

  test('pi: the path of the last entry', async (t) => {
    const here = ground(t);
    const report = await here.bring(here.file(jsonl(piLines())));
    assert.deepEqual(told(here.folderOf(report.session)), [
      ['user', 'mend it'],
      ['bash'],
      ['bash', 'error', 'a.ts'],
      summary,
      ['user', 'I ran `pwd`:\n/elsewhere'],
      ['All done.'],
    ]);
    assert.deepEqual(
      report.leftOut.map(({ what }) => what),
      ['entries of type custom'],
    );
    assert.deepEqual(beside(here, report.session), [['imported-1', [['user', 'mend it'], ['The other way.']]]]);
    await assertWhole(here, report);
  });
});

describe('hostile session files', () => {
  test('broken lines are named and left out, the rest is taken', async (t) => {
    const here = ground(t);
    const deep = `{"type":"user","uuid":"d","sessionId":"s","x":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    const lines = ['{"type":', '[1]', 'null', '"text"', deep, '', ...claudeLines().slice(1, 2), '\u0000\ufffd'];
    const report = await here.bring(here.file(jsonl(lines)));
    assert.deepEqual(
      report.broken.first.map(({ line, why }) => `${line} ${why}`),
      [
        '1 it is no JSON',
        '2 it is no object',
        '3 it is no object',
        '4 it is no object',
        '5 it is nested too deep',
        '8 it is no JSON',
      ],
    );
    assert.deepEqual(told(here.folderOf(report.session)), [['user', 'mend it']]);
  });

  test('circles, odd times, ids, names and halves of characters end in a session that goes on', async (t) => {
    const here = ground(t);
    const entry = (id: string, parentId: string, timestamp: unknown, message: object) => {
      return { type: 'message', id, parentId, timestamp, message };
    };
    const odd = {
      type: 'toolCall',
      id: '__proto__',
      name: 'no such/tool.é',
      arguments: { __proto__: 1, 'a\ud800': '\ud800' },
    };
    const report = await here.bring(
      here.file(
        jsonl([
          { type: 'session', version: 3 },
          entry('a', 'c', '9999-12-31T00:00:00Z', { role: 'user', content: 'half \ud83d' }),
          entry('b', 'a', -5, { role: 'assistant', content: [odd, odd, { type: 'toolCall' }, { type: 'new', x: 1 }] }),
          entry('c', 'b', 'never', { role: 'toolResult', toolCallId: '__proto__', content: 7 }),
        ]),
      ),
    );
    assert.equal(report.calls, 3);
    assert.ok(eventsOf(here.folderOf(report.session)).every(({ at }) => at <= Date.now()));
    await assertWhole(here, report);
  });

  test('secrets are replaced on the way in, whoever said them', async (t) => {
    const here = ground(t);
    const said = JSON.stringify(claudeLines()).replaceAll('mend it', `use ${here.env.GIVEN_TOKEN}`);
    const lines = (JSON.parse(said.replaceAll('"second"', `"${here.env.GIVEN_TOKEN}"`)) as object[]).slice(1);
    const { session } = await here.bring(here.file(jsonl(lines)));
    const log = JSON.stringify(eventsOf(here.folderOf(session)));
    assert.ok(!log.includes(here.env.GIVEN_TOKEN));
    assert.match(log, /use \[secret:/);
  });

  test('what is no session makes none', async (t) => {
    const here = ground(t);
    await here.bring(here.file(jsonl(claudeLines())));
    for (const text of ['', 'text\n', '{}\n{"type":"user"}\n', jsonl(codexLines().slice(0, 2))])
      await assert.rejects(here.bring(here.file(text)), { code: 'import-invalid' });
    await assert.rejects(here.bring(join(here.env.HOME, 'nothing')), { code: 'import-invalid' });
    const file = here.file(jsonl(piLines()));
    await assert.rejects(importSession(here.env, { file, workspace: '/nowhere' }), { code: 'workspace-missing' });
    assert.equal(here.sessions().length, 1);
  });
});

/** A message of pi: something said, or a reply with calls that are answered or not. */
const message = fc.oneof(
  fc.record({ role: fc.constant('user'), content: fc.string({ unit: 'binary' }) }),
  fc.record({
    role: fc.constant('assistant'),
    content: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text'), text: fc.string({ unit: 'grapheme' }) }),
        fc.record({
          type: fc.constant('toolCall'),
          id: fc.constantFrom('c1', 'c2', ''),
          name: fc.string({ minLength: 1 }),
          arguments: fc.dictionary(fc.string(), fc.string()),
        }),
      ),
      { maxLength: 4 },
    ),
  }),
  fc.record({ role: fc.constant('toolResult'), toolCallId: fc.constantFrom('c1', 'c2', 'c3'), content: fc.string() }),
);

type Message = typeof message extends fc.Arbitrary<infer T> ? T : never;

function textsOf({ role, content }: Message): string[] {
  if (typeof content === 'string') return role === 'user' && content.trim() === '' ? [] : [content.toWellFormed()];
  return content.flatMap((block) => {
    if ('text' in block) return block.text.trim() === '' ? [] : [block.text];
    return [block.name, ...Object.values(block.arguments)];
  });
}

test('whatever a session file says is in the session, and in its export', async (t) => {
  await holds(t, fc.array(message, { minLength: 1, maxLength: 12 }), 25, async (messages) => {
    const here = ground(t);
    const begin = { role: 'user', content: 'begin' } as const;
    const lines = [begin, ...messages].map((each, index) => {
      return { type: 'message', id: `e${index}`, parentId: index === 0 ? null : `e${index - 1}`, message: each };
    });
    const { session } = await here.bring(here.file(jsonl([{ type: 'session', version: 3 }, ...lines])));
    assert.deepEqual(await openIn(here.folderOf(session)), []);
    const { pieces } = await exportSession(here.env, session, { format: 'json' });
    const exported = [...pieces].join('');
    for (const text of messages.flatMap(textsOf)) {
      const written = JSON.stringify(text).slice(1, -1);
      assert.ok(exported.includes(written), `the export lacks ${written}`);
    }
  });
});

async function openIn(folder: string): Promise<unknown[]> {
  await assertGoesOn(folder);
  return openCalls(foldAll(readLog(folder), pathOf(scan(folder))).transcript);
}

test('an imported session is gone on with, by a strict model', async (t) => {
  const at = await place(t);
  const turns = [{ text: 'It says tulips.', expect: { anywhere: 'Plant tulips in autumn.' } }];
  const server = await serve(t, { position: 'count', turns }, at);
  await provideModel(at, 'anthropic', server);
  const file = join(fixtures, 'claude-2.1.332.jsonl');
  const { session } = await importSession(at.env, { file, workspace: at.workspace.path });
  const { outcome } = await work(at, ['And again?'], { resume: session });
  assert.deepEqual(server.refusals, []);
  assert.deepEqual([outcome.outcome, outcome.answer, outcome.turns], ['completed', 'It says tulips.', 1]);
});
