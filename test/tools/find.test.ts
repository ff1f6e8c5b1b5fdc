import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { searchSession } from './search-bench.ts';

describe('find', () => {
  const files = { 'a.ts': '', 'src/b.ts': '', 'src/c.js': '', '.gitignore': 'out\n', 'out/d.ts': '', 'é\n.md': '' };

  test('lists files by their paths, sorted, without ignored ones', async () => {
    await using session = await searchSession(files);
    const text = async (args: object) => (await session.call('find', { ...args })).text;
    assert.equal(await text({ glob: '*.ts' }), 'a.ts\nsrc/b.ts');
    assert.equal(await text({ glob: '*.{ts,js}', path: 'src' }), 'src/b.ts\nsrc/c.js');
    assert.equal(await text({ glob: 'src/*' }), 'src/b.ts\nsrc/c.js');
    assert.equal(await text({ glob: '**/*.md' }), 'é\u240a.md');
    assert.equal(await text({ glob: '*.ts', limit: 1 }), 'a.ts\n[1 more file of 2; narrow the glob or raise limit.]');
  });

  test('where there is none, it says what was searched', async () => {
    await using session = await searchSession(files);
    const none = await session.call('find', { glob: '*.py' });
    const text = 'No file in the workspace matches *.py. Ignored files are left out.';
    assert.deepEqual([none.outcome, none.text], ['ok', text]);
    const below = await session.call('find', { glob: 'a.ts', path: 'src' });
    assert.equal(below.text, 'No file in src matches a.ts. Ignored files are left out.');
  });

  test('what can’t be looked for is an error that says why', async () => {
    await using session = await searchSession(files);
    const refused: [args: object, told: RegExp][] = [
      [{ glob: '' }, /^glob is empty\. Nothing was searched\.$/],
      [{ glob: '[a' }, /^Nothing was searched: "\[a" is no glob: a \[ isn’t closed\.$/],
      [{ glob: '*', path: 'a.ts' }, /^Nothing was searched: a\.ts is a file, not a folder\.$/],
      [{ glob: '*', path: 'nowhere' }, /^Nothing was searched: there is no nowhere\.$/],
      [{ glob: '*', path: '.git' }, /there is no \.git|never searched/],
      [{ glob: '*', limit: 0 }, /^limit: must be 1 to 1000, got 0/],
      [{ glob: '*', pattern: 'x' }, /^pattern: unknown; known are, nearest first, /],
      [{}, /glob/],
    ];
    for (const [args, told] of refused) {
      const result = await session.call('find', { ...args });
      assert.equal(result.outcome, 'error', JSON.stringify(args));
      assert.match(result.text, told);
    }
    assert.notEqual((await session.call('find', { glob: '*', path: '..' })).outcome, 'ok');
  });
});
