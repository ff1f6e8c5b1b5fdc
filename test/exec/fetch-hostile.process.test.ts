/** Pages that are made to hang, to crash or to fill the memory of whoever reads them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import type { FetcherOptions } from '../../src/exec/fetch/index.ts';
import * as fc from 'fast-check';
import { holds, patience } from '../support/property.ts';
import { always, fetcherHere, never, pageFrom, site } from './web.ts';

const limits: FetcherOptions['limits'] = { layoutTime: 2_000, layoutMemory: 64 };
const html = { 'content-type': 'text/html; charset=utf-8' };
const note = /^\[This page could not be laid out within the limits of time and memory; this is its bare text\.\]\n/;

const numbered = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('');

/** Ends in an `end` of its own, which must be read whatever happens. */
const hostile: [name: string, body: string][] = [
  ['elements nested 100,000 deep', `${'<div>'.repeat(100_000)}end`],
  ['elements nested 700,000 deep', `${'<div>'.repeat(700_000)}end`],
  ['bold text nested 50,000 deep', `${'<b>'.repeat(50_000)}end`],
  ['lists nested 50,000 deep', `${'<ul><li>'.repeat(50_000)}end`],
  ['tables nested 20,000 deep', `${'<table><tr><td>'.repeat(20_000)}end`],
  [
    'formatting that each paragraph repeats',
    `${numbered(20_000, (index) => `<b id=${index}>`)}${'<p>'.repeat(20_000)}end`,
  ],
  ['500,000 links in each other', `${'<a>'.repeat(500_000)}end`],
  ['300,000 attributes', `<p ${numbered(300_000, (index) => `a${index}=1 `)}>end`],
  ['300,000 cells in a row', `<table><tr>${'<td>x'.repeat(300_000)}end`],
  ['200,000 spans in a row', `${'<span>x</span>'.repeat(200_000)}end`],
  ['millions of blanks in a block of code', `<pre>${' '.repeat(4_000_000)}x</pre>end`],
  ['blanks that don’t break', `<i>${'\u00a0 '.repeat(200_000)}</i>end`],
];

const harmless: [name: string, body: string][] = [
  ['a cell over a thousand million columns', '<table><tr><td colspan=1000000000>a<td>b</table>end'],
  ['a million of opening signs', `${'<'.repeat(1_000_000)} end`],
  ['comments that begin again and again', `end${'<!--'.repeat(1_000_000)}`],
  ['scripts that begin again and again', `end${'<script>'.repeat(500_000)}`],
  ['a list that starts at infinity', '<ol start="1e999"><li>end</ol>'],
  ['a style without an end', `<p style="${'opacity:0'.repeat(200_000)}.">x</p>end`],
  ['a million references', `${'&#x41;'.repeat(500_000)}end`],
];

describe('a hostile page', () => {
  for (const [name, body] of hostile) {
    test(`with ${name} gives its bare text in time, and holds up nothing else`, async (t) => {
      const server = await site(t, always(body, html));
      const delay = monitorEventLoopDelay({ resolution: 20 });
      delay.enable();
      const started = performance.now();
      const page = await pageFrom(server, '/', { limits });
      const elapsed = performance.now() - started;
      delay.disable();
      assert.ok(note.test(page.text));
      assert.ok(page.text.endsWith('end'));
      assert.ok(elapsed < 15_000, `${elapsed} ms`);
      assert.ok(delay.max / 1e6 < 2_000, `the process stood still for ${delay.max / 1e6} ms`);
    });
  }

  for (const [name, body] of harmless) {
    test(`with ${name} is a page like any other`, async (t) => {
      const server = await site(t, always(body, html));
      const page = await pageFrom(server);
      assert.ok(!note.test(page.text));
      assert.ok(page.text.includes('end'));
    });
  }

  test('takes no more memory than it may, and leaves none behind', async (t) => {
    const server = await site(t, always(`${'<a>'.repeat(900_000)}end`, html));
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10);
    for (let round = 0; round < 3; round += 1) await pageFrom(server, `/${round}`, { limits });
    clearInterval(watch);
    assert.ok(most - before < 300e6, `${(most - before) / 1e6} MB more`);
  });

  test('is left at once with an abort, and isn’t kept', async (t) => {
    let body = `${'<div>'.repeat(100_000)}end`;
    const server = await site(t, (request, response) => always(body, html)(request, response));
    const fetcher = fetcherHere({ hosts: [`site.test:${server.port}`], limits: { layoutTime: 60_000 } });
    const abort = new AbortController();
    let abortedAt = 0;
    process.once('worker', (worker: Worker) => {
      worker.once('online', () => {
        abortedAt = performance.now();
        abort.abort();
      });
    });
    const outcome = fetcher.fetch(`http://site.test:${server.port}/`, abort.signal);
    assert.deepEqual(await outcome, { refused: 'Nothing was fetched.' });
    assert.ok(performance.now() - abortedAt < 10_000);
    body = '<p>now short';
    const again = await fetcher.fetch(`http://site.test:${server.port}/`, never);
    assert.equal('text' in again && again.text, 'now short');
  });
});

describe('a page of any bytes', () => {
  test('is a page all the same', { timeout: patience }, async (t) => {
    const tags = fc.constantFrom(
      '<p>',
      '</p>',
      '<table>',
      '<td>',
      '<tr>',
      '<a href="',
      '">',
      '<li>',
      '<ol start=',
      '<pre>',
      '<svg>',
      '<![CDATA[',
      '&#',
      '<!',
      '\0',
      'a',
      ' ',
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 500 }).map((value) => Buffer.from(value)),
      fc.array(tags, { maxLength: 200 }).map((parts) => Buffer.from(parts.join(''))),
    );
    const type = fc.constantFrom(
      'text/html',
      'text/html; charset=shift_jis',
      'text/plain; charset=utf-16',
      '',
      'application/json',
    );
    let body: Buffer = Buffer.alloc(0);
    let contentType = '';
    const server = await site(t, (request, response) =>
      always(body, { 'content-type': contentType })(request, response),
    );
    await holds(t, fc.tuple(bytes, type), 60, async ([value, named]) => {
      [body, contentType] = [value, named];
      const page = await pageFrom(server);
      assert.equal(page.bytes, body.length);
      assert.ok(!page.text.startsWith('[This page could not'));
    });
  });
});

describe('the bare text of a page', () => {
  test('has its lines, without what isn’t read', async (t) => {
    const body = `${'<div>'.repeat(100_000)}<head><title>no</title></head><h1>Top</h1><script>no</script><STYLE>no</STYLE ><!-- no --><p>a &lt;b&gt; &amp;amp; &#65;&#x42; &#x110000; &nope;<b>c</b><span>d</span>  1 < 2</p><svg>no</svg>
      <ul><li>one<li>two</ul>`;
    const server = await site(t, always(body, html));
    const { text } = await pageFrom(server, '/', { limits });
    assert.equal(text.replace(note, ''), 'Top\n\na <b> &amp; AB &#x110000; &nope;cd 1 < 2\n\none\ntwo');
  });
});
