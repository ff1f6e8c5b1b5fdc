import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { loadInstructions } from '../../src/context/index.ts';
import { holds } from '../support/property.ts';
import { instructionsOf, MemoryFiles, standingOf, Work, workspace } from './instruction-folders.ts';

const count = (text: string, word: string): number => text.split(word).length - 1;

describe('the files of a folder', () => {
  test('an override takes the place of its file, local files come last', async () => {
    const { paths, leftOut } = await standingOf(
      {
        'AGENTS.md': 'a',
        'AGENTS.override.md': 'b',
        'CLAUDE.md': 'c',
        '.claude/CLAUDE.md': 'd',
        '.claude/rules/style.md': 'e',
        '.claude/rules/paths.md': '---\npaths: "*.ts"\n---\nf',
        'AGENTS.local.md': 'g',
        'CLAUDE.local.md': 'h',
        'GEMINI.md': 'i',
      },
      { names: ['GEMINI.md'] },
    );
    assert.deepEqual(paths, [
      'AGENTS.override.md',
      'CLAUDE.md',
      '.claude/CLAUDE.md',
      '.claude/rules/style.md',
      'AGENTS.local.md',
      'CLAUDE.local.md',
    ]);
    assert.deepEqual(leftOut, {
      'AGENTS.md': 'AGENTS.override.md takes its place',
      '.claude/rules/paths.md': 'it waits for a path like *.ts',
    });
  });

  test('further names count where there is nothing else', async () => {
    const names = ['GEMINI.md', '.cursorrules'];
    assert.deepEqual((await standingOf({ 'GEMINI.md': 'a', '.cursorrules': 'b' }, { names })).paths, ['GEMINI.md']);
    assert.deepEqual((await standingOf({ '.cursorrules': 'b' }, { names })).paths, ['.cursorrules']);
    assert.deepEqual((await standingOf({ '.cursorrules': 'b' })).paths, []);
    assert.deepEqual((await standingOf({ '.env': 'A=B' }, { names: ['.env'] })).paths, []);
  });

  test('each folder has its own choice', async () => {
    const { paths } = await standingOf({ '../CLAUDE.md': 'a', 'AGENTS.md': 'b' });
    assert.deepEqual(paths, ['../CLAUDE.md', 'AGENTS.md']);
  });

  test('an overlay counts unless it only imports, is a copy, or is empty', async () => {
    const beside = async (text: string) => (await standingOf({ 'AGENTS.md': 'Use tabs.', 'CLAUDE.md': text })).paths;
    for (const nothing of [
      '@AGENTS.md',
      '# Claude\n\n<!-- x -->\n- @AGENTS.md\n',
      'Use tabs.\n',
      ' \n',
      '@./AGENTS.md.',
    ]) {
      assert.deepEqual(await beside(nothing), ['AGENTS.md'], nothing);
    }
    for (const more of ['@AGENTS.md\nUse spaces.', 'See AGENTS.md', '`@AGENTS.md`', '# Claude']) {
      assert.deepEqual(await beside(more), ['AGENTS.md', 'CLAUDE.md'], more);
    }
  });

  test('what an override replaced comes back by no import', async () => {
    const { paths } = await standingOf({ 'AGENTS.md': 'a', 'AGENTS.override.md': 'b', 'CLAUDE.md': 'c @AGENTS.md' });
    assert.deepEqual(paths, ['AGENTS.override.md', 'CLAUDE.md']);
  });
});

describe('imports', () => {
  test('come before the file that names them, each once, whatever circle they go in', async () => {
    const { paths } = await standingOf({
      'AGENTS.md': 'x @b.md (@docs/c.md), and @~/repo/d.md. @AGENTS.md',
      'b.md': '@docs/c.md @AGENTS.md y',
      'docs/c.md': 'see @../b.md',
      '../d.md': 'z',
    });
    assert.deepEqual(paths, ['docs/c.md', 'b.md', '../d.md', 'AGENTS.md']);
  });

  test('are none in code, comments, addresses and names of packages', async () => {
    const text = 'a `@b.md` me@b.md\n```\n@b.md\n```\n~~~~\n```\n@b.md\n~~~~\n<!-- @b.md\n@b.md -->\n@types/node';
    const { paths, leftOut } = await standingOf({ 'AGENTS.md': text, 'b.md': 'b' });
    assert.deepEqual(paths, ['AGENTS.md']);
    assert.deepEqual(leftOut, {});
  });

  test('are followed to the fiftieth of a file, and it is said that there are more', async () => {
    const numbers = Array.from({ length: 51 }, (_, number) => number);
    const files = Object.fromEntries(numbers.map((number) => [`${number}.md`, `Rule ${number}.`]));
    const all = { ...files, 'AGENTS.md': ['Own.', ...numbers.map((number) => `@${number}.md`)].join('\n') };
    const { paths, leftOut } = await standingOf(all);
    assert.deepEqual([paths.length, paths.includes('50.md')], [51, false]);
    assert.equal(leftOut['AGENTS.md'], 'only the first 50 of its 51 imports are followed');
  });

  test('go five files deep, and lead to no hidden file, no key and nothing outside', async () => {
    const chain = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((at) => [`${at}.md`, `${at} @${at + 1}.md`]));
    const { paths, leftOut } = await standingOf({ 'AGENTS.md': '@1.md 0', ...chain });
    assert.deepEqual(paths, ['5.md', '4.md', '3.md', '2.md', '1.md', 'AGENTS.md']);
    assert.match(leftOut['6.md'] ?? '', /more than 5 files/);
    const refused = await standingOf({
      'AGENTS.md': 'a @.env @deploy.key @/etc/passwd @missing.md @.hidden.md @.git/config @docs/.reins/x.md',
      '.env': 'A=B',
      'deploy.key': 'k',
      '/etc/passwd': 'root',
      '.hidden.md': 'h',
      '.git/config': 'c',
      'docs/.reins/x.md': 'x',
    });
    assert.deepEqual(refused.paths, ['AGENTS.md']);
    assert.deepEqual(Object.keys(refused.leftOut).toSorted(), [
      '.env',
      '.git/config',
      '.hidden.md',
      '/etc/passwd',
      'deploy.key',
      'docs/.reins/x.md',
      'missing.md',
    ]);
    const own = await standingOf({ '/home/me/.config/reins/AGENTS.md': '@~/style.md own', '/home/me/style.md': 's' });
    assert.deepEqual(own.paths, ['/home/me/style.md', '/home/me/.config/reins/AGENTS.md']);
  });
});

describe('what isn’t told', () => {
  test('is what is no text, and what holds words that try to take a model over, with all that it imports', async () => {
    const { paths, leftOut } = await standingOf({
      'AGENTS.md': Buffer.from([0xff, 0xfe, 0x41, 0]),
      'CLAUDE.md': 'TAKE-OVER @more.md',
      'more.md': 'more',
      'AGENTS.local.md': 'fine',
    });
    assert.deepEqual(paths, ['AGENTS.local.md']);
    assert.deepEqual(Object.keys(leftOut).toSorted(), ['AGENTS.md', 'CLAUDE.md']);
    assert.deepEqual((await standingOf({ '/home/me/.config/reins/AGENTS.md': 'TAKE-OVER' })).paths.length, 1);
  });

  test('the nearest file has room first, a cut one says so, one without room is named', async () => {
    const files = { '../AGENTS.md': 'r'.repeat(900), 'AGENTS.md': 'm'.repeat(900), 'AGENTS.local.md': 'n'.repeat(900) };
    const all = await standingOf(files, { bytes: 2700 });
    assert.deepEqual([count(all.layer, 'r'.repeat(900)), Object.keys(all.leftOut).length], [1, 0]);
    const { layer, leftOut, paths } = await standingOf(files, { bytes: 1500 });
    assert.ok(layer.includes('n'.repeat(900)));
    assert.match(layer, /m{600}\n\[Cut here: 300 of 900 bytes are left out/);
    assert.match(layer, /There is no room here for "\.\.\/AGENTS\.md": read it/);
    assert.deepEqual(paths, ['AGENTS.md', 'AGENTS.local.md']);
    assert.deepEqual(Object.keys(leftOut).toSorted(), ['../AGENTS.md', 'AGENTS.md']);
  });
});

test('a rule for some paths comes in when one of them is first touched', async () => {
  const rule = (head: string) => `---\n${head}\n---\nRULE-WORD`;
  for (const head of [
    'paths: "src/**/*.{ts,js}", docs/*',
    'name: x\npaths:\n  - src/**/*.ts\n  - "docs/*"\nmore: y',
    "paths: ['src/**']",
  ]) {
    const files = new MemoryFiles({ '.claude/rules/r.md': rule(head), 'src/x/a.ts': '', 'b.ts': '' });
    const instructions = await instructionsOf(files);
    const work = new Work();
    assert.equal((await instructions.standing(work.view)).layer, undefined);
    work.touch(`${workspace}/b.ts`);
    assert.equal((await instructions.news(work.view)).told, undefined);
    work.touch(`${workspace}/src/x/a.ts`);
    const { told } = await instructions.news(work.view);
    assert.deepEqual(
      told?.files.map(({ path }) => path),
      ['.claude/rules/r.md'],
      head,
    );
    assert.match(told?.text ?? '', /RULE-WORD/);
  }
});

const folders = ['a', 'a/b', 'c', 'node_modules/x'];
const owners = ['../AGENTS.md', 'AGENTS.md', ...folders.map((folder) => `${folder}/AGENTS.md`)];
type Step =
  | { do: 'touch'; at: number }
  | { do: 'write'; at: number; version: number }
  | { do: 'remove'; at: number }
  | { do: 'compact'; share: number }
  | { do: 'cut back'; share: number }
  | { do: 'go on' };

const share = fc.integer({ min: 0, max: 100 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('touch' as const), at: fc.nat(folders.length - 1) }),
  fc.record({ do: fc.constant('write' as const), at: fc.nat(owners.length - 1), version: fc.nat(2) }),
  fc.record({ do: fc.constant('remove' as const), at: fc.nat(owners.length - 1) }),
  fc.record({ do: fc.constant('compact' as const), share }),
  fc.record({ do: fc.constant('cut back' as const), share }),
  fc.record({ do: fc.constant('go on' as const) }),
);

/** Whether the instructions of a folder that was touched, or of one above it, are to be told. */
function applies(path: string, touched: ReadonlySet<string>): boolean {
  if (path === 'AGENTS.md' || path === '../AGENTS.md') return true;
  const folder = path.replace('/AGENTS.md', '');
  const isIn = (each: string): boolean => `${each}/`.startsWith(`${folder}/`) && touched.has(`${workspace}/${each}/x`);
  return folder !== 'node_modules/x' && folders.some(isIn);
}

const textOf = (path: string, version: number): string => `<${path} ${version}>`;

/** A session whose files change under it, and which is compacted, cut back and gone on with. */
class Journey {
  readonly work = new Work();
  /** The present texts by path. */
  readonly now = new Map<string, string>();
  readonly #files = new MemoryFiles(Object.fromEntries(folders.map((folder) => [`${folder}/x`, ''])));
  #instructions: Awaited<ReturnType<typeof instructionsOf>> | undefined;

  async begin(): Promise<void> {
    this.#instructions = await instructionsOf(this.#files);
    const { setup, layer } = await this.#instructions.standing(this.work.view);
    this.work.setup({ system: layer === undefined ? [] : [layer], instructions: setup });
  }

  async go(step: Step): Promise<void> {
    const part = (length: number, percent: number): number => Math.floor((length * percent) / 100);
    if (step.do === 'touch') this.work.touch(`${workspace}/${folders[step.at]}/x`);
    if (step.do === 'write') this.#write(owners[step.at] ?? '', step.version);
    if (step.do === 'remove') this.#write(owners[step.at] ?? '', undefined);
    if (step.do === 'compact') this.work.compact(step.share);
    if (step.do === 'cut back') this.work.cutBackTo(Math.max(1, part(this.work.events.length, step.share)));
    if (step.do === 'go on') await this.begin();
    const news = await this.#instructions?.news(this.work.view);
    if (news?.told !== undefined) this.work.record({ kind: 'instructions', data: news.told });
    assert.equal((await this.#instructions?.news(this.work.view))?.told, undefined, 'news are told once');
  }

  #write(path: string, version: number | undefined): void {
    if (version === undefined) {
      this.now.delete(path);
      this.#files.delete(path);
      return;
    }
    this.now.set(path, textOf(path, version));
    this.#files.set(path, textOf(path, version));
  }
}

test('whatever is touched, changed, compacted, cut back and gone on with, each file is in force exactly once', async (context) => {
  const { inForce } = await loadInstructions();
  await holds(context, fc.array(step, { maxLength: 25 }), 300, async (steps) => {
    const journey = new Journey();
    const { work, now } = journey;
    await journey.begin();
    for (const each of steps) {
      await journey.go(each);
      const { touched } = work.view.transcript;
      const expected = [...now.keys()].filter((path) => applies(path, touched)).toSorted();
      assert.deepEqual([...inForce(work.view).keys()].toSorted(), expected);
      for (const path of expected) assert.equal(count(work.said(), now.get(path) ?? ''), 1, path);
      const all = owners.flatMap((path) => [0, 1, 2].map((version) => textOf(path, version)));
      for (const text of all) assert.ok(count(work.said(), text) <= 1, `${text} stands twice`);
    }
  });
});
