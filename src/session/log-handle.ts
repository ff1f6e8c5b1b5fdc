/** The few things that the log needs of its file: the place where a test lets a disk fail. */
import { closeSync, constants, fchmodSync, fdatasync, openSync, writeSync } from 'node:fs';
import { fileMode } from './folders.ts';

export interface LogHandle {
  /** Writes from `start` on at the end of the file and gives the number of bytes written, which may be fewer than asked for. */
  write(bytes: Buffer, start: number): number;
  /** Resolves when what was written is on the disk. */
  datasync(): Promise<void>;
  close(): void;
}

export type OpenLogHandle = (file: string, make: boolean) => LogHandle;

/** Writing is done at once rather than in a thread: a write to the system's cache is cheaper than the way to a thread and back. */
export const openLogHandle: OpenLogHandle = (file, make) => {
  const { O_APPEND, O_WRONLY, O_CREAT, O_EXCL } = constants;
  const fd = openSync(file, O_APPEND | O_WRONLY | (make ? O_CREAT | O_EXCL : 0), fileMode);
  if (make) fchmodSync(fd, fileMode);
  return {
    write: (bytes, start) => writeSync(fd, bytes, start, bytes.length - start),
    datasync: () =>
      new Promise((resolve, reject) => {
        fdatasync(fd, (error) => (error === null ? resolve() : reject(error)));
      }),
    close: () => closeSync(fd),
  };
};
