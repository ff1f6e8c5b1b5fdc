/** The joint that sums what sessions that work for this one have used, from their own logs: they may have outlived a crash of its process. */
import { foldLedger, Ledger, useOfTree } from '../core/index.ts';
import { readLog, sessionFolder } from '../session/index.ts';

/** Takes over what the logs of children that haven't ended say; what can't be read counts as unknown. */
export function sumChildren(ledger: Ledger, state: string, above: readonly string[] = []): void {
  for (const session of ledger.children.keys()) {
    const own = above.includes(session) ? undefined : ledgerIn(state, session);
    if (own === undefined) {
      ledger.unpriced.add(session);
      continue;
    }
    sumChildren(own, state, [...above, session]);
    if (own.costUnknown) ledger.unpriced.add(session);
    ledger.children.set(session, useOfTree(own));
  }
}

function ledgerIn(state: string, session: string): Ledger | undefined {
  const ledger = new Ledger();
  try {
    for (const item of readLog(sessionFolder(state, session))) if (!('damage' in item)) foldLedger(ledger, item);
  } catch {
    return undefined; // Nobody can say what it has used.
  }
  return ledger;
}
