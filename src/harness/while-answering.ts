/** The joint that uses the time in which the model answers: what the next calls need is made ready then. */
import type { Model } from '../core/index.ts';

/** The same model; once a request is on its way, `work` is started. */
export function whileAnswering(model: Model, work: () => void): Model {
  return {
    prepare: (view, ask) => model.prepare(view, ask),
    send(request, id, signal, notify) {
      const sent = model.send(request, id, signal, notify);
      // Not before the bytes have left: the request must not wait for it.
      setImmediate(work);
      return sent;
    },
  };
}
