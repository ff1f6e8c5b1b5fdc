/** The door of the conversation: a plain one on a terminal, line by line. */
import type { Output } from '../output.ts';
import { Conversation, type ConversationRequest } from './conversation.ts';

/** Until somebody ends it; gives the exit code. */
export async function converse(request: ConversationRequest, output: Output): Promise<number> {
  const conversation = new Conversation(request, output);
  const end = (): void => void conversation.end(143);
  const interrupt = (): void => void conversation.end(130);
  process.on('SIGTERM', end).on('SIGHUP', end).on('SIGINT', interrupt);
  try {
    return await conversation.hold();
  } finally {
    process.off('SIGTERM', end).off('SIGHUP', end).off('SIGINT', interrupt);
  }
}
