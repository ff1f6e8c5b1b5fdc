import { answering, type Rule } from '../decide.ts';
import { fillingOf } from '../filling.ts';
import { lastSegment, openCalls } from '../transcript.ts';

/** The model or its provider declined, or the window is full: an ordinary, coded end. Something new said after it goes on. */
export const declined: Rule = (view) => {
  const last = lastSegment(view.transcript);
  const stop = last.reply?.stop;
  if (stop !== 'refusal' && stop !== 'overflow') return undefined;
  const open = openCalls(view.transcript);
  if (open.length > 0) {
    const text = 'Not run: the reply that asked for it was not completed.';
    return answering(open, 'not-run', text);
  }
  if (last.texts.length > 0) return undefined;
  if (stop === 'refusal') {
    const why = last.reply?.stopDetail ?? 'The model or its provider declined to answer.';
    return { do: 'stop', reason: 'refused', detail: why };
  }
  const filled = view.setup === undefined ? '' : ` ${fillingOf(view, view.setup)}`;
  return {
    do: 'stop',
    reason: 'provider',
    code: 'context-overflow',
    detail: `The conversation no longer fits the model’s context window.${filled}`,
  };
};
