/** The joint that uses the time in which the model answers: what the next calls need is made ready then. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Model, Verifier } from '../core/index.ts';

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

/** The same verifier; the look at the workspace that a request starts waits until its bytes have left. */
export function afterSending(verifier: Verifier): Verifier {
  return {
    check: (check, signal, notify) => verifier.check(check, signal, notify),
    definersChanged: (checks, view) => verifier.definersChanged(checks, view),
    ownChecks: (view) => verifier.ownChecks(view),
    async snapshot(view) {
      // One turn of the event loop for the connection, one for the bytes.
      await nextTurn();
      await nextTurn();
      return verifier.snapshot(view);
    },
  };
}
