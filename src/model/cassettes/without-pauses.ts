/** A model that is only played back: whether there is another try is decided as ever, but nobody needs to wait for it. */
import type { Model } from '../../core/index.ts';

/** The same model; the time of a next try is now. */
export function withoutPauses(model: Model, clock: { now(): number }): Model {
  return {
    prepare: (view, ask) => model.prepare(view, ask),
    async send(request, id, signal, notify) {
      const outcome = await model.send(request, id, signal, notify);
      if (outcome.kind === 'reply' || outcome.data.retryAt === undefined) return outcome;
      return { kind: 'failure', data: { ...outcome.data, retryAt: Math.min(outcome.data.retryAt, clock.now()) } };
    },
  };
}
