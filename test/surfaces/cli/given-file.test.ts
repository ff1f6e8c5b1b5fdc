import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UsageError } from '../../../src/surfaces/cli/arguments.ts';
import { givenBytes, givenText } from '../../../src/surfaces/cli/given-file.ts';
import { temporaryWorkspace } from '../../../src/testing/index.ts';

describe('a file that a person names', () => {
  test('is read whole, a pipe too, and as text without its mark', async (t) => {
    const place = await temporaryWorkspace({ files: { 'a.md': '\ufeffä\r\n' } });
    t.after(() => place.dispose());
    assert.equal(await givenText('It', join(place.path, 'a.md')), 'ä\r\n');
    assert.equal((await givenBytes('It', join(place.path, 'a.md'))).length, 7);
    const pipe = join(place.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', 'head -c 200000 /dev/zero > "$0"', pipe], { stdio: 'ignore' });
    t.after(() => writer.kill());
    assert.equal((await givenBytes('It', pipe)).length, 200_000);
  });

  test('is refused where it never ends, isn’t there, or is no text', async (t) => {
    const place = await temporaryWorkspace({});
    t.after(() => place.dispose());
    const bytes = join(place.path, 'bytes');
    writeFileSync(bytes, Buffer.from([0x61, 0xff]));
    assert.equal((await givenBytes('It', bytes)).length, 2);
    for (const [file, why] of [
      ['/dev/zero', /^It can’t be read: it has more than 67108864 bytes\.$/],
      [join(place.path, 'none'), /^It can’t be read: it doesn’t exist\.$/],
      [place.path, /^It can’t be read: it is a folder\.$/],
      [bytes, /^It can’t be read: it is no text in UTF-8\.$/],
    ] as const) {
      await assert.rejects(
        givenText('It', file),
        (error) => error instanceof UsageError && why.test(error.message),
        file,
      );
    }
  });
});
