/** A way out to servers of the test, and clients that ask for it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createEgress, type Connection, type EgressOptions, type Outlet } from '../../src/exec/egress/index.ts';
import { makeBench, makeFolder, type Bench } from './workbench.ts';
import { here } from './web.ts';

/** Every name leads to this machine, which may be connected to. */
export function egressHere(workspace: string, options: Partial<EgressOptions> = {}) {
  return createEgress(workspace, {
    hosts: [],
    credentials: [],
    resolve: () => Promise.resolve([here]),
    allowAddresses: [here],
    ...options,
  });
}

export interface ConnectedBench extends Bench {
  workspace: string;
  connections: Connection[];
}

/** A sandboxed shell with a way out. */
export function connectedBench(t: TestContext, options: Partial<EgressOptions>, env = {}): ConnectedBench {
  const workspace = makeFolder(t);
  const connections: Connection[] = [];
  const egress = egressHere(workspace, options);
  const shell = { egress, onConnection: (connection: Connection) => void connections.push(connection) };
  return { ...makeBench(t, 'bubblewrap', workspace, { env, shell }), workspace, connections };
}

export interface Door {
  outlet: Outlet;
  connections: Connection[];
  /** A connection to the proxy, closed after the test. */
  knock(): Promise<Socket>;
  /** Sends bytes and gives all that comes until the other side ends. */
  ask(bytes: string): Promise<string>;
}

/** The proxy without a sandbox before it: as a command sees it that speaks to the socket itself. */
export async function openDoor(t: TestContext, options: Partial<EgressOptions>): Promise<Door> {
  const egress = egressHere(makeFolder(t), options);
  const connections: Connection[] = [];
  const outlet = await egress.open((connection) => void connections.push(connection));
  t.after(() => egress.close());
  const path = outlet.passage.mounts.at(-1)?.source ?? '';
  const knock = async (): Promise<Socket> => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.on('error', () => undefined);
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const ask = async (bytes: string): Promise<string> => {
    const socket = await knock();
    socket.write(bytes);
    return read(socket);
  };
  return { outlet, connections, knock, ask };
}

/** All that comes until the end. */
export async function read(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise<void>((resolve) => {
    socket.once('end', resolve);
    socket.once('close', () => resolve());
  });
  return Buffer.concat(chunks).toString('latin1');
}

export function statusOf(answer: string): number {
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
  assert.ok(status !== undefined, `no answer of HTTP: ${JSON.stringify(answer)}`);
  return Number(status);
}
