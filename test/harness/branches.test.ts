import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { forkSession, listBranches, rewindSession, sessionTree, switchBranch } from '../../src/harness/index.ts';
import type { Draft, Event } from '../../src/core/index.ts';
import { createSession, openSession, readLog, sessionFolder } from '../../src/session/index.ts';
import { plainStyle, treeLines } from '../../src/surfaces/cli/render/index.ts';
import { appendAll, input, requestDraft, start, temporaryState } from '../session/sessions.ts';

const source = { wire: 'test', model: 'test' };

function request(turn: number): Draft {
  const draft = requestDraft({ fingerprint: 'f', base: null, kept: 0, tail: '', bytes: 0 });
  return { kind: 'request', data: { ...draft.data, turn } } as Draft;
}

function reply(request: string, text: string, ...tools: string[]): Draft {
  const calls = tools.map((name) => ({ type: 'call' as const, id: name, name, arguments: {} }));
  const parts = [{ type: 'text' as const, text }, ...calls];
  return { kind: 'reply', data: { request, source, parts, stop: 'end', firstByte: 1, elapsed: 1 } };
}

const stop: Draft = { kind: 'stop', data: { reason: 'completed', detail: '' } };

/** A session of one run: what is said, and a turn with these calls. */
async function ground(t: TestContext) {
  const home = temporaryState(t);
  const env = { XDG_STATE_HOME: home };
  const state = join(home, 'reins');
  const made = await createSession(state, start);
  const { id } = made;
  await made.close();
  /** Goes on where the session stands. */
  const goOn = async (turn: number, said: string, answer: string, ...tools: string[]): Promise<Event[]> => {
    const session = await openSession(state, id);
    try {
      const [told, asked] = await appendAll(session, [input(said), request(turn)]);
      const replied = await appendAll(session, [reply(asked!.id, answer, ...tools), stop], asked!.id);
      return [told!, asked!, ...replied];
    } finally {
      await session.close();
    }
  };
  const picture = async () => {
    const tree = await sessionTree(env, id);
    const ids = new Map(tree.nodes.map((node, index) => [node.id, String.fromCodePoint(97 + index)]));
    const lines = treeLines(tree, plainStyle(100)).slice(1);
    return lines.map((line) => line.replace(/^\S{16}/, (found) => ids.get(found) ?? found));
  };
  const events = () => [...readLog(sessionFolder(state, id))].filter((item): item is Event => !('damage' in item));
  return { env, state, id, goOn, picture, events };
}

describe('named branches', () => {
  test('begin where they are told, go on apart, and are come back to', async (t) => {
    const { env, id, goOn, picture, events } = await ground(t);
    await goOn(1, 'mend it', 'I look.', 'read');
    await goOn(2, 'now the docs', 'Written.');
    assert.deepEqual(
      listBranches(env, id).map(({ branch, isCurrent, tip }) => [branch, isCurrent, tip === events().at(-1)?.id]),
      [['main', true, true]],
    );
    const made = await switchBranch(env, id, 'other way', { turn: 2 }).catch((error: { code?: string }) => error.code);
    assert.equal(made, 'usage-arguments');

    assert.deepEqual(await switchBranch(env, id, 'other', { turn: 2 }), { session: id, branch: 'other', isNew: true });
    assert.deepEqual(await picture(), [
      'a > mend it',
      'b ● turn 1 [read] I look.',
      'c ■ completed',
      'd > [other] ◀ head now the docs',
      'e ├─● turn 2 Written.',
      'f │ ■ [main] completed',
    ]);
    await goOn(3, 'no, the tests', 'Tested.');
    await switchBranch(env, id, 'main');
    await goOn(4, 'thanks', 'Welcome.');
    assert.deepEqual(await picture(), [
      'a > mend it',
      'b ● turn 1 [read] I look.',
      'c ■ completed',
      'd > now the docs',
      'g ├─> no, the tests',
      'h │ ● turn 3 Tested.',
      'i │ ■ [other] completed',
      'e ● turn 2 Written.',
      'f ■ completed',
      'j > thanks',
      'k ● turn 4 Welcome.',
      'l ■ [main] ◀ head completed',
    ]);
    assert.deepEqual(
      listBranches(env, id).map(({ branch, isCurrent }) => [branch, isCurrent]),
      [
        ['main', true],
        ['other', false],
      ],
    );
    const before = events().length;
    await switchBranch(env, id, 'main');
    assert.equal(events().length, before, 'going on with the branch that goes on changes nothing');
    await assert.rejects(switchBranch(env, id, 'other', { turn: 1 }), { code: 'usage-arguments', message: /rewind/ });
  });

  test('a rewind moves the one that goes on, and a fork begins with its own', async (t) => {
    const { env, id, goOn, events, picture } = await ground(t);
    const [told] = await goOn(1, 'mend it', 'I look.');
    await switchBranch(env, id, 'try');
    await goOn(2, 'more', 'Done.');
    await rewindSession(env, id, told!.id);
    const rows = listBranches(env, id);
    assert.deepEqual(
      rows.map(({ branch, isCurrent }) => [branch, isCurrent]),
      [
        ['main', false],
        ['try', true],
      ],
    );
    assert.equal(rows[1]!.tip, events().at(-1)!.id);
    assert.equal(events().at(-1)!.parent, told!.id);
    const forked = await forkSession(env, id, { event: told!.id });
    assert.equal((await picture())[0], `a > ⑂ ${forked} [try] ◀ head mend it`);
    assert.deepEqual(
      listBranches(env, forked).map(({ branch }) => branch),
      ['main'],
    );
  });

  test('leave calls that are open behind, on the branch that they begin', async (t) => {
    const { env, state, id, goOn, events } = await ground(t);
    await goOn(1, 'mend it', 'I look.', 'read', 'shell');
    await switchBranch(env, id, 'try');
    const results = events().flatMap((event) => (event.kind === 'result' ? [event.data] : []));
    assert.deepEqual(
      results.map(({ tool, outcome }) => [tool, outcome]),
      [
        ['read', 'not-run'],
        ['shell', 'not-run'],
      ],
    );
    const forked = await forkSession(env, id, { turn: 1 });
    const kinds = [...readLog(sessionFolder(state, forked))].map((item) => ('kind' in item ? item.kind : 'damage'));
    assert.deepEqual(kinds, ['session', 'input', 'head']);
  });
});

test('a point is a turn, an event, or the beginning of one; another is refused by name', async (t) => {
  const { env, state, id, goOn } = await ground(t);
  const [told, , replied] = await goOn(1, 'mend it', 'I look.');
  const last = async (point: Parameters<typeof forkSession>[2]) => {
    const forked = await forkSession(env, id, point);
    const [root] = readLog(sessionFolder(state, forked));
    return root !== undefined && 'kind' in root && root.kind === 'session' ? root.data.parent?.event : undefined;
  };
  assert.equal(await last({ turn: 1 }), told!.id);
  assert.equal(await last({ event: replied!.id }), replied!.id);
  assert.equal(await last({ event: replied!.id.slice(0, -1) }), replied!.id);
  for (const [point, message] of [
    [{ turn: 2 }, /no turn 2/],
    [{ event: 'nothing' }, /no event begins/],
    [{ event: '' }, /no event begins/],
    [{ event: told!.id.slice(0, 3) }, /events begin with/],
  ] as const) {
    await assert.rejects(forkSession(env, id, point), { code: 'event-missing', message });
  }
});
