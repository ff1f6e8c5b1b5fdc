import type { Rule } from '../decide.ts';
import { cutAt, promptCut } from '../prompts-read.ts';
import { wantsModel } from '../transcript.ts';

/** A server that cuts prompts without a word is told to a person, and its window is taken as what it really is. */
export const promptCutRule: Rule = (view) => {
  if (!wantsModel(view.transcript)) return undefined;
  for (const [model, read] of view.prompts) {
    const window = cutAt(read);
    if (window === undefined) continue;
    const text =
      `${model} reads no more than ${window} tokens of what it is sent, whatever it is said to read: ` +
      'the beginning of the conversation was lost on it. Older turns give way from now on so that all of it fits; raise the server’s context window if you can.';
    return { do: 'notice', code: promptCut, text, data: { model, window } };
  }
  return undefined;
};
