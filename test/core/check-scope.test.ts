import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { coversPath } from '../../src/core/index.ts';

describe('globs cover', () => {
  const cases: [globs: string[], path: string, isCovered: boolean][] = [
    [['*.lock'], 'a/b.lock', true],
    [['*.lock'], 'a.lock/b', false],
    [['src/**'], 'src/a/b.js', true],
    [['src/**'], 'src', false],
    [['src/*'], 'src/a.js', true],
    [['src/*'], 'src/a/b.js', false],
    [['src'], 'src/a/b.js', true],
    [['src'], 'lib/src/b.js', true],
    [['src'], 'src.js', false],
    [['src'], 'a/srcs/b', false],
    [['src/gen'], 'src/gen', true],
    [['src/gen'], 'src/gen/a/b.js', true],
    [['src/gen'], 'lib/src/gen/a.js', false],
    [['src/gen'], 'src/generated/a.js', false],
    [['packages/*/dist'], 'packages/a/dist/x/y.js', true],
    [['packages/*/dist'], 'packages/a/b/dist/x.js', false],
    [['**/dist'], 'packages/a/dist/x.js', true],
    [['src/g?n'], 'src/gen/a.js', false],
    [['!docs'], 'docs/a/b.md', false],
    [['!docs'], 'src/a.js', true],
    [['src', '!src/gen'], 'src/gen/a.js', false],
    [[], 'a', true],
  ];
  for (const [globs, path, isCovered] of cases) {
    test(`${JSON.stringify(globs)} ${isCovered ? 'with' : 'without'} ${path}`, () => {
      assert.equal(coversPath(globs, path), isCovered);
    });
  }
});
