import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { loadMap, type Question } from '../../src/map/index.ts';
import { holds, patience } from '../support/property.ts';

const { mapOf } = await loadMap();

/** What a file defines, what of that no other file can mention, and what it mentions itself. */
interface Written {
  hides?: readonly string[];
  defines?: readonly string[];
  mentions?: readonly string[];
}

type Index = Parameters<typeof mapOf>[0];

function indexOf(files: { readonly [path: string]: Written }): Index {
  const names: string[] = [];
  const placeOf = (name: string): number => (names.includes(name) ? names.indexOf(name) + 1 : names.push(name));
  const indexed = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    names,
    files: indexed.map(([path, { defines = [], hides = [], mentions = [] }]) => ({
      path,
      definitions: defines.map((name, index) => ({
        name,
        kind: 'function' as const,
        line: index * 10 + 1,
        depth: 0,
        signature: `export function ${name}()`,
      })),
      mentioned: defines.map((name) => (hides.includes(name) ? 0 : placeOf(name))),
      references: mentions.map(placeOf),
    })),
  };
}

const mapped = (
  files: Parameters<typeof indexOf>[0],
  question: Question & { tokens?: number; hidden?: string } = {},
) => {
  const { tokens = 1_000, hidden, ...asked } = question;
  return mapOf(indexOf(files), { tokens, mayShow: (path) => path !== hidden, ...asked });
};

/** The smallest map that shows anything. */
function firstOf(make: (tokens: number) => ReturnType<typeof mapped>) {
  const maps = Array.from({ length: 60 }, (_, tokens) => make(tokens + 1));
  return maps.find(({ symbols }) => symbols > 0) ?? make(1);
}

/** A repository around one file that all others mention. */
const repository = {
  'src/hub.ts': { defines: ['openStore'] },
  'src/orders.ts': { defines: ['readOrders', 'writeOrders'], mentions: ['openStore', 'parsePrice'] },
  'src/price.ts': { defines: ['parsePrice'], mentions: ['openStore'] },
  'src/lonely.ts': { defines: ['lonelyThing'], mentions: ['openStore'] },
  'lib/deep/retry_later.ts': { defines: ['again'], mentions: ['openStore', 'readOrders'] },
};

describe('what comes first', () => {
  const cases: [string, Question, string][] = [
    ['what most mention, where nothing is asked for', {}, 'src/hub.ts'],
    ['a symbol that is named', { words: ['lonelyThing'] }, 'src/lonely.ts'],
    ['a symbol that a task names as code', { task: 'Why is lonelyThing slow?' }, 'src/lonely.ts'],
    ['a symbol in backquotes', { task: 'Why is `again` slow?' }, 'lib/deep/retry_later.ts'],
    ['a file that is named by its path', { paths: ['src/lonely.ts'] }, 'src/lonely.ts'],
    ['a file that a task names by its end', { task: 'see deep/retry_later.ts, please.' }, 'lib/deep/retry_later.ts'],
    ['a file that is named without its ending', { task: 'look into src/lonely' }, 'src/lonely.ts'],
    ['a folder that is named', { paths: ['./lib/'] }, 'lib/deep/retry_later.ts'],
    ['a word in a name', { words: ['price'] }, 'src/price.ts'],
    ['a word in a path, in another form of it', { words: ['retries'] }, 'lib/deep/retry_later.ts'],
    ['no word that only begins alike', { words: ['retreat'] }, 'src/hub.ts'],
    ['what is known mentions', { known: ['src/orders.ts'] }, 'src/hub.ts'],
  ];
  for (const [name, question, path] of cases) {
    test(name, () => {
      assert.deepEqual(firstOf((tokens) => mapped(repository, { ...question, tokens })).paths, [path]);
    });
  }

  test('a name that only its own file can see, or that everybody has, makes nothing important', () => {
    const many = Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [
        `m${index}.py`,
        { defines: ['main'], mentions: ['main', 'usefulThing'] },
      ]),
    );
    const files = {
      ...many,
      'z.py': { defines: ['usefulThing'] },
      'a.ts': { defines: ['localName'], hides: ['localName'] },
      'b.ts': { mentions: ['localName'] },
    };
    const first = firstOf((tokens) => mapped(files, { tokens }));
    assert.equal(first.text, 'z.py\n 1: export function usefulThing()');
  });

  test('a name that a file defines itself is its own there', () => {
    const { paths } = firstOf((tokens) =>
      mapped(
        {
          'a.ts': { defines: ['sharedName'], mentions: ['sharedName'] },
          'b.ts': { defines: ['sharedName'], mentions: ['sharedName'] },
          'c.ts': { defines: ['otherName'] },
          'd.ts': { mentions: ['otherName'] },
        },
        { tokens },
      ),
    );
    assert.deepEqual(paths, ['c.ts']);
  });

  test('of two that are mentioned alike, what does something comes before a constant', () => {
    const { names, files } = indexOf({
      'a.ts': { defines: ['theLimit', 'theFunction'] },
      'b.ts': { mentions: ['theLimit', 'theFunction'] },
    });
    const [first, ...others] = files;
    const [limit, action] = first!.definitions;
    const definitions = [{ ...limit!, kind: 'constant' as const }, action!];
    const index = { names, files: [{ ...first!, definitions }, ...others] };
    const { text } = firstOf((tokens) => mapOf(index, { tokens, mayShow: () => true }));
    assert.equal(text, 'a.ts\n 11: export function theFunction()');
  });

  test('names of one language say nothing of another', () => {
    const { paths } = mapped(
      {
        'a.go': { defines: ['SharedThing'] },
        'b.py': { mentions: ['SharedThing'] },
        'c.py': { defines: ['OwnThing'] },
        'd.py': { mentions: ['OwnThing'] },
      },
      { tokens: 20 },
    );
    assert.deepEqual(paths, ['c.py']);
  });
});

test('files are told in the order of their paths, symbols by line, with what they stand in', () => {
  const index = indexOf({ 'b.ts': { defines: ['Outer', 'inner', 'other'] }, 'a.ts': { defines: ['first'] } });
  const [first, second] = index.files;
  const [outer, inner, other] = second!.definitions;
  const definitions = [
    { ...outer!, signature: 'export class Outer' },
    { ...inner!, depth: 1, signature: 'inner()' },
    other!,
  ];
  const files = [first!, { ...second!, definitions }];
  const whole = mapOf({ ...index, files }, { tokens: 1_000, mayShow: () => true });
  assert.equal(
    whole.text,
    'a.ts\n 1: export function first()\nb.ts\n 1: export class Outer\n 11:   inner()\n 21: export function other()',
  );
  assert.deepEqual(whole.all, { files: 2, symbols: 4 });
  const small = mapOf({ ...index, files }, { tokens: 22, words: ['inner'], mayShow: () => true });
  assert.equal(small.text, 'b.ts\n 1: export class Outer\n 11:   inner()');
});

test('of nothing there is an empty map, and no question breaks it', () => {
  for (const question of [
    {},
    { words: [''] },
    { task: '/// ` ``` ((( \\ [a-z]+ $& .* \u0000' },
    { paths: ['', '/', '..'] },
    { words: ['(?<a', '__proto__', 'constructor'] },
  ]) {
    assert.equal(mapped({}, question).text, '');
    assert.ok(mapped(repository, question).paths.length > 0);
  }
  assert.equal(mapped(repository, { tokens: 1 }).text, '');
});

/** Of the kind that tokens are made for. */
const words =
  'read write order price store session token parse merge report user path limit value error open first last'.split(
    ' ',
  );
const title = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
const word = fc
  .tuple(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([parts, snake]) =>
    snake ? parts.join('_') : parts.map((part, at) => (at === 0 ? part : title(part))).join(''),
  );
const path = fc
  .tuple(
    fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('ts', 'py', 'go', 'rs', 'java'),
  )
  .map(([parts, extension]) => `${parts.join('/')}.${extension}`);
const repositories = fc.uniqueArray(word, { minLength: 2, maxLength: 30 }).chain((names) =>
  fc.dictionary(path, fc.record({ defines: fc.subarray(names), mentions: fc.subarray(names) }), {
    minKeys: 1,
    maxKeys: 25,
  }),
);

test(
  'a map never has more tokens than it may, is the same each time, and holds what few are named',
  { timeout: patience },
  async (t) => {
    const asked = fc.record({
      files: repositories,
      tokens: fc.integer({ min: 1, max: 600 }),
      pick: fc.nat(),
      extra: word,
    });
    await holds(t, asked, 60, async ({ files, tokens, pick, extra }) => {
      const map = mapped(files, { tokens });
      assert.ok(encode(map.text).length <= tokens, `${encode(map.text).length} of ${tokens}`);
      assert.deepEqual(mapped(files, { tokens }), map);
      // In whatever order files and names came.
      assert.deepEqual(mapped(Object.fromEntries(Object.entries(files).toReversed()), { tokens }).text, map.text);
      // A file that has to do with nothing changes nothing of what can be asked for.
      const more = { ...files, 'zz/extra.rb': { defines: [`${extra}Unrelated`] } };
      assert.ok(mapped(more, { tokens: 5_000 }).paths.includes('zz/extra.rb'));
      const [hidden = ''] = Object.keys(files);
      assert.ok(!mapped(files, { tokens: 5_000, hidden }).paths.includes(hidden));
      const all = Object.entries(files).flatMap(([file, { defines }]) => defines.map((name) => ({ file, name })));
      const named = all[pick % Math.max(1, all.length)];
      const namesakes = all.filter(({ name }) => name === named?.name);
      if (named === undefined || namesakes.length > 5) return;
      const { paths } = mapped(files, { tokens: 400, words: [named.name] });
      for (const { file } of namesakes) assert.ok(paths.includes(file), `${named.name} of ${file}`);
    });
  },
);
