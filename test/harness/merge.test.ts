import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { array, assert as assertProperty, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { mergeTexts } from '../../src/harness/undo/merge.ts';

const merge = async (base: string, ours: string, theirs: string): Promise<string | undefined> =>
  (await mergeTexts(Buffer.from(base), Buffer.from(ours), Buffer.from(theirs)))?.toString();

const text = array(constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd'), { maxLength: 12 }).map((lines) => lines.join(''));

/** What becomes of one line of the base, and by whom: so many lines instead of it. */
const lineChange = record({ by: constantFrom('nobody', 'ours', 'theirs'), lines: integer({ min: 0, max: 2 }) });

const written = (by: string, at: number, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `${by} ${at} ${line}\n`).join('');

const isOpposite = (one: string, other: string | undefined): boolean =>
  (one === 'ours' && other === 'theirs') || (one === 'theirs' && other === 'ours');

describe('two changes of one text', () => {
  test('in different places are put together', async () => {
    assert.equal(await merge('1\n2\n3\n4\n5\n', 'one\n2\n3\n4\n5\n', '1\n2\n3\n4\nfive\n'), 'one\n2\n3\n4\nfive\n');
    assert.equal(await merge('1\n2\n3\n', '0\n1\n2\n3\n', '1\n2\n'), '0\n1\n2\n');
  });

  test('of very many lines are put together, too', async () => {
    const lines = '\n'.repeat(200_000);
    assert.equal(await merge(`1\n${lines}2\n`, `x\n${lines}2\n`, `1\n${lines}y\n`), `x\n${lines}y\n`);
  });

  test('of the same line, of neighbouring lines and of one place are a conflict', async () => {
    assert.equal(await merge('1\n2\n3\n', 'a\n2\n3\n', 'b\n2\n3\n'), undefined);
    assert.equal(await merge('1\n2\n3\n', 'a\n2\n3\n', '1\nb\n3\n'), undefined);
    assert.equal(await merge('1\n2\n', '1\nx\n2\n', '1\ny\n2\n'), undefined);
  });

  test('that are the same are one change', async () => {
    assert.equal(await merge('1\n2\n3\n', 'x\n2\n3\n', 'x\n2\n3\n'), 'x\n2\n3\n');
    assert.equal(await merge('1\n2\n3\n4\n', 'x\n2\n3\n4\n', 'x\n2\n3\ny\n'), 'x\n2\n3\ny\n');
  });

  test('keep line ends, a missing last one and bytes of any encoding', async () => {
    const base = Buffer.from([0x31, 0x0d, 0x0a, 0xe9, 0x0a, 0x33]);
    const ours = Buffer.from([0x78, 0x0d, 0x0a, 0xe9, 0x0a, 0x33]);
    const theirs = Buffer.from([0x31, 0x0d, 0x0a, 0xe9, 0x0a, 0x34]);
    assert.deepEqual(await mergeTexts(base, ours, theirs), Buffer.from([0x78, 0x0d, 0x0a, 0xe9, 0x0a, 0x34]));
  });

  test('in a binary file are a conflict', async () => {
    assert.equal(await merge('\0 1\n2\n3\n', '\0 x\n2\n3\n', '\0 1\n2\ny\n'), undefined);
  });

  test('one of which changed nothing give the other, whatever it is', async () => {
    await assertProperty(
      asyncProperty(text, text, async (base, changed) => {
        assert.equal(await merge(base, base, changed), changed);
        assert.equal(await merge(base, changed, base), changed);
        assert.equal(await merge(base, changed, changed), changed);
      }),
    );
  });

  test('give the same whichever comes first', async () => {
    await assertProperty(
      asyncProperty(text, text, text, async (base, ours, theirs) => {
        assert.equal(await merge(base, theirs, ours), await merge(base, ours, theirs));
      }),
    );
  });

  test('of lines that are told apart are both there, and going back takes only one away', async () => {
    await assertProperty(
      asyncProperty(array(lineChange, { maxLength: 20 }), async (changes) => {
        const textWith = (...authors: string[]): string =>
          changes.map(({ by, lines }, at) => (authors.includes(by) ? written(by, at, lines) : `${at}\n`)).join('');
        const [base, ours, theirs] = [textWith(), textWith('ours'), textWith('theirs')];
        const touch = changes.some(({ by }, at) => at > 0 && isOpposite(by, changes[at - 1]?.by));
        const both = touch ? undefined : textWith('ours', 'theirs');
        assert.equal(await merge(base, ours, theirs), both);
        if (both === undefined) return;
        assert.equal(await merge(theirs, both, base), ours);
        assert.equal(await merge(ours, both, base), theirs);
      }),
    );
  });
});
