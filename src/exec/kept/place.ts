/** Where a supervisor listens: a socket in the job's own folder, named so that its path is short enough wherever that is. */
import { closeSync, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

/** As the supervisor, whose working folder is the job's, names it. */
export const socketName = 'control';

/** Connects to the supervisor of the job in a folder; undefined when nobody listens there. */
export function reach(folder: string): Promise<Socket | undefined> {
  // A path of a socket may have about a hundred bytes; a descriptor of its folder makes it short.
  const descriptor = process.platform === 'linux' ? openFolder(folder) : undefined;
  const path = descriptor === undefined ? join(folder, socketName) : `/proc/self/fd/${descriptor}/${socketName}`;
  return new Promise((resolve) => {
    const socket = connect(path);
    const done = (reached: Socket | undefined): void => {
      // Once only: a connection can break right after it stood, and the number of the descriptor may be another’s by then.
      socket.off('connect', stands).off('error', fails);
      if (descriptor !== undefined) closeSync(descriptor);
      resolve(reached);
    };
    const stands = (): void => done(socket);
    const fails = (): void => done(undefined);
    socket.on('connect', stands).on('error', fails);
    // Whoever asks over it learns of a break by its end.
    socket.on('error', () => socket.destroy());
  });
}

function openFolder(folder: string): number | undefined {
  try {
    return openSync(folder, 'r');
  } catch {
    return undefined; // The job is gone; connecting says the same.
  }
}
