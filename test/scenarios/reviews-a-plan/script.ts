import { answerQuestion } from '../../../src/harness/index.ts';
import type { Script } from '../../support/scenario-types.ts';

/** Yes in mode edit, or a no with the reason of the case. */
export const deeds: Script['deeds'] = {
  answer: async ({ environment, values }, runs) => {
    const { reason } = values;
    const said =
      reason === undefined ? { decision: 'yes' as const, mode: 'edit' as const } : { decision: 'no' as const, reason };
    await answerQuestion(environment, String(runs.at(-1)?.session), { scope: 'once', ...said });
  },
};
