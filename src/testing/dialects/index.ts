/** The door of the dialects: the wires that the model server speaks. */
import { anthropicMessages } from './anthropic/index.ts';
import type { Dialect } from './dialect.ts';
import { gemini } from './gemini/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';

export type { CanonicalPart, Dialect, StreamPlan } from './dialect.ts';

/** One of each dialect, for one server; a request goes to the first that knows its path. */
export const allDialects = (): [Dialect, ...Dialect[]] => [
  anthropicMessages(),
  gemini(),
  openaiChat(),
  openaiResponses(),
];
