/** Asks a model whether a goal is met, with the evidence and the difference before it. Whatever goes wrong is no ruling. */
import { loadJudge } from '../../context/index.ts';
import { ReinsError, routed, type Judge, type Judged, type View } from '../../core/index.ts';
import { diffOf } from '../../verify/index.ts';
import { askAside, SideModel } from '../asides/index.ts';
import type { Hands } from '../hands.ts';
import type { Beside } from '../models/index.ts';
import type { OpenRecord } from '../record.ts';

/** Milliseconds for a ruling, and tokens of it with whatever the model thinks before. */
const timeout = 180_000;
const maxOutput = 8_000;

export interface JudgeParts {
  /** Leads to the models of the setup. */
  connect: Beside['connect'];
  record: OpenRecord;
  hands: Pick<Hands, 'git'>;
  /** The real path of the workspace. */
  workspace: string;
  redact: (text: string) => string;
}

export function judgeFor({ connect, record, hands, workspace, redact }: JudgeParts): Judge {
  const difference = async ({ ledger }: View): Promise<string> => {
    const changed = [...ledger.changedPaths];
    if (changed.length === 0) return '';
    const { text } = await diffOf({ workspace, git: hands.git, before: ledger.task.baseline, changed, most: 100_000 });
    return redact(text);
  };
  return {
    async judge(view, goal, signal): Promise<Judged> {
      const target = routed(view, 'judge')?.target;
      if (target === undefined) return { reason: 'there is no model that could' };
      try {
        const { judgeCase, judgePrompt, readRuling } = await loadJudge();
        const text = judgeCase(view, goal, await difference(view));
        const question = { purpose: 'judge', timeout, system: judgePrompt.text, text, maxOutput } as const;
        const answer = await askAside(new SideModel({ target, connect }, record, 'judge'), record, question, signal);
        const aside = answer.aside === undefined ? {} : { aside: answer.aside };
        if ('problem' in answer) return { reason: answer.problem, ...aside };
        const read = readRuling(answer.text);
        return 'problem' in read ? { reason: read.problem, ...aside } : { ...read, ...aside };
      } catch (error) {
        if (!(error instanceof ReinsError) || error.code === 'log-append-failed') throw error;
        return { reason: error.detail };
      }
    },
  };
}
