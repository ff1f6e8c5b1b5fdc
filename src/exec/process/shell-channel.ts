/**
 * The channel between Reins and the shell that runs the command: the command goes in, and out come three records, each ended by a NUL
 * (no folder's name holds one): nothing, when the shell waits for its command; the folder it started in; the folder it was in at its
 * end. The command's own programs don't have this channel, but the command could tell lies on it: they are about its folder only.
 */
import type { Socket } from 'node:net';

/** Bytes of a record that are kept; no path is longer than 4,096. */
const longestRecord = 8192;

export class ShellChannel {
  /** Resolves when the shell waits for its command. */
  readonly ready: Promise<void>;
  #socket: Socket;
  #settleReady: () => void = () => undefined;
  #isReady = false;
  #started: Buffer | undefined;
  #left: Buffer | undefined;
  #partial: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#socket = socket;
    this.ready = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Whether the shell has begun with the command. */
  get hasBegun(): boolean {
    return this.#started !== undefined;
  }

  /** The folder in which the command was started. */
  get started(): Buffer | undefined {
    return this.#started;
  }

  /** The folder in which it left the shell; undefined when the shell was replaced or ended by a signal. */
  get left(): Buffer | undefined {
    return this.#left;
  }

  handOver(command: string, folder: string): void {
    this.#socket.write(`${Buffer.byteLength(folder)} ${Buffer.byteLength(command)}\n${folder}${command}`);
  }

  /** Resolves when all that the shell wrote before now has been read: two turns of the event loop ask the kernel once in between. */
  async settle(): Promise<void> {
    if (this.#left !== undefined) return;
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      this.#record(Buffer.concat([this.#partial, chunk.subarray(from, end)]));
      this.#partial = Buffer.alloc(0);
      from = end + 1;
    }
    if (from < chunk.length && this.#partial.length < longestRecord) {
      this.#partial = Buffer.concat([this.#partial, chunk.subarray(from)]);
    }
  }

  #record(record: Buffer): void {
    if (!this.#isReady) {
      this.#isReady = true;
      this.#settleReady();
      return;
    }
    if (this.#started === undefined) this.#started = record;
    else this.#left = record;
  }
}
