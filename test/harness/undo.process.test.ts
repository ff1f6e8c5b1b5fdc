import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { rewindTo } from '../../src/harness/index.ts';
import { defineTool } from '../../src/tools/index.ts';
import { edit, read, shell, write } from '../support/calls.ts';
import { undoGround } from './undo-ground.ts';

const ten = Array.from({ length: 10 }, (_, n) => `line ${n}\n`).join('');

describe('what others changed', () => {
  test('in other lines of the same file is kept, between the turns and after them', async (context) => {
    const ground = await undoGround(context);
    ground.put('a.txt', ten);
    await ground.work([{ calls: [read('a.txt')] }, { calls: [edit('a.txt', 'line 1\n', 'ONE\n')] }]);
    ground.put('a.txt', ground.text('a.txt').replace('line 5\n', 'FIVE\nmore\n'));
    await ground.resume([{ calls: [read('a.txt')] }, { calls: [shell('sed -i s/8/EIGHT/ a.txt')] }]);
    ground.put('a.txt', ground.text('a.txt').replace('line 3\n', ''));
    const worked = ground.text('a.txt');
    const report = await ground.undo({ all: true });
    assert.deepEqual(report.kept, []);
    const theirs = ten.replace('line 5\n', 'FIVE\nmore\n').replace('line 3\n', '');
    assert.equal(ground.text('a.txt'), theirs);
    await ground.redo();
    assert.equal(ground.text('a.txt'), worked);
  });

  test('in the same lines leaves the file and names it; nothing else is lost, and it can be taken back by name', async (context) => {
    const ground = await undoGround(context);
    ground.put('a.txt', ten);
    ground.put('b.txt', ten);
    await ground.work([{ calls: [shell('sed -i s/4/FOUR/ a.txt b.txt')] }]);
    ground.put('a.txt', ground.text('a.txt').replace('line FOUR', 'line vier'));
    const theirs = ground.text('a.txt');
    const dry = await ground.undo({ dryRun: true });
    const report = await ground.undo();
    assert.deepEqual(
      report.kept.map(({ path }) => path),
      ['a.txt'],
    );
    assert.deepEqual(dry.kept, report.kept);
    assert.deepEqual(dry.changes, report.changes);
    assert.deepEqual([ground.text('a.txt'), ground.text('b.txt')], [theirs, ten]);
    const again = await ground.undo({ overwrites: (path) => path === 'a.txt' });
    assert.deepEqual(again.kept, []);
    assert.equal(ground.text('a.txt'), ten);
    await ground.redo();
    assert.equal(ground.text('a.txt'), theirs);
    await ground.redo();
    assert.deepEqual([ground.text('a.txt'), ground.text('b.txt')], [theirs, ten.replace('4', 'FOUR')]);
  });

  test('by removing a file, or putting a folder, a link or other bytes in its place, is left and named', async (context) => {
    const ground = await undoGround(context);
    for (const name of ['gone', 'folder', 'link', 'bytes', 'mine', 'same']) ground.put(name, 'old\n');
    ground.put('bytes', Buffer.from([0, 1, 2, 3]));
    await ground.work([
      {
        calls: [
          shell(
            'for f in gone folder link mine same; do echo new > $f; done; printf "\\0\\1" > bytes; mkdir d; echo x > d/own',
          ),
        ],
      },
    ]);
    for (const name of ['gone', 'folder', 'link']) rmSync(join(ground.workspace, name));
    ground.put('folder/theirs', 'theirs\n');
    symlinkSync('mine', join(ground.workspace, 'link'));
    ground.put('bytes', Buffer.from([0, 9]));
    ground.put('same', 'old\n');
    ground.put('d/theirs', 'theirs\n');
    const before = ground.files();
    const report = await ground.undo();
    assert.deepEqual(report.kept.map(({ path }) => path).toSorted(), ['bytes', 'folder', 'gone', 'link']);
    before.set('mine', 'file 644 old\n');
    before.delete('d/own');
    assert.deepEqual(ground.files(), before);
    const forced = await ground.undo({ overwrites: (path) => path !== 'folder' });
    assert.deepEqual(forced.kept, []);
    assert.deepEqual(
      [ground.text('gone'), ground.text('link'), ground.text('bytes')],
      ['old\n', 'old\n', '\0\u0001\u0002\u0003'],
    );
  });

  for (const background of ['job', 'kept']) {
    test(`by a command in the background between calls is nobody’s, and stays (${background})`, async (context) => {
      const ground = await undoGround(context);
      ground.put('a.txt', 'old\n');
      const loop = 'while [ ! -e stop ]; do [ -e go ] && echo job >> log.txt && rm go; sleep 0.02; done';
      const waits = until(join(ground.workspace, 'log.txt'));
      await ground.work(
        [
          { calls: [{ name: 'shell', arguments: { command: loop, background } }] },
          { calls: [write('new.txt', 'new\n')] },
          { calls: [{ name: 'own', arguments: {} }] },
          { calls: [shell('echo shell > shell.txt')] },
        ],
        {
          tools: [
            defineTool({
              name: 'own',
              description: 'Has the job write.',
              input: { type: 'object' },
              effects: async () => ({ effects: ['read'], resources: [] }),
              execute: async () => {
                ground.put('go', '');
                await waits;
                return 'It wrote.';
              },
            }),
          ],
        },
      );
      ground.put('stop', '');
      const report = await ground.undo({ all: true });
      assert.deepEqual(report.kept, []);
      assert.deepEqual([...ground.files().keys()].toSorted(), ['a.txt', 'log.txt', 'stop']);
    });
  }
});

/** Resolves when there is such a file. */
async function until(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('the conversation', () => {
  test('is told what was taken back and brought back; evidence from before is stale', async (context) => {
    const ground = await undoGround(context);
    ground.put('a.txt', 'old\n');
    const checks = { settings: { checks: ['grep -q new a.txt'] } };
    const first = await ground.work([{ calls: [shell('echo new > a.txt')] }], checks);
    assert.deepEqual(
      first.evidence.map(({ passed }) => passed),
      [true],
    );
    await ground.undo();
    const told = await ground.resume(
      [{ text: 'I see.' }, { calls: [shell('echo new >> a.txt')] }, { text: 'Now.' }],
      checks,
    );
    const [request] = told.server.requests;
    const said = JSON.stringify(request?.body);
    assert.match(said, /The user took back changes of yours; changed by that: a\.txt/);
    assert.ok(told.server.requests.length > 2, 'the check of before the undo was taken for proof');
    await ground.undo();
    await ground.redo();
    const brought = await ground.resume([]);
    assert.match(JSON.stringify(brought.server.requests[0]?.body), /brought back changes of yours/);
  });

  test('goes back with the files, or without, or stays; nothing is refunded', async (context) => {
    const ground = await undoGround(context);
    ground.put('a.txt', '0\n');
    const run = await ground.work([1, 2, 3, 4].map((n) => ({ calls: [shell(`echo ${n} > a.txt`)] })));
    const at = { files: true, conversation: true };
    const log = (await ground.events()).length;

    const files = await rewindTo(ground.env, run.session, { to: { turn: 3 }, ...at, conversation: false });
    assert.deepEqual([files?.turns, ground.text('a.txt')], [[3, 4], '2\n']);
    assert.equal(
      (await ground.events()).some(({ kind }) => kind === 'head'),
      false,
    );
    await ground.redo();
    assert.equal(ground.text('a.txt'), '4\n');

    assert.equal(await rewindTo(ground.env, run.session, { to: { turn: 3 }, ...at, files: false }), undefined);
    assert.equal(ground.text('a.txt'), '4\n');
    const resumed = await ground.resume([{ calls: [shell('echo other > b.txt')] }]);
    assert.equal(resumed.turns, run.turns + 2);
    const asked = JSON.stringify(resumed.server.requests[0]?.body);
    assert.ok(asked.includes('echo 2 > a.txt') && !asked.includes('echo 3 > a.txt'));

    // Back onto the branch that was left: what the other branch did goes.
    await rewindTo(ground.env, run.session, { to: { turn: 2 }, ...at });
    assert.equal(ground.text('a.txt'), '1\n');
    assert.equal(ground.files().has('b.txt'), false);
    await ground.resume([{ calls: [shell('echo third > c.txt')] }]);
    const back = await rewindTo(ground.env, run.session, { to: { turn: 4 }, ...at });
    assert.deepEqual(back?.kept, []);
    assert.equal(ground.text('a.txt'), '3\n');
    assert.deepEqual([ground.files().has('b.txt'), ground.files().has('c.txt')], [false, false]);
    const last = await ground.resume([]);
    const asks = JSON.stringify(last.server.requests[0]?.body);
    assert.ok(asks.includes('echo 3 > a.txt') && !asks.includes('third'));
    assert.ok((await ground.events()).length > log);
  });

  test('goes to an event, and takes back the calls whose outcome came after it', async (context) => {
    const ground = await undoGround(context);
    ground.put('a.txt', '0\n');
    const calls = [shell('echo 1 > a.txt'), shell('echo 2 > b.txt')];
    const run = await ground.work([{ calls }, { calls: [shell('echo 3 > a.txt')] }]);
    const [first] = (await ground.events()).filter(({ kind }) => kind === 'result');
    const to = { event: first!.id };
    const report = await rewindTo(ground.env, run.session, { to, files: true, conversation: true });
    assert.deepEqual([report?.turns, report?.kept], [[1, 2], []]);
    assert.deepEqual([ground.text('a.txt'), ground.files().has('b.txt')], ['1\n', false]);
    const events = await ground.events();
    const head = events.findLast(({ kind }) => kind === 'head');
    assert.equal(head?.parent, first!.id);
    const resumed = await ground.resume([]);
    const asked = JSON.stringify(resumed.server.requests[0]?.body);
    assert.ok(asked.includes('Interrupted') && !asked.includes('echo 3'));
  });

  test('goes on after an undo, and what it does then is undone by itself', async (context) => {
    const ground = await undoGround(context);
    ground.put('a.txt', 'a\n');
    await ground.work([{ calls: [shell('echo b > a.txt; echo x > x.txt')] }]);
    await ground.undo();
    await ground.resume([{ calls: [shell('echo c > a.txt')] }]);
    await ground.resume([{ calls: [shell('echo d > a.txt; mkdir -p e/f; ln -s a.txt l; chmod 600 a.txt')] }]);
    await ground.undo();
    assert.equal(ground.text('a.txt'), 'c\n');
    assert.deepEqual([...ground.files().keys()], ['a.txt']);
    await ground.undo();
    assert.equal(ground.text('a.txt'), 'a\n');
    await assert.rejects(ground.undo(), { code: 'undo-impossible' });
    await ground.redo();
    await ground.redo();
    assert.equal(ground.text('a.txt'), 'd\n');
    assert.equal(ground.files().get('l'), 'link a.txt');
    // The first undo took back what the later work was built on.
    const oldest = await ground.redo();
    assert.deepEqual(
      oldest.kept.map(({ path }) => path),
      ['a.txt'],
    );
    assert.equal(ground.text('x.txt'), 'x\n');
  });
});

test('an empty folder, a name in quotes and a name that is no text come back', async (context) => {
  const ground = await undoGround(context);
  mkdirSync(join(ground.workspace, 'empty'));
  ground.put('"quoted', 'q\n');
  ground.put('sp ace ü\n', 's\n');
  await ground.work([{ calls: [shell(`printf x > "$(printf 'no\\377text')"`)] }]);
  const before = ground.files();
  await ground.resume([
    { calls: [read('"quoted')] },
    { calls: [edit('"quoted', 'q', 'Q'), write('"made', 'm\n')] },
    { calls: [shell('rm -r empty sp* no*')] },
  ]);
  assert.deepEqual((await ground.undo({ turns: 2 })).kept, []);
  assert.deepEqual(ground.files(), before);
});
