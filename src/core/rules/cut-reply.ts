import { answering, type Rule } from '../decide.ts';
import { lastSegment, openCalls } from '../transcript.ts';

/** Replies in a row that may be cut or malformed before the run stops (DESIGN figure: stuck). */
const badRepliesAtMost = 3;

const cutCall =
  'Not run: your reply was cut at its output limit, so this call may be incomplete even where it looks whole. ' +
  'Send it again, in smaller parts: write a long file in several edits.';
const cutText = 'Your reply was cut at its output limit. Go on from where it ended, in smaller parts.';

/** A reply that was cut by its length runs none of its calls: arguments can be valid and still incomplete. */
export const cutReply: Rule = (view) => {
  const last = lastSegment(view.transcript);
  if (last.reply === undefined) return undefined;
  const cut = last.reply.stop === 'length';
  const open = openCalls(view.transcript);
  if (cut && open.length > 0) return answering(open, 'cut', cutCall);
  if (open.length === 0 && view.badReplies >= badRepliesAtMost) {
    return {
      do: 'stop',
      reason: 'stuck',
      code: 'cut-replies',
      detail: `${view.badReplies} replies in a row were cut at their output limit or held only malformed calls.`,
    };
  }
  if (cut && last.calls.length === 0 && last.texts.length === 0)
    return { do: 'note', code: 'reply-cut', text: cutText };
  return undefined;
};
