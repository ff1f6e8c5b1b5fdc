/**
 * The model that everyone is measured with: it answers at once or after a fixed time, does nothing else meanwhile, and notes on one
 * clock when each request arrived and when its answer was handed over. It takes any agent that speaks the Messages API and has a
 * tool for shell commands.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model does in one run: a command for so many turns, then a last word. */
export interface Rehearsal {
  /** With more than one turn it gets the number of the turn as a further argument. */
  command: string;
  turns: number;
  /** Milliseconds from the arrival of a request to the end of its answer; the beginning of the answer comes at once. */
  thinking: number;
}

/** All times are milliseconds of this process's `performance.now()`. */
export interface Arrival {
  /** When the request's headers were there. */
  at: number;
  /** When the last bytes of the answer were handed to the system. */
  answeredAt: number;
  body: Buffer;
  /** What the course's probe said at the arrival. */
  probed: number;
}

export interface Course {
  /** The requests of the conversation, in order. Side requests (titles, counts, probes) are answered and not kept. */
  arrivals: Arrival[];
  /** Resolves when the first of them arrives. */
  first: Promise<Arrival>;
  /** Asked at each arrival. */
  probe: () => number;
}

export interface MeasuringServer {
  url: string;
  /** From now on requests belong to a new course. */
  begin(rehearsal: Rehearsal): Course;
  close(): Promise<void>;
}

interface Asked {
  model?: string;
  stream?: boolean;
  tools?: { name?: string; input_schema?: { required?: string[] } }[];
}

export async function startMeasuringServer(): Promise<MeasuringServer> {
  let current: { rehearsal: Rehearsal; course: Course; resolve: (arrival: Arrival) => void } | undefined;
  const server = createServer((request, response) => {
    const at = performance.now();
    readBody(request).then(
      (body) => answer(request, response, { at, answeredAt: NaN, body, probed: NaN }),
      () => response.destroy(),
    );
  });
  const answer = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => {
    const asked = parse(arrival.body);
    const tool = asked?.tools?.find(({ name }) => /^(shell|bash)$/i.test(name ?? ''));
    const isAsked = request.method === 'POST' && new URL(request.url ?? '', 'http://x').pathname === '/v1/messages';
    if (!isAsked || tool === undefined || current === undefined) return sendAside(response, asked);
    const { course, rehearsal, resolve } = current;
    arrival.probed = course.probe();
    course.arrivals.push(arrival);
    resolve(arrival);
    const turn = course.arrivals.length;
    // A number behind it: an agent may see one call that is made again and again as stuck.
    const command = rehearsal.turns > 1 ? `${rehearsal.command} ${turn}` : rehearsal.command;
    const call = turn <= rehearsal.turns ? callOf(tool, command) : undefined;
    const events = replyEvents(asked?.model ?? '', turn, call);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': `req_${turn}` });
    response.write(events[0]);
    const finish = () => {
      response.end(events.slice(1).join(''));
      arrival.answeredAt = performance.now();
    };
    if (rehearsal.thinking === 0) return finish();
    setTimeout(finish, rehearsal.thinking);
  };
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin(rehearsal) {
      const first = Promise.withResolvers<Arrival>();
      const course: Course = { arrivals: [], first: first.promise, probe: () => NaN };
      current = { rehearsal, course, resolve: first.resolve };
      return course;
    },
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** Agents name the arguments differently; whatever is required besides the command gets a word. */
function callOf(tool: NonNullable<Asked['tools']>[number], command: string): { name: string; input: string } {
  const others = (tool.input_schema?.required ?? []).filter((name) => name !== 'command');
  const input = { command, ...Object.fromEntries(others.map((name) => [name, 'bench'])) };
  return { name: tool.name ?? 'shell', input: JSON.stringify(input) };
}

/** The stream in two parts: its first event, and all others. */
function replyEvents(model: string, turn: number, call: { name: string; input: string } | undefined): string[] {
  const usage = { input_tokens: 100, output_tokens: 10 };
  const message = { id: `msg_${turn}`, type: 'message', role: 'assistant', model, content: [] };
  const id = `toolu_bench${String(turn).padStart(8, '0')}`;
  const block = call ? { type: 'tool_use', id, name: call.name, input: {} } : { type: 'text', text: '' };
  const pieces = call ? ['', call.input.slice(0, 9), call.input.slice(9)] : ['Nothing is left ', 'to do.'];
  const deltas = pieces.map((piece) =>
    call ? { type: 'input_json_delta', partial_json: piece } : { type: 'text_delta', text: piece },
  );
  const events: { type: string; [key: string]: unknown }[] = [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } },
    { type: 'content_block_start', index: 0, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** Whatever an agent asks besides its conversation. */
function sendAside(response: ServerResponse, asked: Asked | undefined): void {
  if (asked?.stream === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.end(replyEvents(asked.model ?? '', 0, undefined).join(''));
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  const usage = { input_tokens: 100, output_tokens: 10 };
  const content = [{ type: 'text', text: 'bench' }];
  const message = { id: 'msg_0', type: 'message', role: 'assistant', model: asked?.model ?? '', content, usage };
  response.end(JSON.stringify({ ...message, stop_reason: 'end_turn', stop_sequence: null, input_tokens: 100 }));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parse(body: Buffer): Asked | undefined {
  try {
    return JSON.parse(body.toString('utf8')) as Asked;
  } catch {
    return undefined; // not a request for a reply; answered as a side request
  }
}
