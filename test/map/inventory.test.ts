import assert from 'node:assert/strict';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadMap } from '../../src/map/index.ts';
import { samples } from './samples.ts';
import { mapGround, signaturesOf, symbolsOf } from './sources.ts';

const { mapOf } = await loadMap();
const all = { tokens: 100_000, mayShow: () => true };

/** Files that mention and are mentioned. */
const mentioning = {
  'm/a.ts': `export function open() {}
const own = 1;
class Inner { held() {} }
export class Outer { seen() {} private unseen() {} #never() {} }
`,
  'm/a.java': 'public class A { private int own() { return 1; } public int seen() { return 1; } }\n',
  'm/a.c': 'static int own(void) { return 1; }\nint open(void) { return 1; }\n',
  'm/b.ts': `import { open, taken as other } from './a.ts'; // comment
/* block */ const text = "string" + 'quote' + open({ key: value, other }); x.member; ...spread;
`,
  'm/c.js': 'function listed() {}\nmodule.exports = { listed };\n',
  'm/b.py': '"""doc\nstring"""\nopen(value)  # comment\n',
  'm/b.rs': `fn f<'life>(x: &'life str) { call('c', "text") }\n`,
};

test('what is known of files of each language', async (t) => {
  const texts = Object.fromEntries(Object.entries(samples).map(([path, { text }]) => [path, text]));
  const ground = await mapGround(t, { ...texts, ...mentioning });
  const inventory = await ground.inventory();
  assert.deepEqual(inventory.leftOut, []);

  for (const [path, { shown }] of Object.entries(samples)) {
    await t.test(`${path}: definitions as they are written, by line, below those that they stand in`, () => {
      const { text } = mapOf(inventory, { ...all, mayShow: (each) => each === path });
      assert.deepEqual(text.split('\n'), [path, ...shown.map((line) => ` ${line}`)]);
    });
  }

  await t.test(
    'what no other file can name is mentioned by none, members are told from names, comments and strings left out',
    () => {
      const { files, names } = inventory;
      const namesAt = (places: ArrayLike<number>) => Array.from(places, (place) => names[place - 1] ?? '-').join(' ');
      const found = (path: string) => files.find((file) => file.path === path) ?? assert.fail(path);
      const mentioned = (path: string) => namesAt(found(path).mentioned);
      assert.equal(mentioned('m/a.ts'), 'open - - - Outer .seen -');
      assert.equal(mentioned('m/c.js'), 'listed');
      assert.equal(mentioned('m/a.java'), 'A - seen');
      assert.equal(mentioned('m/a.c'), '- open');
      const mentions = (path: string) => namesAt(found(path).references);
      assert.equal(mentions('m/b.ts'), 'open taken other text value .member spread');
      assert.equal(mentions('m/b.py'), 'open value');
      assert.equal(mentions('m/b.rs'), 'life str call');
    },
  );
});

describe('the second look', () => {
  const files = { 'a.ts': 'export function first() {}\n', 'b.ts': 'export function second() {}\n' };

  test('takes only what has changed since, and forgets what is gone', async (t) => {
    const ground = await mapGround(t, files);
    assert.equal((await ground.inventory()).anew, 2);
    // What was looked at right after it had changed is looked at once more, and then known.
    let known = await ground.inventory();
    for (let look = 0; look < 50 && known.anew > 0; look += 1) known = await ground.inventory();
    assert.equal(known.anew, 0);
    assert.deepEqual(symbolsOf(known, 'a.ts'), ['1 0 function first']);
    ground.write('b.ts', 'export function other() {}\nexport class More {}\n');
    ground.write('c.py', 'def third(): pass\n');
    rmSync(join(ground.workspace, 'a.ts'));
    const later = await ground.inventory();
    assert.equal(later.anew, 2);
    assert.deepEqual(
      later.files.map(({ path }) => path),
      ['b.ts', 'c.py'],
    );
    assert.deepEqual(symbolsOf(later, 'b.ts'), ['1 0 function other', '2 0 class More']);
    assert.ok(!readFileSync(ground.index()).includes('first'));
  });

  test('sees a change of the same length right after the first, whatever its time says', async (t) => {
    const ground = await mapGround(t, files);
    const path = join(ground.workspace, 'a.ts');
    const now = Date.now() / 1000;
    utimesSync(path, now, now);
    await ground.inventory();
    writeFileSync(path, 'export function fresh() {}\n');
    utimesSync(path, now, now);
    assert.deepEqual(symbolsOf(await ground.inventory(), 'a.ts'), ['1 0 function fresh']);
  });

  test('makes an index anew that is damaged, cut, of another kind, or not there', async (t) => {
    const ground = await mapGround(t, files);
    let known = await ground.inventory();
    for (let look = 0; look < 50 && known.anew > 0; look += 1) known = await ground.inventory();
    // Without time for a look there is what the index holds.
    const held = async (index: Uint8Array): Promise<number> => {
      writeFileSync(ground.index(), index);
      return (await ground.inventory({ timeLimit: 0 })).files.length;
    };
    const whole = readFileSync(ground.index());
    const flipped = Buffer.from(whole);
    flipped[whole.length - 20] = (flipped[whole.length - 20] ?? 0) ^ 1;
    const damages = [
      flipped,
      whole.subarray(0, -1),
      whole.subarray(0, 40),
      Buffer.from('{"version":1}\n'),
      Buffer.alloc(0),
    ];
    for (const damage of damages) assert.equal(await held(damage), 0);
    assert.equal(await held(whole), 2);
    // What could not be listed this time is not forgotten.
    const list = async () => ({ paths: ['a.ts'], total: 1, incomplete: 'stopped' });
    assert.equal((await ground.inventory({ list })).files.length, 1);
    assert.equal((await ground.inventory({ timeLimit: 0 })).files.length, 2);
    writeFileSync(ground.index(), flipped);
    assert.equal((await ground.inventory()).files.length, 2);
    assert.ok(readFileSync(ground.index()).length > 100);
  });

  test('works without a folder for its index', async (t) => {
    const ground = await mapGround(t, { 'a.ts': 'export function first() {}\n' });
    const blocked = join(ground.workspace, 'a.ts', 'maps');
    assert.equal((await ground.inventory({ folder: blocked })).files.length, 1);
    assert.deepEqual((await ground.inventory({ list: async () => ({ paths: [], total: 0 }) })).files, []);
  });
});

describe('a repository that means harm', () => {
  test('is read within its own folder, as text of a bearable size, and what is left out is told', async (t) => {
    const ground = await mapGround(t, {
      'good.ts': 'export function good() {}\n',
      'deep.ts': `export function deep() { ${'{\n'.repeat(20_000)}${'}\n'.repeat(20_000)} }\n`,
      'broken.py': 'def ok(): pass\nclass (((:\n  def inside(self: pass\n',
      'many.js': Array.from({ length: 2_000 }, (_, index) => `function f${index}() {}\n`).join(''),
    });
    ground.write('binary.ts', Buffer.from('export const a\0b = 1;'));
    ground.write('long.js', `var a = "${'x'.repeat(6_000)}";\n`);
    ground.write('large.ts', '// word\n'.repeat(40_000));
    ground.write(
      'wide.ts',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('export class Wide {}\n', 'utf16le')]),
    );
    ground.write('latin.py', Buffer.from('def caf\xe9(): pass\n', 'latin1'));
    ground.write('esc.ts', 'export function esc(a = "\u001b[31m\u202e") {}\n');
    ground.write('two\nlines.ts', 'export function lines() {}\n');
    const outside = join(ground.folder, '..', 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.ts'), 'export const outsideSecret = 1;\n');
    symlinkSync(join(outside, 'secret.ts'), join(ground.workspace, 'link.ts'));
    symlinkSync(outside, join(ground.workspace, 'folder'));
    linkSync(join(ground.workspace, 'good.ts'), join(ground.workspace, 'same.ts'));
    const listed = ['folder/secret.ts', '../outside/secret.ts', 'link.ts', 'gone.ts'];
    const inventory = await ground.inventory();
    const told = inventory.leftOut.map(({ path, why }) => `${path} ${why}`).toSorted();
    assert.deepEqual(told, ['binary.ts binary', 'folder/secret.ts unreadable', 'large.ts large', 'long.js generated']);
    const paths = inventory.files.filter(({ definitions }) => definitions.length > 0).map(({ path }) => path);
    assert.deepEqual(paths, ['broken.py', 'deep.ts', 'esc.ts', 'good.ts', 'latin.py', 'many.js', 'same.ts', 'wide.ts']);
    assert.deepEqual(signaturesOf(inventory, 'wide.ts'), ['export class Wide']);
    assert.equal(signaturesOf(inventory, 'many.js').length, 500);
    // Also where something else than a search says that they are there.
    const named = await ground.inventory({ list: async () => ({ paths: listed, total: 4 }) });
    assert.deepEqual([named.files, named.leftOut], [[], [{ path: 'folder/secret.ts', why: 'unreadable' }]]);
  });

  test('what may not be read is in no map, and nothing of it is kept', async (t) => {
    const ground = await mapGround(t, {
      'a.ts': 'export function seen() {}\n',
      'keys/b.ts': 'export function hiddenName() {}\n',
    });
    ground.write('keys/large.ts', '// word\n'.repeat(40_000));
    ground.write('keys/binary.ts', Buffer.from('export const a\0b = 1;'));
    const mayRead = (path: string): boolean => !path.startsWith('keys/');
    const inventory = await ground.inventory({ mayRead });
    assert.deepEqual([inventory.denied, inventory.leftOut], [3, []]);
    assert.ok(!readFileSync(ground.index()).includes('hiddenName'));
    // What was read before, under other rules, isn't shown either.
    const before = await ground.inventory();
    assert.equal(before.leftOut.length, 2);
    assert.deepEqual((await ground.inventory({ mayRead })).leftOut, []);
    const { text } = mapOf(before, { ...all, words: ['hiddenName'], mayShow: mayRead });
    assert.equal(text, 'a.ts\n 1: export function seen()');
  });

  test('long texts in signatures are left out, which could be passwords', async (t) => {
    const ground = await mapGround(t, {
      'a.py': `def a(key="q8Zr2LmT5vXw9KpB3nYd", mode='short'): pass\nTOKEN = "q8Zr2LmT5vXw9KpB3nYd"\n`,
      'b.rs': `fn b(x: &'static str) {}\nconst T: &str = "q8Zr2LmT5vXw9KpB3nYd";\n`,
    });
    const inventory = await ground.inventory();
    assert.deepEqual(signaturesOf(inventory, 'a.py'), [`def a(key="...", mode='short')`, 'TOKEN']);
    assert.ok(!readFileSync(ground.index()).includes('q8Zr2LmT5vXw9KpB3nYd'));
  });

  test('a cancel and the end of the time leave out what was not looked at, and a next look takes it', async (t) => {
    const ground = await mapGround(t, { 'a.ts': 'export function a() {}\n', 'b.ts': 'export function b() {}\n' });
    for (const late of [await ground.inventory({ timeLimit: 0 }), await ground.inventory({}, AbortSignal.abort())]) {
      assert.deepEqual(late.leftOut, [
        { path: 'a.ts', why: 'late' },
        { path: 'b.ts', why: 'late' },
      ]);
    }
    assert.equal((await ground.inventory()).files.length, 2);
  });
});

test('the least used indexes of many workspaces are removed', async (t) => {
  const ground = await mapGround(t, { 'a.ts': 'export function a() {}\n' });
  mkdirSync(ground.folder, { recursive: true });
  const others = Array.from({ length: 25 }, (_, index) => join(ground.folder, `${index}.map`));
  for (const other of others) {
    writeFileSync(other, '');
    utimesSync(other, 1_700_000_000, 1_700_000_000);
  }
  await ground.inventory();
  assert.equal(readdirSync(ground.folder).length, 20);
});
