/** Messages as lines of JSON over a stream, bounded. */
import type { Socket } from 'node:net';

/** A line is at most so long: a report holds at most what fits in memory of a job's output. */
const longestLine = 8 * 1024 * 1024;

export function sendLine(socket: Socket, message: object): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/** Calls back with each message; what is no message ends the stream. */
export function readLines(socket: Socket, take: (message: unknown) => void): void {
  let held = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    held += chunk;
    const lines = held.split('\n');
    held = lines.pop() ?? '';
    if (held.length > longestLine) socket.destroy();
    for (const line of lines) {
      try {
        take(JSON.parse(line));
      } catch {
        socket.destroy();
      }
    }
  });
  socket.on('error', () => socket.destroy()); // The other side is gone: whoever waits sees the end.
}
