import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createSandbox, createShell, type BlobWriter } from '../../src/exec/index.ts';
import { makeBench, makeFolder, MemoryBlobs } from './workbench.ts';

const megabyte = 1_000_000;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('short output is whole, needs no blob, and comes live', async (t) => {
  const blobs = new MemoryBlobs();
  const { shell } = makeBench(t, 'none', makeFolder(t), { blobs });
  let live = '';
  const outcome = await shell.run(
    {
      command: "printf 'a\\303'; printf '\\251b\\n'; seq 20000",
      timeout: 10_000,
      onOutput: (delta) => (live += delta),
    },
    new AbortController().signal,
  );
  assert.ok(outcome.head.startsWith('aéb\n1\n2\n'));
  assert.ok(outcome.head.endsWith('\n20000\n'));
  assert.equal(live, outcome.head);
  assert.equal(outcome.tail, '');
  assert.deepEqual([outcome.omitted, outcome.dropped, outcome.blob, blobs.kept.size], [0, 0, undefined, 0]);
});

test('long output keeps head and tail, and all of it in a blob', async (t) => {
  const folder = makeFolder(t);
  const all = Buffer.from(Array.from({ length: 60_000 }, (_, index) => `line ${index} é\n`).join(''));
  writeFileSync(join(folder, 'all'), all);
  const blobs = new MemoryBlobs();
  const { run } = makeBench(t, 'none', folder, { blobs });
  const outcome = await run('cat all');
  assert.equal(outcome.bytes, all.length);
  assert.equal(outcome.dropped, 0);
  assert.equal(outcome.blob, sha256(all));
  assert.deepEqual(blobs.kept.get(sha256(all)), all);
  const text = all.toString();
  assert.ok(outcome.head.length >= 25_000 && text.startsWith(outcome.head));
  assert.ok(outcome.tail.length >= 25_000 && text.endsWith(outcome.tail));
  assert.equal(Buffer.byteLength(outcome.head) + Buffer.byteLength(outcome.tail) + outcome.omitted, all.length);
});

test('a small first piece isn’t lost when more comes', async (t) => {
  const blobs = new MemoryBlobs();
  const { run } = makeBench(t, 'none', makeFolder(t), { blobs });
  const outcome = await run("printf x; sleep 0.1; head -c 300000 /dev/zero | tr '\\0' y");
  assert.match(outcome.head, /^xy+$/);
  assert.match(blobs.kept.get(outcome.blob!)?.toString() ?? '', /^xy{300000}$/);
});

test('head and tail hold 25,000 characters of four bytes, cut between characters', async (t) => {
  const folder = makeFolder(t);
  writeFileSync(join(folder, 'all'), `x${'🙂'.repeat(200_000)}yz`);
  const { run } = makeBench(t, 'none', folder);
  const { head, tail, omitted, dropped, blob } = await run('cat all');
  assert.match(head, /^x(🙂){24998,}$/u);
  assert.match(tail, /^(🙂){24998,}yz$/u);
  assert.equal(Buffer.byteLength(head) + Buffer.byteLength(tail) + omitted, 800_003);
  assert.equal(blob, undefined);
  assert.equal(dropped, omitted, 'without blobs, what is not shown is not kept');
});

test('the caps of a command and of a session bound what is kept; the rest is counted', async (t) => {
  const blobs = new MemoryBlobs();
  const { run } = makeBench(t, 'none', makeFolder(t), { blobs, caps: { command: megabyte, session: 1.5 * megabyte } });
  const print = 'yes 0123456789 | head -c 3000000';
  const [first, second, third] = [await run(print), await run(print), await run(print)];
  assert.deepEqual(
    [first.bytes, first.dropped, blobs.kept.get(first.blob!)?.length],
    [3 * megabyte, 2 * megabyte, megabyte],
  );
  assert.deepEqual([second.dropped, blobs.kept.get(second.blob!)?.length], [2.5 * megabyte, megabyte / 2]);
  assert.deepEqual([third.blob, third.dropped], [undefined, third.omitted]);
  assert.ok(third.tail.endsWith('0123456789\n') || third.tail.length > 25_000);
});

test('a blob that can’t be written loses its bytes, not the command', async (t) => {
  const full: BlobWriter = {
    open: () => ({
      write: () => Promise.reject(new Error('no room')),
      finish: () => Promise.reject(new Error('never')),
      abandon: () => {},
    }),
  };
  const closed: BlobWriter = {
    open: () => {
      throw new Error('no folder');
    },
  };
  for (const blobs of [full, closed]) {
    const { run } = makeBench(t, 'none', makeFolder(t), { blobs });
    const outcome = await run('seq 100000; echo end');
    assert.equal(outcome.exit, 0);
    assert.ok(outcome.tail.endsWith('\nend\n'));
    assert.equal(outcome.blob, undefined);
    assert.equal(outcome.dropped, outcome.omitted);
  }
});

test('a slow blob slows the command down instead of filling the memory', async (t) => {
  let waiting = 0;
  let most = 0;
  const slow: BlobWriter = {
    open: () => ({
      write: async () => {
        waiting += 1;
        most = Math.max(most, waiting);
        await new Promise((resolve) => setTimeout(resolve, 2));
        waiting -= 1;
      },
      finish: async () => 'name',
      abandon: () => {},
    }),
  };
  const { run } = makeBench(t, 'none', makeFolder(t), { blobs: slow });
  const outcome = await run('head -c 8000000 /dev/zero');
  assert.deepEqual([outcome.exit, outcome.bytes, outcome.dropped, outcome.blob], [0, 8 * megabyte, 0, 'name']);
  assert.equal(most, 1);
});

test('live output stops at a bound and says so', async (t) => {
  const { shell } = makeBench(t, 'none', makeFolder(t));
  let live = '';
  const request = { command: 'yes | head -c 5000000', timeout: 10_000, onOutput: (delta: string) => (live += delta) };
  await shell.run(request, new AbortController().signal);
  assert.ok(live.length > 100_000 && live.length < megabyte);
  assert.ok(live.endsWith('[more output follows and isn’t shown live]\n'));
});

test('what can’t be decoded or would steer a terminal is escaped, everything else stays', async (t) => {
  const folder = makeFolder(t);
  const { run } = makeBench(t, 'none', folder);
  const shown = async (bytes: Buffer | string) => {
    writeFileSync(join(folder, 'bytes'), bytes);
    return (await run('cat bytes')).head;
  };
  assert.equal(await shown(Buffer.from('caf\xe9 ni\xf1o', 'latin1')), 'caf\\xE9 ni\\xF1o');
  assert.equal(await shown('a\0b\x07c\x7fd\u0085e\u009b2J'), 'a\\x00b\\x07c\\x7Fd\\u0085e\\u009B2J');
  assert.equal(await shown('\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b(B\x1b7'), 'red link');
  assert.equal(await shown('\x1b[2J\x1bPq#0\x1b\\\x1b'), '\\x1B');
  assert.equal(await shown('a\x1b[2;1Hb\x1b[3Cc\x1b[Bd'), 'a\nbc\nd', 'another line of the screen is another line');
  assert.equal(await shown('a\r\nb\rc\r\r\n\td'), 'a\nb\nc\n\n\td');
  assert.equal(await shown(Buffer.from([0xf0, 0x9f, 0x99])), '\\xF0\\x9F\\x99');
  assert.equal(await shown(Buffer.from([0xc0, 0x80, 0xed, 0xa0, 0x80, 0x41])), '\\xC0\\x80\\xED\\xA0\\x80A');
  assert.equal(await shown('ﬁ – “x” 漢字 🙂 \u202e'), 'ﬁ – “x” 漢字 🙂 \u202e');
});

test('any bytes, in any pieces, are shown harmlessly and live as at the end', async (t) => {
  const folder = makeFolder(t);
  const { shell } = makeBench(t, 'none', folder);
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
    fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => Buffer.from(text)),
    fc.constantFrom('\x1b[1;31m', '\x1b]0;t\x07', '\x1b', '\r', '\r\n', '🙂').map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      for (const [index, bytes] of pieces.entries()) writeFileSync(join(folder, `p${index}`), bytes);
      let live = '';
      const { head, bytes } = await shell.run(
        {
          command: `for i in $(seq 0 ${pieces.length - 1}); do cat p$i; done`,
          timeout: 10_000,
          onOutput: (delta) => (live += delta),
        },
        new AbortController().signal,
      );
      assert.equal(bytes, Buffer.concat(pieces).length);
      assert.doesNotMatch(head, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffd]/);
      assert.doesNotMatch(live, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }),
    { numRuns: 25 },
  );
});

test('a gigabyte of output, and one line of 150 MB, cost little memory', async (t) => {
  const blobs = new MemoryBlobs(false);
  const { run } = makeBench(t, 'none', makeFolder(t), { blobs });
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const many = await run('yes 0123456789 | head -c 1000000000', 60_000);
  const line = await run("head -c 150000000 /dev/zero | tr '\\0' x", 60_000);
  clearInterval(watch);
  assert.deepEqual([many.exit, many.bytes, many.timedOut], [0, 1_000_000_000, false]);
  assert.equal(many.dropped, 1_000_000_000 - 64 * 1024 * 1024);
  assert.ok(many.head.startsWith('0123456789\n'));
  assert.equal(line.bytes, 150_000_000);
  assert.match(line.tail, /^x+$/);
  const growth = (most - before) / megabyte;
  t.diagnostic(
    `grew by ${Math.round(growth)} MB, took ${Math.round(many.elapsed)} ms and ${Math.round(line.elapsed)} ms`,
  );
  assert.ok(growth < 200, `grew by ${growth} MB`);
});

test('a command that floods is ended, and says so; one below the bound isn’t', async (t) => {
  const blobs = new MemoryBlobs(false);
  const caps = { command: megabyte, session: megabyte, flood: 20 * megabyte };
  const { run } = makeBench(t, 'none', makeFolder(t), { blobs, caps });
  const within = await run('head -c 20000000 /dev/zero');
  assert.deepEqual([within.exit, within.bytes, within.ended], [0, 20 * megabyte, undefined]);
  const beyond = await run('yes', 60_000);
  assert.deepEqual([beyond.exit, beyond.timedOut, beyond.cancelled], [null, false, false]);
  assert.match(beyond.ended ?? '', /^After more than 20000000 bytes of output everything .* was ended: .*yes/);
  assert.ok(beyond.bytes > 20 * megabyte);
});

test('a sandboxed command’s output is caught the same way', async (t) => {
  const folder = makeFolder(t);
  const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const sandbox = createSandbox({ kind: 'bubblewrap', workspace: folder, environment });
  t.after(() => sandbox.close());
  if (!(await sandbox.probe()).works) return t.skip('bubblewrap is not installed');
  const blobs = new MemoryBlobs();
  const shell = createShell({ workspace: folder, sandbox, blobs });
  t.after(() => shell.close());
  const outcome = await shell.run({ command: 'seq 300000', timeout: 10_000 }, new AbortController().signal);
  assert.equal(blobs.kept.get(outcome.blob!)?.length, outcome.bytes);
  assert.ok(outcome.tail.endsWith('\n300000\n'));
});
