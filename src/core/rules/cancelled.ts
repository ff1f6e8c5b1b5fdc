import { answering, type Rule } from '../decide.ts';
import { interruptedText, openCalls } from '../transcript.ts';

const neverRan = 'Cancelled before it ran. Nothing was changed by it.';
/** A cancel answers what is open, then stops the run. */
export const cancelled: Rule = (view) => {
  if (view.cancel === undefined) return undefined;
  const open = openCalls(view.transcript);
  const started = open.filter((call) => call.started);
  if (started.length > 0) return answering(started, 'interrupted', interruptedText);
  if (open.length > 0) return answering(open, 'cancelled', neverRan);
  const { by, signal } = view.cancel;
  return {
    do: 'stop',
    reason: 'cancelled',
    detail: `Cancelled by ${by}.`,
    ...(signal === undefined ? {} : { signal }),
  };
};
