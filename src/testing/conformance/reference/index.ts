/**
 * The door of the reference readers: one for each wire, written from the protocol and apart from the decoders, so that both
 * can be held against each other.
 */
import type { Reader } from '../reading.ts';
import { readAnthropic } from './anthropic.ts';
import { readGemini } from './gemini.ts';
import { readChat } from './openai-chat.ts';
import { readResponses } from './openai-responses.ts';

/** By the name of the wire. */
export const readers: { [wire: string]: Reader } = {
  anthropic: readAnthropic,
  gemini: readGemini,
  'openai-chat': readChat,
  'openai-responses': readResponses,
};
