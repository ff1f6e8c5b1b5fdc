import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { readPdf } from '../../src/tools/content/index.ts';
import { pdf } from './pdf-files.ts';
import { toolSession } from './session.ts';

const never = new AbortController().signal;
/** A page of very many words, in few bytes. */
const words = [Buffer.from('BT /F1 12 Tf '), Buffer.alloc(100_000_000, '(word) Tj '), Buffer.from('ET')];
const endless = { content: deflateSync(Buffer.concat(words), { level: 1 }), filter: 'FlateDecode' };

describe('the limits of reading a PDF', () => {
  test('more than 30 MB are not read', async () => {
    const large = Buffer.concat([pdf(['one']), Buffer.alloc(30 * 1024 * 1024)]);
    const report = await readPdf(large, { signal: never });
    assert.match('problem' in report ? report.problem : '', /more than 30 MB/);
    const allowed = Buffer.concat([pdf(['one']), Buffer.alloc(30 * 1024 * 1024 - pdf(['one']).length, '\n')]);
    assert.deepEqual(await readPdf(allowed, { signal: never }), { of: 1, pages: ['one'] });
  });

  test('time is limited; pages that were read by then are shown', async () => {
    const pages = await readPdf(pdf(['one', endless, 'three']), { signal: never, limit: 2500 });
    assert.ok('pages' in pages, JSON.stringify(pages));
    assert.deepEqual([pages.of, pages.pages], [3, ['one']]);
    assert.match(pages.stopped ?? '', /that took longer than 2\.5 seconds/);
    const none = await readPdf(pdf([endless]), { signal: never, limit: 1000 });
    assert.match('problem' in none ? none.problem : '', /it couldn’t be read: that took longer than 1 seconds/);
  });

  test('a cancel ends it at once, and the next one is read', async () => {
    const cancel = new AbortController();
    const reading = readPdf(pdf([endless]), { signal: cancel.signal });
    setImmediate(() => cancel.abort());
    const cancelled = await reading;
    assert.match('problem' in cancelled ? cancelled.problem : '', /it was cancelled/);
    assert.deepEqual(await readPdf(pdf(['one']), { signal: never }), { of: 1, pages: ['one'] });
  });

  test('the process doesn’t stop for it', async () => {
    const reading = readPdf(pdf([endless]), { signal: never, limit: 600 });
    let beats = 0;
    const heart = setInterval(() => (beats += 1), 10);
    await reading;
    clearInterval(heart);
    assert.ok(beats > 20, `${beats} of 60`);
  });
});

describe('the limits of reading text', () => {
  test('nothing but line ends, as many as are read, doesn’t exhaust anything', async () => {
    await using session = await toolSession();
    const handle = await open(join(session.workspace.path, 'many'), 'w');
    await handle.write(Buffer.alloc(100 * 1024 * 1024, '\n'));
    await handle.close();
    const result = await session.call('read', { path: 'many', offset: 100_000_001, limit: 2 });
    assert.match(result.text, /^100000001\t\n100000002\t\n\[Lines 100000001-100000002 of 104857600\. Go on/);
  });
});
