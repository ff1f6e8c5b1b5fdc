/** Measures the way of a reply from the network to the screen, in a process of its own. Prints one line of JSON. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from '../src/core/index.ts';
import { createSseParser, createTransport, loadWire, wireNames, type Delta, type Wire } from '../src/model/index.ts';

const target: Target = {
  provider: 'bench',
  wire: 'anthropic',
  model: 'bench',
  settings: {},
  abilities: { images: true, efforts: [], thinking: 'none', sampling: true, systemMessages: false, edits: 'replace' },
  window: 1_000_000,
  maxOutput: 16_000,
};
const words = 'Lorem ipsum dolor sit amet, consetetur ';

interface Stream {
  head: string;
  delta: string;
  tail: string;
}

const sse = (...events: object[]): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const named = (...events: { type: string; [field: string]: unknown }[]): string =>
  events.map((event) => `event: ${event.type}\n${sse(event)}`).join('');

const message = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: words }] };
const streams: { [wire: string]: Stream } = {
  anthropic: {
    head: named(
      { type: 'message_start', message: { id: 'm', usage: { input_tokens: 3 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ),
    delta: named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } }),
    tail: named(
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ),
  },
  'openai-responses': {
    head: named(
      { type: 'response.created', response: { id: 'r' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
    ),
    delta: named({
      type: 'response.output_text.delta',
      item_id: 'm',
      output_index: 0,
      content_index: 0,
      delta: words,
    }),
    tail: named(
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.completed', response: { id: 'r', status: 'completed', output: [message] } },
    ),
  },
  'openai-chat': {
    head: sse({ id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
    delta: sse({
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content: words }, finish_reason: null }],
    }),
    tail: `${sse({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`,
  },
  gemini: {
    head: '',
    delta: sse({ candidates: [{ content: { role: 'model', parts: [{ text: words }] }, index: 0 }] }),
    tail: sse({
      candidates: [{ content: { role: 'model', parts: [{ text: words }] }, finishReason: 'STOP', index: 0 }],
    }),
  },
};

function decoderOf(wire: Wire, show: (delta: Delta) => void = () => undefined) {
  return wire.decoder(show, { target: { ...target, wire: wire.name }, tools: [] });
}

function read(wire: Wire, body: Buffer): void {
  const decoder = decoderOf(wire);
  const parser = createSseParser((event) => decoder.push(event));
  for (let from = 0; from < body.length; from += 65_536) parser.push(body.subarray(from, from + 65_536));
  parser.end();
  const { kind } = decoder.end();
  if (kind !== 'reply') throw new Error(`The stream of ${wire.name} is no reply.`);
}

async function speeds(runs: number): Promise<{ [wire: string]: number[] }> {
  const speed: { [wire: string]: number[] } = {};
  for (const name of wireNames) {
    const wire = await loadWire(name);
    const { head, delta, tail } = streams[name] ?? { head: '', delta: '', tail: '' };
    const body = Buffer.from(head + delta.repeat(Math.floor(20e6 / delta.length)) + tail);
    const samples: number[] = [];
    for (let run = -2; run < runs; run += 1) {
      const begun = performance.now();
      read(wire, body);
      if (run >= 0) samples.push(body.length / 1e6 / ((performance.now() - begun) / 1000));
    }
    speed[name] = samples;
  }
  return speed;
}

interface Reply {
  (response: ServerResponse): void | Promise<void>;
}

/** Serves replies over loopback and asks for them `times` times, one after the other. */
async function ask(reply: Reply, times: number, show: (delta: Delta) => void = () => undefined) {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    void reply(response);
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const wire = await loadWire('anthropic');
  const transport = createTransport();
  const elapsed: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const decoder = decoderOf(wire, show);
    const parser = createSseParser((event) => decoder.push(event));
    const begun = performance.now();
    const { signal } = new AbortController();
    await transport.exchange(
      { url, headers: {}, body: Buffer.from('{}'), signal },
      {
        head: () => undefined,
        data(chunk) {
          parser.push(chunk);
          return !decoder.done;
        },
      },
    );
    elapsed.push(performance.now() - begun);
  }
  transport.close();
  server.closeAllConnections();
  server.close();
  return { connections, elapsed };
}

const { head, delta, tail } = streams['anthropic'] ?? { head: '', delta: '', tail: '' };

async function delays(): Promise<number[]> {
  const shown: number[] = [];
  let sentAt = 0;
  await ask(
    async (response) => {
      response.write(head);
      for (let piece = 0; piece < 200; piece += 1) {
        await pause(2);
        sentAt = performance.now();
        response.write(delta);
      }
      response.end(tail);
    },
    1,
    () => shown.push(performance.now() - sentAt),
  );
  return shown;
}

async function growth(): Promise<{ grown: number; size: number }> {
  const pieces = 400;
  const piece = Buffer.from(delta.repeat(Math.floor(120_000 / delta.length)));
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
  await ask(async (response) => {
    response.write(head);
    for (let sent = 0; sent < pieces; sent += 1) {
      if (!response.write(piece)) await new Promise<void>((resolve) => response.once('drain', resolve));
    }
    response.end(tail);
  }, 1);
  clearInterval(watch);
  return { grown: Math.max(0, peak - before), size: pieces * piece.length };
}

async function connecting() {
  const answer: Reply = (response) => void response.end(head + delta + tail);
  const fresh: number[] = [];
  for (let time = 0; time < 20; time += 1) fresh.push(...(await ask(answer, 1)).elapsed);
  const { connections, elapsed } = await ask(answer, 30);
  return { connections, fresh, kept: elapsed.slice(1) };
}

// Memory first: what the other measurements leave behind would be in it.
const memory = await growth();
const measured = {
  ...memory,
  speed: await speeds(Number(process.argv[2])),
  shown: await delays(),
  ...(await connecting()),
};
process.stdout.write(`${JSON.stringify(measured)}\n`);
