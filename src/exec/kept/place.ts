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
      if (descriptor !== undefined) closeSync(descriptor);
      resolve(reached);
    };
    socket.once('connect', () => done(socket));
    socket.once('error', () => done(undefined));
  });
}

function openFolder(folder: string): number | undefined {
  try {
    return openSync(folder, 'r');
  } catch {
    return undefined; // The job is gone; connecting says the same.
  }
}
