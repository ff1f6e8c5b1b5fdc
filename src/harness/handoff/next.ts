/** What is to be done next: said by what is open, not by a model. */
import type { Handoff } from './types.ts';

type Open = Pick<Handoff, 'session' | 'state' | 'code' | 'open'>;

/** A few sentences, the most pressing first. */
export function nextSteps({ session, state, code, open }: Open): string[] {
  const { questions, checks, plan, unchecked } = open;
  const ways: { [state: string]: string } = {
    limit: `Go on with a higher limit (${code ?? 'limit'}): reins resume ${session}`,
    provider: `Go on when the provider answers again: reins resume ${session}`,
    error: `Mend what stopped it (${code ?? 'error'}), then go on: reins resume ${session}`,
    interrupted: `It was cut off in the middle of its work; go on: reins resume ${session}`,
    running: `It is still being driven; look: reins log ${session} --follow`,
    stuck: 'Try another way than what is listed as tried.',
    denied: 'Decide whether what was refused may be done, or how else.',
    cancelled: `It was cancelled; go on, or take it back: reins resume ${session}, reins undo ${session}`,
  };
  const way = ways[state];
  const failing = checks.filter((check) => check.advisory === undefined);
  return [
    ...questions.map(({ id, question }) => `Answer question ${id}: ${question}`),
    ...(way === undefined ? [] : [way]),
    ...failing.map(({ command, state: how }) => `${how === 'failing' ? 'Make this pass' : 'Run'}: ${command}`),
    ...(unchecked.length === 0
      ? []
      : [`Check by hand or by a check what none covers: ${unchecked.slice(0, 5).join(', ')}`]),
    ...(plan[0] === undefined ? [] : [`Go on with the plan: ${plan[0]}`]),
  ].slice(0, 10);
}
