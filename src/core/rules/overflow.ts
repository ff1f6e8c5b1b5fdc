import { answering, type Action, type Rule } from '../decide.ts';
import { elidable, lastSegment, openCalls } from '../transcript.ts';
import type { View } from '../view.ts';

const goOn =
  'Your reply was cut because the context window was full. Old tool results have been elided since; go on, and call a tool again where you need its output.';

/**
 * The conversation doesn't fit the window: never asked again as it is. Old tool results are elided, once; when that isn't enough,
 * or nothing can be elided, the rules after this one route or stop.
 */
export const overflow: Rule = (view) => {
  const last = lastSegment(view.transcript);
  const cutByWindow = last.reply?.stop === 'overflow' && last.texts.length === 0;
  if (!cutByWindow) return view.failure?.data.class === 'overflow' ? elision(view) : undefined;
  const open = openCalls(view.transcript);
  if (open.length > 0) return answering(open, 'not-run', 'Not run: the reply that asked for it was not completed.');
  if (elidedSince(view)) return { do: 'note', code: 'reply-overflow', text: goOn };
  return elision(view);
};

/** The elision came after the reply that was cut, and no other reply has been cut since. */
function elidedSince(view: View): boolean {
  return view.compacted && !view.overflowedAgain;
}

function elision(view: View): Action | undefined {
  if (view.compacted) return undefined;
  const calls = elidable(view.transcript);
  return calls.length === 0 ? undefined : { do: 'compact', why: 'overflow', elide: calls.map(({ key }) => key) };
}
