/** Real servers on loopback and real requests to them, for the tests of the model. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import {
  View,
  fold,
  type AskModel,
  type Draft,
  type Model,
  type ModelOutcome,
  type Notification,
  type SetupData,
} from '../../src/core/index.ts';
import {
  createModel,
  createTransport,
  loadWire,
  type ModelOptions,
  type TransportOptions,
} from '../../src/model/index.ts';
import { able } from '../support/abilities.ts';

/** The time of the clock of these tests, in milliseconds since the epoch. */
export const now = 1_700_000_000_000;

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Counts the connections of the server, from 1. */
  connection: number;
}

export type Handler = (request: Received, response: ServerResponse, socket: Socket) => void;

export interface Loopback {
  url: string;
  port: number;
  received: Received[];
  connections(): number;
  server: Server;
}

/** A server that reads each request whole, keeps it, and hands it to the handler. */
export async function serve(t: TestContext, handler: Handler): Promise<Loopback> {
  const received: Received[] = [];
  const numbers = new WeakMap<Socket, number>();
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const entry: Received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        connection: numbers.get(request.socket) ?? 0,
      };
      received.push(entry);
      handler(entry, response, request.socket);
    });
  });
  server.on('connection', (socket: Socket) => {
    connections += 1;
    numbers.set(socket, connections);
    socket.on('error', () => undefined); // clients of these tests hang up on purpose
  });
  const port = await listen(t, server);
  return { url: `http://127.0.0.1:${port}`, port, received, connections: () => connections, server };
}

export async function listen(t: TestContext, server: Server | TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Events as they go over the line; the name of each event is its type. */
export function sse(events: readonly object[]): string {
  return events
    .map((event) => {
      const name = 'type' in event && typeof event.type === 'string' ? event.type : 'message';
      return `event: ${name}\ndata: ${JSON.stringify(event)}\n\n`;
    })
    .join('');
}

const usage = { input_tokens: 10, output_tokens: 1 };

/** The events of a plain reply. */
export function textReply(text: string): object[] {
  return [
    { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ];
}

export function streamHead(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_1' });
}

export function answer(response: ServerResponse, events: readonly object[]): void {
  streamHead(response);
  response.end(sse(events));
}

export const rates = {
  input: 2,
  output: 10,
  cacheRead: 0.2,
  cacheWrite: 2.5,
  cacheWriteHour: 4,
  dated: '2026-11-12',
  source: 'test',
};

export function setup(changes: Partial<SetupData> = {}): SetupData {
  return {
    reins: '0.0.0',
    provider: 'anthropic',
    wire: 'anthropic',
    model: 'test-model',
    settings: {},
    ...able,
    system: ['You are a test.', 'Today is a day.'],
    tools: [{ name: 'read', description: 'Reads a file.', input: { type: 'object', properties: {} } }],
    mode: 'edit',
    limits: { turns: 100, calls: 500, minutes: 60, cost: 5, outputTokens: 1_000 },
    retries: { attempts: 10, minutes: 15, brokenStream: 4, firstPause: 1_000 },
    checks: [],
    window: 200_000,
    rates,
    ...changes,
  };
}

/** A log in memory, folded as it grows; ids are e1, e2, ... */
export class Story {
  readonly view = new View();
  private count = 0;

  constructor(data: SetupData = setup()) {
    this.add({ kind: 'setup', data });
  }

  add(draft: Draft): string {
    const parent = this.view.head;
    this.count += 1;
    const id = `e${this.count}`;
    fold(this.view, { id, parent, at: now + this.count, ...draft });
    return id;
  }

  say(text: string): string {
    return this.add({ kind: 'input', data: { from: 'user', text } });
  }

  result(reply: string, index: number, text: string): string {
    return this.add({
      kind: 'result',
      data: { call: `${reply}/${index}`, tool: 'read', outcome: 'ok', text },
    });
  }
}

export const ask: AskModel = { turn: 1, attempt: 1, maxOutput: 1_000, closing: false };

export interface Rig {
  model: Model;
  notifications: Notification[];
  blobs: Map<string, Buffer>;
  options: ModelOptions;
}

export async function rig(
  t: TestContext,
  baseUrl: string,
  changes: { transport?: TransportOptions; model?: Partial<ModelOptions> } = {},
): Promise<Rig> {
  const transport = createTransport(changes.transport);
  t.after(() => transport.close());
  const blobs = new Map<string, Buffer>();
  const options: ModelOptions = {
    transport,
    link: async ({ wire }) => ({
      wire: await loadWire(wire),
      baseUrl,
      headers: () => ({ 'x-api-key': 'top.secret/0123456789' }),
    }),
    cacheKey: 'a-session',
    clock: { now: () => now },
    random: () => 0.5,
    previousBody: async () => undefined,
    putBlob: async (bytes) => {
      const id = `blob-${blobs.size + 1}`;
      blobs.set(id, Buffer.from(bytes));
      return id;
    },
    getBlob: async (id) => blobs.get(id),
    ...changes.model,
  };
  return { model: createModel(options), notifications: [], blobs, options };
}

/** Prepares and sends one request of a story that asks something. */
export async function request(rig: Rig, story = new Story(), signal: AbortSignal = new AbortController().signal) {
  if (story.view.transcript.size === 0) story.say('hello');
  const prepared = await rig.model.prepare(story.view, { ...ask, attempt: (story.view.failure?.attempts ?? 0) + 1 });
  const id = story.add({ kind: 'request', data: prepared.data });
  const outcome = await rig.model.send(prepared, id, signal, (notification) => rig.notifications.push(notification));
  return { prepared, id, outcome };
}

export function failureOf(outcome: ModelOutcome) {
  assert.ok(outcome.kind === 'failure', JSON.stringify(outcome));
  return outcome.data;
}

/** Sends one request to a server with this handler. */
export async function against(t: TestContext, handler: Handler, changes: Parameters<typeof rig>[2] = {}) {
  const server = await serve(t, handler);
  const own = await rig(t, server.url, changes);
  const sent = await request(own);
  return { ...sent, server, rig: own };
}

/** Waits for a condition that real sockets bring about; gives up after two seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 2_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('The condition did not come about.');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
