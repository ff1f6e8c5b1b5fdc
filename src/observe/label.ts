/** One word for where a session stands, derived from the view; no rule reads it. */
import { lastSegment, openCalls, wantsModel, type View } from '../core/index.ts';

export type Label = 'idle' | 'planning' | 'executing' | 'awaiting tool' | 'reflecting' | 'done';

/**
 * idle: nothing to do; planning: the first answer to an input is awaited; executing: calls are to be run; awaiting tool: a call was
 * started or waits for an answer; reflecting: results or evidence are before the model, or checks are due; done: stopped as completed.
 */
export function labelOf(view: View): Label {
  if (view.stop !== undefined) return view.stop.reason === 'completed' ? 'done' : 'idle';
  const open = openCalls(view.transcript);
  if (open.some((call) => call.started || (call.ask !== undefined && call.answer === undefined)))
    return 'awaiting tool';
  if (open.length > 0) return 'executing';
  const last = lastSegment(view.transcript);
  if (!wantsModel(view.transcript)) return last.reply === undefined ? 'idle' : 'reflecting';
  const outside = last.texts.some((text) => text.from === 'outside');
  return outside && last.calls.length === 0 ? 'planning' : 'reflecting';
}
