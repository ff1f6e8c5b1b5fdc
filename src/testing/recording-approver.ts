/** An approver that answers from a list and remembers what it was asked. */
import type { Approver, EventData } from '../core/index.ts';

type Question = EventData['ask'];
type Reply = Awaited<ReturnType<Approver['ask']>>;

/** What to answer: yes once, no, yes always, nothing yet, or a whole answer. */
export type ScriptedAnswer = 'yes' | 'no' | 'always' | 'later' | Exclude<Reply, 'later'>;

export interface RecordingApprover extends Approver {
  /** The questions so far. */
  readonly questions: Question[];
  /** Those of them that were answered elsewhere before they were answered here. */
  readonly withdrawn: Question[];
}

/** Answers one question after another; when the list is over, the answer is no: nobody is there. */
export function recordingApprover(
  answers: ScriptedAnswer[] | ((question: Question) => ScriptedAnswer | Promise<ScriptedAnswer>) = [],
): RecordingApprover {
  const questions: Question[] = [];
  const withdrawn: Question[] = [];
  const left = Array.isArray(answers) ? [...answers] : undefined;
  return {
    questions,
    withdrawn,
    async ask(question, signal) {
      questions.push(question);
      signal.addEventListener('abort', () => withdrawn.push(question), { once: true });
      const answer = typeof answers === 'function' ? await answers(question) : (left?.shift() ?? 'no');
      if (typeof answer === 'object' || answer === 'later') return answer;
      return {
        by: 'script',
        decision: answer === 'no' ? 'no' : 'yes',
        scope: answer === 'always' ? 'always' : 'once',
      };
    },
  };
}
