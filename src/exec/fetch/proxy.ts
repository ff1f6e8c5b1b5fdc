/** The way through the user's proxy: it looks names up itself, so it is used only for hosts that the user has named. */
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { unescape } from 'node:querystring';
import { hostOf, portOf } from './address.ts';
import { FetchFailure } from './failure.ts';
import { trust } from './trust.ts';

export function proxyPlace(proxy: URL): { host: string; port: number } {
  return { host: hostOf(proxy), port: portOf(proxy) };
}

/** What the user's URL of the proxy says of who they are. */
export function proxyLogin({ username, password }: URL): { 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {};
  const login = Buffer.from(`${unescape(username)}:${unescape(password)}`).toString('base64');
  return { 'proxy-authorization': `Basic ${login}` };
}

/** A connection through the proxy to the host of `target`. Rejects with a FetchFailure or an error of Node. */
export async function openTunnel(
  proxy: URL,
  target: URL,
  { ca, signal }: { ca: string | undefined; signal: AbortSignal },
): Promise<Socket> {
  const authority = `${target.hostname}:${portOf(target)}`;
  const headers: OutgoingHttpHeaders = { host: authority, ...proxyLogin(proxy) };
  const options = { ...proxyPlace(proxy), method: 'CONNECT', path: authority, headers, agent: false, signal } as const;
  const secure = proxy.protocol === 'https:';
  const request = secure
    ? (await import('node:https')).request({ ...options, ...(await trust(ca)) })
    : httpRequest(options);
  return new Promise((resolve, reject) => {
    const refuse = ({ statusCode }: IncomingMessage) =>
      reject(new FetchFailure(`The proxy refuses to connect to ${authority} (status ${statusCode ?? 'missing'}).`));
    request.on('connect', (answer: IncomingMessage, socket: Socket, early: Buffer) => {
      // The server speaks only after TLS has begun: bytes before that come from somebody else.
      if (Math.floor((answer.statusCode ?? 0) / 100) === 2 && early.length === 0) return resolve(socket);
      socket.destroy();
      return refuse(answer);
    });
    request.on('error', reject);
    request.end();
  });
}
