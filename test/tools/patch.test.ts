import assert from 'node:assert/strict';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { recordingApprover } from '../../src/testing/index.ts';
import { patchTool } from '../../src/tools/builtin/patch/index.ts';
import { readTool } from '../../src/tools/builtin/read/index.ts';
import { writeTool } from '../../src/tools/builtin/write/index.ts';
import { editTool } from '../../src/tools/builtin/edit/index.ts';
import { patchRead, wrapped } from './patch-files.ts';
import { toolSession, type SessionOptions } from './session.ts';

const tools = [readTool, editTool, writeTool, patchTool];
const session = (options: SessionOptions) => toolSession({ tools, ...options });

describe('what a patch must have seen', () => {
  const doc = `${Array.from({ length: 20 }, (_, index) => `A alpha ${index}\n`).join('')}beta here\n`;

  test('a foreign change elsewhere stays, and is said', async () => {
    await using open = await session({ files: { 'doc.md': doc } });
    await open.call('read', { path: 'doc.md' });
    await open.workspace.write('doc.md', doc.replaceAll('alpha', 'omega'));
    const result = await patchRead(open, [], '*** Update File: doc.md', '@@', '-beta here', '+gamma');
    assert.equal(result.outcome, 'ok', result.text);
    assert.match(
      result.text,
      /changed by something else since it was read; around the changes it is now:\n11\tA omega 10/,
    );
    const after = (await open.workspace.read('doc.md')).toString();
    assert.equal(after, doc.replaceAll('alpha', 'omega').replace('beta here', 'gamma'));
    assert.equal([...open.seen.values()][0]?.whole, false);
  });

  test('a foreign change at the place is refused with the present lines', async () => {
    await using open = await session({ files: { 'doc.md': doc } });
    await open.call('read', { path: 'doc.md' });
    await open.workspace.write('doc.md', doc.replace('beta here', 'beta  there'));
    const result = await patchRead(open, [], '*** Update File: doc.md', '@@', '-beta here', '+gamma');
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /21\tbeta {2}there\n/);
    assert.match(result.text, /has changed since it was read: read it again/);
  });

  test('equal bytes are unchanged, whatever the time stamp says', async () => {
    await using open = await session({ files: { 'doc.md': doc } });
    await open.call('read', { path: 'doc.md' });
    await open.workspace.write('doc.md', doc);
    const result = await patchRead(open, [], '*** Delete File: doc.md');
    assert.equal(result.outcome, 'ok', result.text);
  });

  test('a file is deleted only if all of its present content was seen', async () => {
    await using open = await session({ files: { a: 'one\ntwo\n', b: 'one\n' } });
    await open.call('read', { path: 'a', limit: 1 });
    const partly = await patchRead(open, [], '*** Delete File: a');
    assert.match(partly.text, /a has been read only in part\. Read the rest before it is deleted/);
    const wholly = await patchRead(open, ['a'], '*** Delete File: a');
    assert.equal(wholly.outcome, 'ok', wholly.text);
    await open.call('read', { path: 'b' });
    await open.workspace.write('b', 'other\n');
    const changed = await patchRead(open, [], '*** Delete File: b');
    assert.match(changed.text, /b has changed since it was last read\. Read it again before it is deleted/);
    assert.equal((await open.workspace.read('b')).toString(), 'other\n');
  });

  test('a file that was seen in part can be changed, and is known in part afterwards', async () => {
    await using open = await session({ files: { a: 'one\ntwo\n' } });
    await open.call('read', { path: 'a', limit: 1 });
    assert.equal((await patchRead(open, [], '*** Update File: a', '@@', '-one', '+1')).outcome, 'ok');
    assert.match((await patchRead(open, [], '*** Delete File: a')).text, /only in part/);
  });
});

describe('what is known after a patch', () => {
  test('changed, moved and added files need no further read; deleted and moved ones are gone', async () => {
    await using open = await session({ files: { a: 'one\n', b: 'two\n', c: 'three\n' } });
    const result = await patchRead(
      open,
      ['a', 'b', 'c'],
      '*** Update File: a\n@@\n-one\n+1\n*** Update File: b\n*** Move to: d\n*** Delete File: c',
      '*** Add File: e\n+five',
    );
    assert.equal(result.outcome, 'ok', result.text);
    const path = (name: string) => join(open.workspace.path, name);
    assert.deepEqual([...open.seen.keys()].toSorted(), [path('a'), path('d'), path('e')]);
    assert.deepEqual(
      [...open.seen.values()].map(({ whole }) => whole),
      [true, true, true],
    );
    const edits = await open.callAll([
      ['edit', { path: 'a', old: '1', new: '2' }],
      ['write', { path: 'd', content: 'whole\n' }],
      ['edit', { path: 'e', old: 'five', new: '5' }],
    ]);
    assert.deepEqual(
      edits.map(({ outcome }) => outcome),
      ['ok', 'ok', 'ok'],
    );
  });

  test('the record has each path with its hashes before and after', async () => {
    await using open = await session({ files: { a: 'one\n', b: 'two\n', c: 'three\n' } });
    const result = await patchRead(
      open,
      ['a', 'b', 'c'],
      '*** Update File: a\n@@\n-one\n+1\n*** Update File: b\n*** Move to: d\n*** Delete File: c',
      '*** Add File: e\n+five',
    );
    const shape = result.changes?.map(({ path, before, after }) => [path, before !== null, after !== null]);
    assert.deepEqual(shape, [
      ['a', true, true],
      ['b', true, false],
      ['d', false, true],
      ['c', true, false],
      ['e', false, true],
    ]);
    const [, from, to] = result.changes ?? [];
    assert.equal(from?.before, to?.after);
  });

  test('a file that moved unread stays unread', async () => {
    await using open = await session({ files: { a: 'one\n' } });
    assert.equal((await patchRead(open, [], '*** Update File: a', '*** Move to: b')).outcome, 'ok');
    assert.equal(open.seen.size, 0);
    const result = await patchRead(open, [], '*** Update File: b', '@@', '-one', '+1');
    assert.match(result.text, /b hasn’t been read in this session/);
  });
});

describe('the way of a patch', () => {
  const files = { a: 'one\n', b: 'two\n' };

  test('names every path before it runs, as one that it writes', async () => {
    await using open = await session({ files });
    await patchRead(
      open,
      ['a', 'b'],
      '*** Update File: a',
      '*** Move to: x/c',
      '*** Delete File: b',
      '*** Add File: d',
    );
    const verdict = open.verdicts().at(-1);
    assert.deepEqual(
      verdict?.resources,
      ['a', 'x/c', 'b', 'd'].map((name) => ({ access: 'write', path: join(open.workspace.path, name) })),
    );
  });

  test('a rule against writing somewhere holds for it, and so does a mode that only reads', async () => {
    const rules = [{ effect: 'deny' as const, shape: 'write(secret/**)', from: 'user' as const }];
    await using open = await session({ files, policy: { rules } });
    const denied = await patchRead(open, [], '*** Add File: ok', '+x', '*** Add File: secret/x', '+x');
    assert.equal(denied.outcome, 'denied');
    assert.deepEqual(await open.workspace.tree(), files);
    await using plan = await session({ files, policy: { mode: 'plan' } });
    assert.equal((await patchRead(plan, ['a'], '*** Delete File: a')).outcome, 'denied');
  });

  test('a person is asked with the files and the patch, and not for one that can’t be read', async () => {
    const approver = recordingApprover(['yes']);
    await using open = await session({ files, approver, policy: { mode: 'ask' } });
    const broken = await open.call('apply_patch', { patch: 'rubbish' });
    assert.equal(broken.outcome, 'error');
    assert.equal(approver.questions.length, 0);
    const result = await patchRead(open, ['a', 'b'], '*** Update File: a', '*** Move to: c', '*** Delete File: b');
    assert.equal(result.outcome, 'ok', result.text);
    const [question] = approver.questions;
    assert.match(question?.question ?? '', /^apply_patch: update a and move it to c, delete b\n\*\*\* Begin Patch\n/);
  });

  test('a long patch is shown in bounds, all files named', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `+line ${index}`);
    const summary = patchTool.summary({ patch: wrapped('*** Add File: a', ...lines, '*** Add File: z', '+z') });
    assert.ok(summary.length < 5_000, String(summary.length));
    assert.match(summary, /^apply_patch: add a, add z\n/);
  });

  test('the result of a large patch stays small', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `f${index}`);
    const content = `${'x'.repeat(3_000)}\n`.repeat(20);
    await using open = await session({ files: Object.fromEntries(names.map((name) => [name, content])) });
    const change = ['@@', ...Array.from({ length: 20 }, () => `-${'x'.repeat(3_000)}`), '+y'];
    const result = await patchRead(open, names, ...names.flatMap((name) => [`*** Update File: ${name}`, ...change]));
    assert.equal(result.outcome, 'ok', result.text.slice(0, 500));
    assert.ok(result.text.length < 10_000, String(result.text.length));
  });

  test('odd arguments are errors, not faults', async () => {
    await using open = await session({ files });
    const odd = [
      '\ud83d',
      wrapped('*** Add File: a\0b', '+x'),
      wrapped('*** Add File: c', '+\ud83d'),
      '\n'.repeat(10_000),
    ];
    for (const patch of odd) {
      const result = await open.call('apply_patch', { patch });
      assert.equal(result.outcome, 'error', patch.slice(0, 40));
    }
    assert.match((await open.call('apply_patch', { patch: odd[1] ?? '' })).text, /a path can’t hold a NUL character/);
    assert.deepEqual(await open.workspace.tree(), files);
  });

  test('names of files that only look like something else are names', async () => {
    await using open = await session({ files: {} });
    const names = ['__proto__', 'constructor', '“x”', '-rf', '@@ a', 'a*b?'];
    const result = await patchRead(open, [], ...names.flatMap((name) => [`*** Add File: ${name}`, '+x']));
    assert.equal(result.outcome, 'ok', result.text);
    assert.deepEqual((await readdir(open.workspace.path)).toSorted(), names.toSorted());
  });

  test('a mode stays, links stay links, no temporary file stays', async () => {
    await using open = await session({
      files: { run: { content: 'one\n', mode: 0o755 }, link: { link: 'run' } },
    });
    const result = await patchRead(open, ['run'], '*** Update File: link', '@@', '-one', '+1');
    assert.equal(result.outcome, 'ok', result.text);
    assert.equal((await stat(join(open.workspace.path, 'run'))).mode & 0o777, 0o755);
    assert.ok((await lstat(join(open.workspace.path, 'link'))).isSymbolicLink());
    assert.deepEqual((await readdir(open.workspace.path)).toSorted(), ['link', 'run']);
  });

  test('a file that moves keeps its mode', async () => {
    await using open = await session({
      files: { run: { content: 'one\n', mode: 0o755 }, own: { content: 'x', mode: 0o600 } },
    });
    const moves = [
      '*** Update File: run',
      '*** Move to: bin/run',
      '@@',
      '-one',
      '+1',
      '*** Update File: own',
      '*** Move to: mine',
    ];
    const result = await patchRead(open, ['run'], ...moves);
    assert.equal(result.outcome, 'ok', result.text);
    const modeOf = async (name: string) => (await stat(join(open.workspace.path, name))).mode & 0o777;
    assert.deepEqual([await modeOf('bin/run'), await modeOf('mine')], [0o755, 0o600]);
  });

  test('a hunk that fits nowhere in a long file is explained in bounded time', async () => {
    const content = Array.from({ length: 100_000 }, (_, index) => `const value${index} = ${index};\n`).join('');
    await using open = await session({ files: { a: content } });
    await open.call('read', { path: 'a' });
    const started = performance.now();
    const result = await patchRead(open, [], '*** Update File: a', '@@ nowhere', '-const value90000 =  90000;', '+x');
    assert.equal(result.outcome, 'error');
    // Generous: it takes a fraction of this; quadratic work would take minutes.
    assert.ok(performance.now() - started < 20_000);
  });
});

describe('the tool as a model is told of it', () => {
  test('with a grammar where a provider has tools of plain text', () => {
    assert.equal(patchTool.text?.argument, 'patch');
    assert.equal(patchTool.text?.grammar?.syntax, 'lark');
    const words = patchTool.text?.description ?? '';
    assert.doesNotMatch(words, /\n|Begin Patch/, 'the grammar says the form');
    for (const sentence of words.split('. ').slice(1))
      assert.ok(patchTool.description.includes(sentence.replace(/\.$/, '')));
    const rules = patchTool.text?.grammar?.definition.split('\n').filter((line) => line !== '') ?? [];
    assert.ok(rules.every((line) => /^\w+: \S/.test(line)));
    const named = rules.map((line) => line.slice(0, line.indexOf(':')));
    const used = rules.flatMap((line) => line.replace(/"[^"]*"|\/.*\//g, '').match(/\b[A-Za-z]+\b/g) ?? []);
    assert.deepEqual([...new Set(used)].toSorted(), named.toSorted());
  });
});
