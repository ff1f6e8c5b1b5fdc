import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { createTransport, type HttpEnd } from '../../src/model/index.ts';
import { serve } from './loopback.ts';

const limit = 300;
const ping = 'event: ping\ndata: {"type": "ping"}\n\n';

/** Sends the pieces one by one, a tick of 10 ms apart, and then ends; gives how the exchange ended and what it took. */
async function exchange(
  t: TestContext,
  pieces: readonly string[],
): Promise<{ end: HttpEnd; body: string; took: number }> {
  const server = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const left = pieces.values();
    const beat = setInterval(() => {
      const { value } = left.next();
      if (value !== undefined && !response.destroyed) return response.write(value);
      clearInterval(beat);
      return response.end();
    }, 10);
    response.on('close', () => clearInterval(beat));
  });
  const transport = createTransport({ timeouts: { keptAlive: limit } });
  t.after(() => transport.close());
  let body = '';
  const started = performance.now();
  const end = await transport.exchange(
    { url: new URL(server.url), headers: {}, body: Buffer.from('{}'), signal: new AbortController().signal },
    {
      head: () => undefined,
      data: (chunk) => {
        body += chunk.toString();
        return true;
      },
    },
  );
  return { end, body, took: performance.now() - started };
}

const many = (piece: string) => Array.from({ length: 200 }, () => piece);

describe('a server that only keeps the connection alive', () => {
  const signs: [string, string][] = [
    ['pings', ping],
    ['comments', ': PROCESSING\n\n'],
    [
      'pings with a number and other line ends',
      'event:keepalive\r\ndata:{"type":"keepalive","sequence_number":7}\r\n\r\n',
    ],
    ['empty data', 'data: {}\n\n'],
    ['blank lines', '\n'],
  ];
  for (const [name, sign] of signs) {
    test(`${name} are borne up to a limit of their own`, async (t) => {
      const { end, body, took } = await exchange(t, many(sign));
      assert.ok(end.kind === 'broken');
      assert.equal(end.problem, 'silence-timeout');
      assert.match(end.message, /only kept the connection alive for 0\.3 s/);
      assert.ok(body.startsWith(sign), 'they were passed on');
      assert.ok(took >= limit, `not before its time: ${took}`);
    });
  }

  test('what is said in between starts the limit anew', async (t) => {
    const said = 'data: {"type":"text","delta":"ping"}\n\n';
    const pieces = Array.from({ length: 70 }, (_, index) => (index % 3 === 2 ? said : ping));
    const { end, body, took } = await exchange(t, pieces);
    assert.equal(end.kind, 'ended');
    assert.equal(body, pieces.join(''));
    assert.ok(took > 2 * limit, 'the whole took longer than the limit');
  });

  test('a long run of the same is no sign of life', async (t) => {
    const { end } = await exchange(
      t,
      Array.from({ length: 40 }, () => `:${' '.repeat(600)}\n\n`),
    );
    assert.equal(end.kind, 'ended');
  });
});
