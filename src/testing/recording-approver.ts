/** An approver that answers from a list and remembers what it was asked. */
import type { Approver, Choice, EventData, Question as ModelQuestion } from '../core/index.ts';

type Question = EventData['ask'];
type Reply = Awaited<ReturnType<Approver['ask']>>;

/** What to answer: yes once, no, yes always, nothing yet, or a whole answer. */
export type ScriptedAnswer = 'yes' | 'no' | 'always' | 'later' | Exclude<Reply, 'later'>;

/** What to choose when the model asks: an option or own words; undefined: nobody is there. */
export type ScriptedChoice = string | undefined;

export interface RecordingApprover extends Approver {
  /** The questions so far. */
  readonly questions: Question[];
  /** Those of them that were answered elsewhere before they were answered here. */
  readonly withdrawn: Question[];
  /** The questions of the model so far. */
  readonly asked: ModelQuestion[];
}

/**
 * Answers one question after another; when the list is over, the answer is no: nobody is there. `choices` are the answers to questions of
 * the model, in the same way; without them nobody is there to be asked.
 */
export function recordingApprover(
  answers: ScriptedAnswer[] | ((question: Question) => ScriptedAnswer | Promise<ScriptedAnswer>) = [],
  choices?: ScriptedChoice[] | ((question: ModelQuestion) => ScriptedChoice | Promise<ScriptedChoice>),
): RecordingApprover {
  const questions: Question[] = [];
  const withdrawn: Question[] = [];
  const asked: ModelQuestion[] = [];
  const left = Array.isArray(answers) ? [...answers] : undefined;
  const leftToChoose = Array.isArray(choices) ? [...choices] : undefined;
  const choose = async (question: ModelQuestion): Promise<Choice | undefined> => {
    asked.push(question);
    const choice = typeof choices === 'function' ? await choices(question) : leftToChoose?.shift();
    return choice === undefined ? undefined : { by: 'script', choice };
  };
  return {
    questions,
    withdrawn,
    asked,
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
    ...(choices === undefined ? {} : { choose }),
  };
}
