/** What a script needs to know of a request, whatever its wire. */

export interface AskedResult {
  /** Id of the call it answers, and the tool's name where the call is in the conversation. */
  id: string;
  name?: string;
  text: string;
  error: boolean;
}

/** One message; neighbours of one role are joined. */
export interface AskedMessage {
  role: 'user' | 'assistant';
  /** Its texts, joined by line breaks; results are apart. */
  text: string;
  results: AskedResult[];
  /** The model's calls in it. */
  calls: { id: string; name: string }[];
  /** Number of images in it, those in results included. */
  images: number;
  /** Number of its blocks. */
  blocks: number;
}

export interface Question {
  model: string;
  /** Whether the reply is wanted as a stream. */
  stream: boolean;
  /** The most output tokens wanted. */
  maxOutput: number;
  system: string;
  /** Names of the tools that are offered. */
  tools: string[];
  messages: AskedMessage[];
}

/** What the last user message says, its results included; empty when there is none. */
export function lastSaid(question: Question): string {
  return saidIn(question.messages.findLast((message) => message.role === 'user'));
}

export function saidIn(message: AskedMessage | undefined): string {
  if (!message) return '';
  return [...message.results.map((result) => result.text), message.text].join('\n');
}

/** An id for a call: the same in every rehearsal of the same script, but never one that the conversation has already. */
export function freeId(question: Question, place: string, make: (seed: string) => string): string {
  const taken = new Set(question.messages.flatMap(({ calls }) => calls.map(({ id }) => id)));
  for (let attempt = 0; ; attempt += 1) {
    const id = make(`${place} ${question.messages.length} ${attempt}`);
    if (!taken.has(id)) return id;
  }
}
