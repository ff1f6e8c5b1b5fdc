import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { serve } from './loopback.ts';

const door = new URL('../../src/model/index.ts', import.meta.url).href;

/** A program that leaves a used and a prepared connection behind and has nothing else to do. */
const program = `
  import { createTransport } from ${JSON.stringify(door)};
  const url = new URL(process.argv[1]);
  const transport = createTransport();
  const sink = { head: () => undefined, data: () => true };
  await transport.exchange({ url, headers: {}, body: Buffer.from('x'), signal: new AbortController().signal }, sink);
  await createTransport().prepareConnection(url);
  process.stdout.write('done');
`;

describe('connections that wait', () => {
  test('don’t keep a process alive', { timeout: 30_000 }, async (t) => {
    const server = await serve(t, (_, response) => response.end('answer'));
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, server.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // The server would keep idle connections for five seconds; a process that waits for that would end only then.
    server.server.keepAliveTimeout = 0;
    const code = await new Promise((resolve) => child.once('close', resolve));
    assert.deepEqual([code, output], [0, 'done']);
  });
});
