import { answering, type Rule } from '../decide.ts';
import { lastSegment, openCalls } from '../transcript.ts';
import { compaction } from './window.ts';

const goOn =
  'Your reply was cut because the context window was full. Older turns have given way since; go on, and call a tool again where you need its output.';

/**
 * The conversation doesn't fit the window: never asked again as it is. Older turns give way, twice at most; when that isn't enough, or
 * nothing can give way, the rules after this one route or stop.
 */
export const overflow: Rule = (view) => {
  const last = lastSegment(view.transcript);
  const cutByWindow = last.reply?.stop === 'overflow' && last.texts.length === 0;
  if (!cutByWindow) return view.failure?.data.class === 'overflow' ? compaction(view, 'overflow') : undefined;
  const open = openCalls(view.transcript);
  if (open.length > 0) return answering(open, 'not-run', 'Not run: the reply that asked for it was not completed.');
  if (view.compacted) return { do: 'note', code: 'reply-overflow', text: goOn };
  return compaction(view, 'overflow');
};
