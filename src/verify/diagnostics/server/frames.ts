/** The framing of the language server protocol (version 3.17, "Base Protocol"): a header with the length, then JSON. */

/** A server that sends more in one message has lost its way. */
const largestMessage = 16 * 1024 * 1024;
const largestHeader = 4_096;

export function frame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** Takes bytes as they come and gives the messages that are whole. Throws for what is no frame. */
export class Frames {
  #held: Buffer = Buffer.alloc(0);

  take(chunk: Buffer): unknown[] {
    this.#held = Buffer.concat([this.#held, chunk]);
    const messages: unknown[] = [];
    for (;;) {
      const headerEnd = this.#held.indexOf('\r\n\r\n');
      if (headerEnd < 0) {
        if (this.#held.length > largestHeader) throw new Error('what it sends is not the protocol of language servers');
        return messages;
      }
      const [, length] = /content-length:\s*(\d+)/i.exec(this.#held.toString('latin1', 0, headerEnd)) ?? [];
      if (length === undefined || Number(length) > largestMessage) throw new Error('a message has no usable length');
      const end = headerEnd + 4 + Number(length);
      if (this.#held.length < end) return messages;
      messages.push(JSON.parse(this.#held.toString('utf8', headerEnd + 4, end)));
      this.#held = this.#held.subarray(end);
    }
  }
}
