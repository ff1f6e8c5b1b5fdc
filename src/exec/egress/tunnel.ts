/** Two connections that lead into each other: what ends in one direction ends there alone, what breaks breaks both. */
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { Flow } from './ledger.ts';

/** `head`: what the client sent before it knew that it may. Resolves when both are over. */
export function join(client: Duplex, outside: Socket, head: Buffer, flow: Flow, idle: number): Promise<void> {
  outside.setTimeout(idle, () => outside.destroy());
  if (head.length > 0) outside.write(head);
  flow.sent += head.length;
  client.on('data', (chunk: Buffer) => (flow.sent += chunk.length));
  outside.on('data', (chunk: Buffer) => (flow.received += chunk.length));
  client.pipe(outside);
  outside.pipe(client);
  const closing = [
    [client, outside],
    [outside, client],
  ] as const;
  const over = closing.map(
    ([one, other]) =>
      new Promise<void>((resolve) => {
        one.on('error', () => undefined); // Told by its closing.
        one.once('close', () => {
          // What was ended in good order may still be on its way to the other.
          if (one.errored !== null || !one.readableEnded || !one.writableFinished) other.destroy();
          resolve();
        });
        if (one.destroyed) other.destroy();
      }),
  );
  return Promise.all(over).then(() => undefined);
}
