/** Neutral messages of both wires, where one message of the conversation may be several entries of the request. */
import type { AskedMessage, AskedResult } from '../../script/index.ts';

export function askedMessage(role: AskedMessage['role'], parts: Partial<AskedMessage>): AskedMessage {
  return { role, text: '', results: [], calls: [], images: 0, blocks: 0, ...parts };
}

/** Names of the tools by the ids of their calls, gathered on the way through a conversation. */
export class CallNames {
  readonly #names = new Map<string, string>();

  add(id: string, name: string): { id: string; name: string } {
    this.#names.set(id, name);
    return { id, name };
  }

  /** The result of a call. These wires can't mark one as an error. */
  result(id: string, text: string): AskedResult {
    const name = this.#names.get(id);
    return { id, ...(name === undefined ? {} : { name }), text, error: false };
  }
}

/** Joins neighbours of one role: what a script counts are turns of the conversation. */
export function joinNeighbours(messages: AskedMessage[]): AskedMessage[] {
  const joined: AskedMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === message.role) joined[joined.length - 1] = join(last, message);
    else joined.push(message);
  }
  return joined;
}

function join(first: AskedMessage, second: AskedMessage): AskedMessage {
  return {
    role: first.role,
    text: [first.text, second.text].filter((text) => text !== '').join('\n'),
    results: [...first.results, ...second.results],
    calls: [...first.calls, ...second.calls],
    images: first.images + second.images,
    blocks: first.blocks + second.blocks,
  };
}
