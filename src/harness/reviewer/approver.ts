/** An approver that asks a second model first, and whoever else is there for what that leaves open. */
import type { Approver, EventId } from '../../core/index.ts';
import type { Reviewer } from './reviewer.ts';

/** `idOf` names the open question of a call. */
export function withReviewer(
  reviewer: Reviewer,
  person: Approver,
  idOf: (call: string) => EventId | undefined,
): Approver {
  return {
    async ask(question, signal) {
      const id = idOf(question.call);
      if (id === undefined) return person.ask(question, signal);
      const ruling = await reviewer.review(id, question, signal);
      if (signal.aborted) return 'later';
      const { reason } = ruling;
      if (ruling.decision === 'allow') return { by: reviewer.name, decision: 'yes', scope: 'once', reason };
      if (ruling.decision === 'deny') return { by: reviewer.name, decision: 'no', scope: 'once', reason };
      const said = await person.ask(question, signal);
      if (said === 'later' || said.by !== 'nobody') return said;
      return { ...said, reason: `${said.reason ?? 'nobody is there'}; ${reviewer.name} did not decide: ${reason}` };
    },
    ...(person.choose !== undefined && { choose: person.choose.bind(person) }),
  };
}
