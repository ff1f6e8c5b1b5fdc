/** Whole analyses, word by word: each line stands for one way in which a shell goes through it. */
import assert from 'node:assert/strict';
import { normalize } from 'node:path/posix';
import { after, describe, test } from 'node:test';
import { analyserOf } from './analyser.ts';
import { inFull } from './commands/in-full.ts';
import { told } from './commands/told.ts';

const analyser = analyserOf({
  place: {
    workspace: '/work',
    home: '/home/person',
    git: () => ({ aliases: { fp: 'push --force', shout: '!git push -f' } }),
    scripts: () => ({ wipe: 'rm -rf build' }),
  },
});
after(() => analyser.close());

for (const [about, lines] of Object.entries(told)) {
  describe(about, () => {
    for (const [line, parts] of Object.entries(lines)) {
      test(JSON.stringify(line), async () => {
        assert.deepEqual(inFull(await analyser.analyse(line, '/work')), parts);
      });
    }
  });
}

describe('a folder behind a link', () => {
  const linked = analyserOf({
    // What is a pattern is no path, and its links aren't asked for.
    realPath: async (path) =>
      path.includes('*') ? '/never/asked' : normalize(path.replace(/^\/work\/link(?=\/|$)/, '/elsewhere/deep')),
    isFolder: async () => true,
  });
  after(() => linked.close());

  const lines = {
    'cd link; rm $PWD/a': 'rm /work/link/a | destroy | destroy /elsewhere/deep/a',
    'cd link/..; rm a': 'rm a | destroy | destroy /work/a',
    'cd -P link; rm $PWD/a': 'rm /elsewhere/deep/a | destroy | destroy /elsewhere/deep/a',
    'cd -P link/..; rm a': 'rm a | destroy | destroy /elsewhere/a',
    'rm -rf link': 'rm -rf link | destroy | destroy /work/link/**',
    'rm -rf link/': 'rm -rf link/ | destroy | destroy /elsewhere/deep//**',
    'rm -rf link/.': 'rm -rf link/. | destroy | destroy /elsewhere/deep/**',
    'rm -rf link/*': 'rm -rf ‘link/*’ | destroy | destroy /elsewhere/deep/*/**',
    'rm link': 'rm link | destroy | destroy /elsewhere/deep',
    'cat link': 'cat link | read /elsewhere/deep',
  };
  for (const [line, last] of Object.entries(lines)) {
    test(line, async () => assert.equal(inFull(await linked.analyse(line, '/work')).at(-1), last));
  }
});
