import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pdf } from './pdf-files.ts';
import { toolSession } from './session.ts';

async function look(bytes: Buffer, args: { offset?: number; limit?: number } = {}, name = 'a.pdf') {
  await using session = await toolSession({ files: { [name]: bytes } });
  return await session.call('read', { path: name, ...args });
}

describe('read: PDF', () => {
  test('the text comes page by page, in numbered lines that aren’t the file’s own', async () => {
    const file = pdf(['Hello (world)\nsecond line', 'page two']);
    const result = await look(file);
    assert.equal(result.outcome, 'ok');
    assert.equal(
      result.text,
      `a.pdf is a PDF of 2 pages and ${file.length} bytes; this is its text, which can’t be edited.
1\t[Page 1 of 2]
2\tHello (world)
3\tsecond line
4\t[Page 2 of 2]
5\tpage two`,
    );
    assert.equal(result.facts, undefined);
  });

  test('windows go by the lines that are shown', async () => {
    const file = pdf(['one\ntwo\nthree', 'four']);
    const window = await look(file, { offset: 3, limit: 2 });
    assert.match(window.text, /can’t be edited\.\n3\ttwo\n4\tthree\n\[Lines 3-4 of 6\. Go on with offset 5\.\]$/);
    assert.match((await look(file, { offset: 6 })).text, /\n6\tfour\n\[Lines 6-6 of 6\. This is the end\.\]$/);
    const beyond = await look(file, { offset: 7 });
    assert.equal(beyond.outcome, 'error');
    assert.match(beyond.text, /^The text of a\.pdf has only 6 lines\.$/);
  });

  test('one that is encrypted, damaged or cut off is said to be so and described', async () => {
    const encrypted = pdf(['secret'], { encrypted: true });
    assert.equal(
      (await look(encrypted)).text,
      `a.pdf begins as a PDF and has ${encrypted.length} bytes, but it is encrypted and opens only with a password. It isn’t shown.`,
    );
    assert.match((await look(pdf(['one']).subarray(0, 60))).text, /60 bytes, but it is damaged or no PDF after all/);
    const text = await look(Buffer.from('%PDF-1.4 is how they begin\n'), {}, 'notes.txt');
    assert.match(
      text.text,
      /^1\t%PDF-1\.4 is how they begin\n\[notes\.txt begins as a PDF and has 27 bytes, but it is damaged or no PDF/,
    );
  });

  test('pages without text are said to have none', async () => {
    assert.match(
      (await look(pdf(['', '']))).text,
      /is a PDF of 2 pages and [\d,]+ bytes\. Its pages hold no text: they may be pictures/,
    );
  });

  test('what a page says is harmless to a terminal', async () => {
    const result = await look(pdf(['red \x1b[31m text']));
    assert.doesNotMatch(result.text, /\x1b/);
  });

  test('bytes before the beginning are allowed in a file of that name only', async () => {
    const late = Buffer.concat([Buffer.from('\0\0junk\n'), pdf(['one'])]);
    assert.match((await look(late)).text, /is a PDF of 1 page/);
    assert.match((await look(late, {}, 'a.bin')).text, /^a\.bin is binary/);
  });
});
