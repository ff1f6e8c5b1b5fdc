import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toolSession } from './session.ts';

describe('write', () => {
  test('creates what wasn’t there, with its folders, exactly as sent', async () => {
    await using session = await toolSession();
    const contents = {
      'n.txt': '\u201c\u2019\u00a0',
      't.py': "print('a\\nb')",
      'd.tex': '\\title{x}\\newline',
      'deep/er/crlf.txt': 'a\r\nb\n\tc',
      empty: '',
    };
    for (const [path, content] of Object.entries(contents)) {
      const result = await session.call('write', { path, content });
      assert.equal(result.outcome, 'ok', result.text);
      assert.equal((await session.workspace.read(path)).toString(), content);
      assert.equal(result.changes?.[0]?.before, null);
    }
    assert.equal(session.results()[0]?.text, 'Created n.txt (1 line, 8 bytes).');
  });

  test('replaces only a file whose present content is known', async () => {
    await using session = await toolSession({ files: { a: 'one\n' } });
    const unseen = await session.call('write', { path: 'a', content: 'two\n' });
    assert.equal(unseen.outcome, 'error');
    assert.match(unseen.text, /exists and hasn’t been read in this session; nothing was written\. Read it first/);
    await session.call('read', { path: 'a' });
    const seen = await session.call('write', { path: 'a', content: 'two\n' });
    assert.equal(seen.text, 'Replaced a (1 line, 4 bytes).');
    const own = await session.call('write', { path: 'a', content: 'three\n' });
    assert.equal(own.outcome, 'ok');
    await session.workspace.write('a', 'foreign\n');
    const changed = await session.call('write', { path: 'a', content: 'four\n' });
    assert.equal(changed.outcome, 'error');
    assert.match(changed.text, /has changed since it was last read/);
    assert.equal((await session.workspace.read('a')).toString(), 'foreign\n');
  });

  test('a part that was read is not the whole', async () => {
    await using session = await toolSession({ files: { a: 'one\ntwo\nthree\n', long: `${'x'.repeat(2001)}\n` } });
    await session.call('read', { path: 'a', limit: 2 });
    const part = await session.call('write', { path: 'a', content: 'x\n' });
    assert.match(part.text, /Only a part of a has been read/);
    await session.call('read', { path: 'a', offset: 3 });
    assert.equal((await session.call('write', { path: 'a', content: 'x\n' })).outcome, 'ok');
    await session.call('read', { path: 'long' });
    assert.match((await session.call('write', { path: 'long', content: 'x\n' })).text, /Only a part of long/);
  });

  test('an edit of a file known whole leaves it known; of one that others changed it doesn’t', async () => {
    await using session = await toolSession({ files: { a: 'one\ntwo\n' } });
    await session.call('read', { path: 'a' });
    await session.call('edit', { path: 'a', old: 'one', new: '1' });
    assert.equal((await session.call('write', { path: 'a', content: 'x\ntwo\n' })).outcome, 'ok');
    await session.workspace.write('a', 'foreign\ntwo\n');
    await session.call('edit', { path: 'a', old: 'two', new: '2' });
    const result = await session.call('write', { path: 'a', content: 'y\n' });
    assert.match(result.text, /Only a part/);
  });

  test('the content that is there already is no change', async () => {
    await using session = await toolSession({ files: { a: 'one\n' } });
    const result = await session.call('write', { path: 'a', content: 'one\n' });
    assert.equal(result.outcome, 'ok');
    assert.match(result.text, /exactly this content already/);
    assert.equal(result.changes, undefined);
    assert.equal(result.mayHaveChanged, undefined);
  });

  test('says what the old file had and the new content hasn’t', async () => {
    const files = {
      crlf: 'a\r\nb\r\n',
      latin: Buffer.from('caf\xe9\n', 'latin1'),
      mark: '\ufeffa\n',
    };
    await using session = await toolSession({ files });
    const notes: string[] = [];
    for (const path of Object.keys(files)) {
      await session.call('read', { path });
      notes.push((await session.call('write', { path, content: 'x\ny\n' })).text.split('\n')[1] ?? '');
    }
    assert.deepEqual(notes, [
      'Note: its line ends were CRLF; now they are LF.',
      'Note: it was Latin-1; now it is UTF-8.',
      'Note: its byte order mark is gone.',
    ]);
  });

  test('half a surrogate pair and a folder are refused', async () => {
    await using session = await toolSession({ files: { 'src/a': '' } });
    assert.match((await session.call('write', { path: 'a', content: 'x\ud800' })).text, /surrogate/);
    assert.match((await session.call('write', { path: 'src', content: 'x' })).text, /src is a folder/);
    assert.deepEqual(await session.workspace.tree(), { 'src/a': '' });
  });
});
