import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serveRecording } from '../../src/testing/index.ts';
import { post, saying } from './support/raw-client.ts';
import { assistant, talk, user, type Json } from './support/request-parts.ts';
import { officialClient, serve } from './support/running.ts';

const small = [
  '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}',
  '{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"recorded=="}}',
  '{"type":"content_block_stop","index":0}',
  '{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}',
  '{"type":"content_block_delta", "index":1, "delta":{"type":"text_delta","text":"hé"}}',
  '{"type":"content_block_stop","index":1}',
  '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}',
  '{"type":"message_stop"}',
];

test('a recording is replayed line by line, byte by byte, to every request', async (context) => {
  const server = await serve(context, serveRecording(`${small.join('\n')}\n`));
  const expected = small
    .map((line) => `event: ${(JSON.parse(line) as { type: string }).type}\ndata: ${line}\n\n`)
    .join('');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const answer = await post(server.url, saying('a'));
    assert.equal(answer.text, expected);
  }
});

test('recorded signatures count as issued for the model that was asked, and for no other', async (context) => {
  const server = await serve(context, serveRecording(small));
  const client = officialClient(server);
  const { content } = await client.messages
    .stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'a' }] })
    .finalMessage();
  const again = talk(user('a'), assistant(content), user('b'));
  const status = async (body: Json) => (await post(server.url, { max_tokens: 9, ...body })).status;
  assert.equal(await status({ model: 'm', ...again }), 200);
  assert.equal(await status({ model: 'n', ...again }), 400);
});

test('a recording that is cut is a cut stream', async (context) => {
  const replay = serveRecording(small);
  const server = await serve(context, async (request) => ({
    reply: (await replay(request)) as Json,
    failure: { cut: 'before-end' },
  }));
  const answer = await post(server.url, saying('a'));
  assert.ok(!answer.complete && answer.text.includes('message_delta') && !answer.text.includes('message_stop'));
});

const folder = fileURLToPath(new URL('../../../shared/streams/anthropic-messages', import.meta.url));
const recordings = existsSync(folder) ? globSync(join(folder, '*.chunks.txt')).sort() : [];

test('recordings of real streams', { skip: recordings.length > 0 ? false : 'no recorded streams here' }, () => {
  assert.ok(recordings.length > 0);
});
for (const file of recordings) {
  test(`the official client reads the replay of ${basename(file)}`, async (context) => {
    const recording = readFileSync(file, 'utf8');
    const lines = recording.split('\n').filter((line) => line !== '');
    const server = await serve(context, serveRecording(recording));
    const answer = await post(server.url, saying('a'));
    assert.ok(answer.complete);
    const sent = answer.text.split('\n').filter((line) => line.startsWith('data: '));
    assert.deepEqual(
      sent.map((line) => line.slice('data: '.length)),
      lines,
    );
    const stream = await officialClient(server).messages.create({
      model: 'm',
      max_tokens: 9,
      stream: true,
      messages: [{ role: 'user', content: 'a' }],
    });
    const events: unknown[] = [];
    for await (const event of stream) events.push(event);
    const told = lines.map((line) => JSON.parse(line) as { type: string }).filter(({ type }) => type !== 'ping');
    assert.deepEqual(events, told);
  });
}
