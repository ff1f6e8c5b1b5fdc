/** One way in: the socket of one sandbox, on which everything that comes is that command's. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import { rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { behind, findAlias, redirectFor, targetOf, type Alias } from './alias.ts';
import { exchange } from './exchange.ts';
import { notGranted, type Grants } from './grants.ts';
import { passedOn, withValues } from './headers.ts';
import { Ledger, type Flow } from './ledger.ts';
import { defaultLimits, type Connection, type EgressLimits, type EgressOptions } from './needs.ts';
import { authorityOf, readAbsolute, readAuthority, shown, type Target } from './target.ts';
import { join } from './tunnel.ts';
import { connectBy, unreached, urlOf, wayTo, type Refused, type Route } from './way.ts';

export interface EntryParts {
  path: string;
  options: EgressOptions;
  grants: Grants;
  aliases: readonly Alias[];
  /** Keeps connections to what aliases stand for. */
  agent: Agent;
  tell: (connection: Connection) => void;
}

/** Milliseconds in which a request's head must be here. */
const headLimit = 30_000;

export class Entry {
  readonly ledger: Ledger;
  readonly #parts: EntryParts;
  readonly #limits: EgressLimits;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  /** Connections inside which an alias is spoken to. */
  readonly #tunnels = new WeakMap<Duplex, Alias>();
  /** A connection may ask more than once: what goes to one target is one flow. */
  readonly #flows = new WeakMap<Duplex, Map<string, Flow>>();
  #isClosed = false;

  constructor(parts: EntryParts) {
    this.#parts = parts;
    this.#limits = { ...defaultLimits, ...parts.options.limits };
    this.ledger = new Ledger(parts.tell, this.#limits.total);
    const { head: maxHeaderSize, idle } = this.#limits;
    this.#server = createServer({ maxHeaderSize, headersTimeout: headLimit, requestTimeout: 0, noDelay: true });
    this.#server.maxConnections = this.#limits.connections;
    this.#server.timeout = idle;
    this.#server.on('connection', (socket: Socket) => this.#keep(socket));
    this.#server.on('request', (request, response) => void this.#answer(request, response));
    this.#server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
      void this.#tunnel(request, client, head);
    });
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#parts.path, () => {
        // Nothing waits for a command that hasn't come; its sandbox is what keeps the process here.
        this.#server.unref();
        resolve();
      });
    });
  }

  /** What goes on is cut off and told. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.ledger.close();
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    rmSync(this.#parts.path, { force: true });
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined); // Clients hang up as they like.
    socket.once('close', () => {
      this.#sockets.delete(socket);
      for (const flow of this.#flows.get(socket)?.values() ?? []) flow.end();
    });
  }

  /** CONNECT: bytes to and from a granted host, or an alias that is spoken to inside. */
  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => undefined); // The other end may be gone at any moment.
    const asked = readAuthority(request.url ?? '');
    if ('unreadable' in asked || this.#tunnels.has(client)) {
      return this.#refuseTunnel(client, { host: shown(request.url ?? ''), port: 0 }, unreadable(asked));
    }
    const alias = findAlias(this.#parts.aliases, asked);
    if (alias !== undefined) return this.#speakInside(client, alias, head);
    const outside = await this.#open(asked).catch((error: unknown) => unreached(asked, error));
    if ('refused' in outside) return this.#refuseTunnel(client, asked, outside);
    if (this.#isClosed || client.destroyed) return void outside.destroy();
    const flow = this.ledger.begin(asked, this.#because(asked));
    this.#keep(outside);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    await join(client, outside, head, flow, this.#limits.idle);
    return flow.end();
  }

  async #open(target: Target): Promise<Socket | Refused> {
    const way = await this.#allowed(target, true);
    return 'refused' in way ? way : connectBy(way, target, this.#parts.options);
  }

  #speakInside(client: Duplex, alias: Alias, head: Buffer): void {
    this.#tunnels.set(client, alias);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) client.unshift(head);
    this.#server.emit('connection', client);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const inside = this.#tunnels.get(request.socket);
    const text = request.url ?? '';
    const isPath = inside !== undefined && text.startsWith('/');
    const asked = isPath ? { target: { host: inside.alias, port: 80 }, path: text } : readAbsolute(text);
    if ('unreadable' in asked) return this.#refuse(response, { host: shown(text), port: 0 }, unreadable(asked));
    const { target, path } = asked;
    // It would show the command what was added.
    if (request.method === 'TRACE')
      return this.#refuse(response, target, { refused: 'TRACE isn’t passed on.', status: 405 });
    const alias = findAlias(this.#parts.aliases, target);
    if (inside !== undefined && alias !== inside) return this.#refuse(response, target, unreadable(asked));
    try {
      await (alias === undefined
        ? this.#passOn(request, response, target, path)
        : this.#serve(request, response, alias, path));
    } catch (error) {
      this.#say(response, unreached(alias === undefined ? target : targetOf(alias), error));
    }
  }

  async #passOn(request: IncomingMessage, response: ServerResponse, target: Target, path: string): Promise<void> {
    const way = await this.#allowed(target, false);
    if ('refused' in way) return this.#refuse(response, target, way);
    const url = new URL(path, urlOf(target, false));
    const headers = ['Host', url.host, ...passedOn(request.rawHeaders, ['host'])];
    const flow = this.#flow(request.socket, target, this.#because(target));
    return exchange(request, response, { target, url, way, headers, flow }, this.#parts.options);
  }

  /** The credential goes to the one address that the alias stands for: redirects are the command's to follow, without it. */
  async #serve(request: IncomingMessage, response: ServerResponse, alias: Alias, path: string): Promise<void> {
    const { options, agent } = this.#parts;
    const named: Target = { host: alias.alias, port: 80 };
    const url = behind(alias, path);
    const { value, variable, header } = alias;
    if (url === undefined)
      return this.#refuse(response, named, { refused: `${shown(path)} leads out of ${alias.alias}.`, status: 403 });
    if (value === undefined) {
      const refused = `${alias.alias} needs the variable ${variable}, which isn’t set. Only the user can set it, before starting Reins.`;
      return this.#refuse(response, named, { refused, status: 502 });
    }
    const target = targetOf(alias);
    const way = this.#isFull() ?? (await wayTo(target, true, options));
    if ('refused' in way) return this.#refuse(response, target, way);
    const own = passedOn(request.rawHeaders, ['host', header.toLowerCase()]);
    const headers = ['Host', url.host, ...own, header, value];
    const flow = this.#flow(request.socket, target, `egress.credentials ${alias.alias}`);
    const answer = (all: string[]) => withValues(all, 'location', (to) => redirectFor(alias, url, to));
    return exchange(request, response, { target, url, way, headers, agent, answer, flow }, options);
  }

  async #allowed(target: Target, secure: boolean): Promise<Route | Refused> {
    const { grants, options } = this.#parts;
    const full = this.#isFull();
    if (full !== undefined) return full;
    if (grants(target) === undefined) {
      return { refused: notGranted(target, options.hosts), reason: 'egress.hosts doesn’t grant it', status: 403 };
    }
    return wayTo(target, secure, options);
  }

  #isFull(): Refused | undefined {
    if (!this.ledger.isFull) return undefined;
    return { refused: `One command makes at most ${this.#limits.total} connections.`, status: 429 };
  }

  #because(target: Target): string {
    return `egress.hosts ${this.#parts.grants(target) ?? ''}`;
  }

  #flow(client: Duplex, target: Target, reason: string): Flow {
    const flows = this.#flows.get(client) ?? new Map<string, Flow>();
    this.#flows.set(client, flows);
    const name = authorityOf(target);
    const flow = flows.get(name) ?? this.ledger.begin(target, reason);
    flows.set(name, flow);
    return flow;
  }

  #refuse(response: ServerResponse, target: Target, why: Refused): void {
    this.ledger.refuse(target, why);
    this.#say(response, why);
  }

  #say(response: ServerResponse, { refused, status }: Refused): void {
    if (response.headersSent || response.destroyed) return void response.destroy();
    response.req.resume();
    // What else comes on this connection belongs to what was refused.
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    return void response.end(`${refused}\n`);
  }

  #refuseTunnel(client: Duplex, target: Target, why: Refused): void {
    const { refused, status } = why;
    this.ledger.refuse(target, why);
    const body = `${refused}\n`;
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    client.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    client.resume();
  }
}

function unreadable(asked: object): Refused {
  const why = 'unreadable' in asked ? String(asked.unreadable) : 'Inside a tunnel only its own host is spoken to.';
  return { refused: why, status: 400 };
}
