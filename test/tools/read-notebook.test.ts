import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createReadTool } from '../../src/tools/builtin/read/index.ts';
import { png } from './image-files.ts';
import { toolSession } from './session.ts';

type Cell = { [field: string]: unknown };

const notebook = (cells: unknown, more: object = {}): string =>
  JSON.stringify(
    { cells, metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5, ...more },
    null,
    1,
  );
const code = (source: unknown, outputs: unknown[] = [], run: number | null = 1): Cell => ({
  cell_type: 'code',
  execution_count: run,
  metadata: {},
  outputs,
  source,
});

async function look(text: string, args: { offset?: number; limit?: number } = {}, images = true) {
  await using session = await toolSession({
    files: { 'a.ipynb': text },
    tools: [createReadTool({ tags: false, images })],
  });
  return await session.call('read', { path: 'a.ipynb', ...args });
}

describe('read: notebooks', () => {
  test('cells come with number, kind, run and the line of the file in which they begin', async () => {
    const text = notebook([
      { cell_type: 'markdown', metadata: {}, source: ['# Title\n', 'words'] },
      code('print("x")', [{ output_type: 'stream', name: 'stdout', text: ['x\n', 'y\n'] }], 5),
      code('', [], null),
    ]);
    const result = await look(text);
    assert.equal(result.outcome, 'ok');
    assert.equal(
      result.text,
      `a.ipynb is a notebook with 3 cells (python). To edit it, read its JSON, from the line of a cell with \`offset\`.
[Cell 1, markdown, line 3]
# Title
words
[Cell 2, code, run 5, line 11]
print("x")
[Output]
x
y

[Cell 3, code, line 27]`,
    );
    assert.equal(result.facts, undefined);
    for (const line of [3, 11, 27]) assert.equal(text.split('\n')[line - 1]?.trim(), '{');
  });

  test('with a window the JSON is shown, and counts as seen', async () => {
    const text = notebook([code('1 + 1')]);
    await using session = await toolSession({ files: { 'a.ipynb': text } });
    await session.call('read', { path: 'a.ipynb' });
    assert.equal(session.seen.size, 0);
    const result = await session.call('read', { path: 'a.ipynb', offset: 1 });
    assert.match(result.text, /^1\t\{\n2\t "cells": \[/);
    assert.equal([...session.seen.values()][0]?.whole, true);
  });

  test('errors come without their colours, long outputs with the middle left out', async () => {
    const outputs = [
      {
        output_type: 'error',
        ename: 'ValueError',
        evalue: 'bad',
        traceback: ['\x1b[31mTraceback\x1b[0m', 'ValueError: bad'],
      },
      { output_type: 'stream', name: 'stdout', text: 'z'.repeat(2001) },
      { output_type: 'stream', name: 'stdout', text: 'w'.repeat(2000) },
      { output_type: 'error', ename: 'KeyError', evalue: 'k' },
    ];
    const { text } = await look(notebook([code('f()', outputs)]));
    assert.match(text, /\[Error\]\nTraceback\nValueError: bad\n/);
    assert.match(text, /\[Output\]\nz{1000}\n\[\.\.\. 1 character not shown \.\.\.\]\nz{1000}\n/);
    assert.match(text, /\[Output\]\nw{2000}\n\[Error\]\nKeyError: k$/);
  });

  const picture = (width: number): Cell => ({
    output_type: 'display_data',
    data: { 'image/png': png({ width, height: 4 }).toString('base64'), 'text/plain': '<Figure>' },
  });

  test('images among the outputs are given, five at most, others are told', async () => {
    const result = await look(
      notebook([
        code(
          'plot()',
          [1, 2, 3, 4, 5, 6].map((width) => picture(width)),
        ),
      ]),
    );
    assert.equal(result.images?.length, 5);
    assert.match(result.text, /\[Output: image 1, a PNG image, 1 x 4 pixels, \d+ bytes\.\]/);
    assert.match(result.text, /\[Output: an image, \d+ bytes; only 5 are shown at once\]$/);
    const blind = await look(notebook([code('plot()', [picture(3)])]), {}, false);
    assert.equal(blind.images, undefined);
    assert.match(blind.text, /\[Output: PNG image, 3 x 4 pixels, \d+ bytes\. This model can’t see images\.\]$/);
  });

  test('an image that isn’t one, and content without words, are told', async () => {
    const outputs = [
      { output_type: 'display_data', data: { 'image/png': 'bm90IGFuIGltYWdl' } },
      { output_type: 'display_data', data: { 'application/json': { a: 1 } } },
      { output_type: 'execute_result', data: { 'text/html': '<b>x</b>', 'text/plain': ['x'] } },
      { output_type: 'display_data', data: {} },
    ];
    const { text } = await look(notebook([code('x', outputs)]));
    assert.match(
      text,
      /\[Output: said to be an image, 12 bytes, but it isn’t one\]\n\[Output: application\/json, 7 characters\]\n\[Output\]\nx$/,
    );
  });

  test('a long one is cut between cells and says where to go on in the JSON', async () => {
    const cells = Array.from({ length: 40 }, (_, index) => code(`${index}`.repeat(3000).slice(0, 4000)));
    const text = notebook(cells);
    const result = await look(text);
    assert.ok(result.text.length <= 100_000);
    const [, shown, offset] =
      /\[Cells 1-(\d+) of 40\. Go on with offset (\d+), which shows its JSON\.\]$/.exec(result.text) ?? [];
    assert.match(result.text, new RegExp(`\\[Cell ${shown}, code`));
    assert.doesNotMatch(result.text, new RegExp(`\\[Cell ${Number(shown) + 1}, code`));
    assert.equal(text.split('\n')[Number(offset) - 1]?.trim(), '{');
  });

  test('what isn’t a notebook of format 4 is shown as text, with a note', async () => {
    const cases: [string, RegExp][] = [
      ['{"cells": [', /^1\t\{"cells": \[\n\[It is named as a notebook, but it isn’t a JSON object\.\]$/],
      ['[]', /^1\t\[\]\n\[.*it isn’t a JSON object\.\]$/],
      ['{"nbformat": 3, "worksheets": []}', /its format is 3, not 4\.\]$/],
      ['{"cells": []}', /its format is not told, not 4\.\]$/],
      ['{"nbformat": 4, "cells": {}}', /it has no list of cells\.\]$/],
      ['', /^a\.ipynb is empty: .*\n\[It is named as a notebook/],
    ];
    for (const [text, expected] of cases) assert.match((await look(text)).text, expected, text);
  });

  test('odd cells and fields do no harm', async () => {
    const cells = [
      null,
      7,
      [],
      {},
      { cell_type: 5, source: { a: 1 }, outputs: 'none' },
      code(['a', 1, 'b'], [null, 'x', {}], 2),
    ];
    const { text } = await look(`{"__proto__": {"x": 1}, ${notebook(cells).slice(1)}`);
    assert.match(text, /with 6 cells/);
    assert.match(text, /\[Cell 5, unknown, line \d+\]\n\[Cell 6, code, run 2, line \d+\]\nab$/);
  });

  test('nesting deeper than a stack goes only costs the line numbers', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { text } = await look(`{"deep": ${deep}, ${notebook([code('x')]).slice(1)}`);
    assert.match(text, /\[Cell 1, code, run 1\]\nx$/);
  });

  test('one in one line, and one with a byte order mark', async () => {
    const flat = JSON.stringify(JSON.parse(notebook([code('x'), code('y')])));
    assert.match((await look(flat)).text, /\[Cell 2, code, run 1, line 1\]\ny$/);
    assert.match((await look(`\ufeff${notebook([code('x')])}`)).text, /\[Cell 1, code, run 1, line 3\]\nx$/);
  });
});
