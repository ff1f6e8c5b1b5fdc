import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import iconv from 'iconv-lite';
import type { JsonObject } from '../../src/core/index.ts';
import { editTool } from '../../src/tools/builtin/edit/index.ts';
import { toolSession, type ToolSession } from './session.ts';

const text = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join('');

/** Reads, then edits; gives the result and the text afterwards. */
async function edit(session: ToolSession, args: JsonObject) {
  await session.call('read', { path: args['path'] as string });
  const result = await session.call('edit', args);
  return { result, after: (await session.workspace.read(args['path'] as string)).toString() };
}

describe('several edits in one call', () => {
  test('each sees the result of the one before; the lines around all of them are shown once', async () => {
    await using session = await toolSession({ files: { a: text } });
    const { result, after } = await edit(session, {
      path: 'a',
      old: 'line 20\n',
      new: 'twenty\nand a half\n',
      more: [
        { old: 'twenty', new: '20' },
        { old: 'line 3\n', new: '' },
        { old: 'line 1', new: 'l', all: true },
      ],
    });
    assert.equal(result.outcome, 'ok', result.text);
    assert.equal(
      after,
      text.replace('line 20\n', '20\nand a half\n').replace('line 3\n', '').replaceAll('line 1', 'l'),
    );
    assert.match(result.text, /^Edited a: 4 edits, 14 places\.\n1\tl\n2\tline 2\n3\tline 4\n/);
    assert.match(result.text, /\n19\t20\n20\tand a half\n21\tline 21\n/);
    const numbers = result.text.split('\n').flatMap((line) => /^(\d+)\t/.exec(line)?.[1] ?? []);
    assert.deepEqual(
      numbers.map(Number),
      [...new Set(numbers.map(Number))].toSorted((a, b) => a - b),
    );
    assert.equal(result.changes?.length, 1);
  });

  test('one that doesn’t fit is named by its number, and none is applied', async () => {
    await using session = await toolSession({ files: { a: text } });
    const { result, after } = await edit(session, {
      path: 'a',
      old: 'line 2\n',
      new: 'two\n',
      more: [
        { old: 'line 5', new: 'five' },
        { old: 'line  7', new: 'seven' },
      ],
    });
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /^a: edit 3 of 3, and so none of them, fits\. `old` isn’t in the file/);
    assert.match(result.text, /The nearest place is line 7\. It differs in blanks:\n7\tline 7\n/);
    assert.match(result.text, /sought in the text that the edits before it make\.$/);
    assert.equal(after, text);
    assert.deepEqual(result.changes, undefined);
    assert.equal(result.mayHaveChanged, undefined);
  });

  test('the first one that doesn’t fit, an ambiguous one, one that changes nothing', async () => {
    await using session = await toolSession({ files: { a: text } });
    const more = [{ old: 'line 5', new: 'five' }];
    const first = await edit(session, { path: 'a', old: 'nothing like it', new: '', more });
    assert.match(first.result.text, /^a: edit 1 of 2, /);
    assert.doesNotMatch(first.result.text, /sought in the text/);
    const second = await edit(session, { path: 'a', old: 'line 5', new: 'five', more: [{ old: 'line', new: 'x' }] });
    assert.match(second.result.text, /^a: edit 2 of 2, .*stands there 29 times/);
    const third = await edit(session, { path: 'a', old: 'line 5', new: 'five', more: [{ old: 'x', new: 'x' }] });
    assert.match(third.result.text, /^a: edit 2 of 2, .*are the same/);
    assert.equal(third.after, text);
  });

  test('an empty old text among them is refused, in a file that is there and in one that isn’t', async () => {
    await using session = await toolSession({ files: { a: text } });
    const { result, after } = await edit(session, {
      path: 'a',
      old: 'line 5',
      new: 'x',
      more: [{ old: '', new: 'y' }],
    });
    assert.match(result.text, /edit 2 of 2, .*An empty `old` only creates a file/);
    assert.equal(after, text);
    const made = await session.call('edit', { path: 'b', old: '', new: 'x', more: [{ old: 'x', new: 'y' }] });
    assert.equal(made.outcome, 'error');
    assert.match(made.text, /There is no b/);
    assert.deepEqual(Object.keys(await session.workspace.tree()), ['a']);
    const none = await session.call('edit', { path: 'b', old: '', new: 'x', more: [] });
    assert.equal(none.text, 'Created b (1 line).');
  });

  test('what the schema doesn’t say is said by the tool, before anything is looked at', async () => {
    await using session = await toolSession({ files: { a: text } });
    const cases: [JsonObject, RegExp][] = [
      [{ more: [{ new: 'y' }] }, /^more\.0\.old: missing\. Nothing was changed/],
      [{ more: [{ old: 'y', new: 'z' }, { old: 'y' }] }, /^more\.1\.new: missing\./],
      [{ more: [{ old: 'y', new: 'z', all: 'yes' }] }, /^more\.0\.all: must be true or false/],
      [{ more: [{ old: 'y', new: 'z', olds: 'x' }] }, /^more\.0\.olds: unknown; known are, nearest first, old,/],
      [{ replace_all: true }, /^replace_all: unknown; known are/],
      [{ edits: [{ old: 'line 1\n', new: '' }] }, /^edits: unknown; known are/],
      [{ more: ['x'] }, /more\.0: /],
      [{ more: 'x' }, /more: /],
      [{ all: 'yes' }, /all: /],
    ];
    for (const [extra, expected] of cases) {
      const { result, after } = await edit(session, { path: 'a', old: 'line 5', new: 'x', ...extra });
      assert.equal(result.outcome, 'error');
      assert.match(result.text, expected);
      assert.equal(after, text);
    }
  });

  test('a person who is asked sees all of them', () => {
    const args = { path: 'a', old: 'x', new: 'y\nz', more: [{ old: 'b', new: 'c', all: true }] };
    assert.equal(editTool.summary(args), 'edit a, 2 times\n- x\n+ y\n+ z\n@, every match\n- b\n+ c');
    assert.equal(editTool.summary({ path: 'a', old: 'x', new: 'y' }), 'edit a\n- x\n+ y');
    assert.equal(editTool.summary({ path: 'a', old: 'x', new: 'y', all: true }), 'edit a, every match\n- x\n+ y');
    assert.equal(
      editTool.summary({ path: 'a', old: 'x', new: 'y', more: [{ old: 'b' }] }),
      'edit a (more.0.new: missing)',
    );
  });
});

describe('edits of a file that others have changed', () => {
  const changed = text.replace('line 15\n', 'line fifteen\n');

  test('at the place itself: refused, with what stands there now', async () => {
    const before = text.replace('line 15\n', 'const limit = read(15);\n');
    const now = before.replace('read(15)', 'parse(15)');
    await using session = await toolSession({ files: { a: before } });
    await session.call('read', { path: 'a' });
    await session.workspace.write('a', now);
    const result = await session.call('edit', { path: 'a', old: 'const limit = read(15);', new: 'x' });
    assert.equal(result.outcome, 'error');
    assert.match(
      result.text,
      /The file has changed since it was read: read it again, or go by what stands there now:\n5\tline 5\n/,
    );
    assert.match(result.text, /\n14\tline 14\n15\tconst limit = parse\(15\);\n16\tline 16\n/);
    assert.match(result.text, /\n25\tline 25$/);
    assert.equal((await session.workspace.read('a')).toString(), now);
    const again = await session.call('edit', { path: 'a', old: 'const limit = parse(15);\n', new: 'x\n' });
    assert.equal(again.outcome, 'ok', again.text);
  });

  test('elsewhere: applied, and said', async () => {
    await using session = await toolSession({ files: { a: text } });
    await session.call('read', { path: 'a' });
    await session.workspace.write('a', changed);
    const result = await session.call('edit', {
      path: 'a',
      old: 'line 2\n',
      new: 'two\n',
      more: [{ old: 'line 3\n', new: '' }],
    });
    assert.equal(result.outcome, 'ok', result.text);
    assert.match(result.text, /had been changed by something else since it was read/);
    assert.equal(
      (await session.workspace.read('a')).toString(),
      changed.replace('line 2\n', 'two\n').replace('line 3\n', ''),
    );
    // What the others changed isn’t known, so the whole may not be replaced.
    assert.match((await session.call('write', { path: 'a', content: 'x' })).text, /Only a part of a has been read/);
  });

  test('in a later edit of several: refused, without lines of a text that never was', async () => {
    await using session = await toolSession({ files: { a: text } });
    await session.call('read', { path: 'a' });
    await session.workspace.write('a', changed);
    const result = await session.call('edit', {
      path: 'a',
      old: 'line 2\n',
      new: '',
      more: [{ old: 'line 15\n', new: '' }],
    });
    assert.match(result.text, /edit 2 of 2/);
    assert.match(result.text, /changed since it was read: read it again\.$/);
    assert.equal((await session.workspace.read('a')).toString(), changed);
  });

  test('between looking and writing: refused, and nothing of theirs is lost', async () => {
    await using session = await toolSession({
      files: { a: text },
      wrap: (files) => ({
        ...files,
        write: async (path, bytes, expected) => {
          await appendFile(path, 'foreign\n');
          return files.write(path, bytes, expected);
        },
      }),
    });
    const { result, after } = await edit(session, {
      path: 'a',
      old: 'line 2\n',
      new: '',
      more: [{ old: 'line 3\n', new: '' }],
    });
    assert.match(result.text, /its content has changed meanwhile\. Nothing was changed/);
    assert.equal(after, `${text}foreign\n`);
  });
});

describe('edits in other encodings', () => {
  const chinese = '// 这是一个用于测试的注释，请不要修改。计算两个日期之间的天数\nint x = 1;\n';

  test('text of a sure legacy encoding is edited as text', async () => {
    const bytes = iconv.encode(chinese, 'gb18030');
    await using session = await toolSession({ files: { a: bytes } });
    await session.call('read', { path: 'a' });
    const result = await session.call('edit', {
      path: 'a',
      old: '请不要修改',
      new: '可以修改',
      more: [{ old: '1', new: '2' }],
    });
    assert.equal(result.outcome, 'ok', result.text);
    assert.match(result.text, /1\t\/\/ 这是一个用于测试的注释，可以修改。/);
    const expected = chinese.replace('请不要修改', '可以修改').replace('1', '2');
    assert.deepEqual(await session.workspace.read('a'), iconv.encode(expected, 'gb18030'));
  });

  test('a file is created in UTF-8', async () => {
    await using session = await toolSession();
    await session.call('edit', { path: 'a', old: '', new: 'é 中\n' });
    assert.equal((await session.workspace.read('a')).toString(), 'é 中\n');
    assert.match((await session.call('edit', { path: 'b', old: '', new: '\ud83d' })).text, /surrogate/);
  });

  test('a binary file is refused', async () => {
    await using session = await toolSession({ files: { a: 'text\n' } });
    await session.call('read', { path: 'a' });
    await session.workspace.write('a', Buffer.from([0, 1, 2, 3]));
    const result = await session.call('edit', { path: 'a', old: 'text', new: 'x' });
    assert.match(result.text, /a: The file is binary; it can’t be edited as text\./);
    assert.deepEqual(await session.workspace.read('a'), Buffer.from([0, 1, 2, 3]));
  });
});
