/** Server-sent events out of bytes that come in any pieces. */
import { createParser } from 'eventsource-parser';

export interface SseEvent {
  /** The name of the event, where it has one. */
  event?: string | undefined;
  data: string;
}

export interface SseParser {
  push(chunk: Uint8Array): void;
  /** The stream is over: an event that only lacks its closing blank line counts, if its data is whole JSON. */
  end(): void;
}

/** Handles characters and line ends that are split over chunks, all three line ends, comments and a byte order mark. */
export function createSseParser(onEvent: (event: SseEvent) => void): SseParser {
  let over = false;
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: (event) => {
      if (!over || isJson(event.data)) onEvent(event);
    },
  });
  return {
    push: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })),
    end: () => {
      over = true;
      parser.feed(`${decoder.decode()}\n\n`);
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // the answer to the question, not an error
  }
}
