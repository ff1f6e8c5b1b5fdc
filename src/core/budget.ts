/** The budget of a tree of sessions. Only its root has one; whoever works for it, at whatever depth, takes from that. */
import type { EventId } from './identifiers.ts';
import { spent, useOfTree, type Ledger } from './ledger.ts';
import type { View } from './view.ts';

/**
 * The port by which a child asks the root before it uses anything. Contract (test/contracts/budget.ts): what is out and what is settled
 * never exceed the root's limits together, however many ask at once; the last turn is the root's; what was settled twice counts once;
 * what is never settled counts at its worst case.
 */
export interface Budget {
  /** Takes in a child (by its session) of a session at this depth, the root's being 0. Says why it can't be. */
  begin(child: string, depth: number): string | undefined;
  /** Reserves a turn and its worst case, in dollars where it has a price; false, and nothing is reserved, where not so much is left. */
  reserve(child: string, request: EventId, cost: number | undefined): boolean;
  /** What the request cost takes the place of its worst case. */
  settle(child: string, request: EventId, cost: number | undefined): void;
  /** Takes one call; false where none is left. */
  takeCall(child: string): boolean;
}

/** Sessions below the root: how deep, and how many in all. */
export const treeBounds = { depth: 3, children: 24 } as const;

/** Kept in the root's own ledger, in step with the children's logs: after a crash it is summed from those. */
export function rootBudget(view: View, bounds: { depth: number; children: number } = treeBounds): Budget {
  const { ledger } = view;
  const begun = new Set<string>();
  const out = new Map<string, number>();
  const limit = (name: 'turns' | 'calls' | 'cost'): number => view.setup?.limits[name] ?? Infinity;
  return {
    begin(child, depth) {
      if (depth >= bounds.depth) return `Not begun: sessions may work for each other ${bounds.depth} deep at most.`;
      if (new Set([...begun, ...ledger.everChildren]).size >= bounds.children)
        return `Not begun: at most ${bounds.children} sessions may work for one, all together.`;
      if (useOfTree(ledger).turns >= limit('turns') - 1) return 'Not begun: no turn is left.';
      begun.add(child);
      return undefined;
    },
    reserve(child, request, cost) {
      const use = ledger.children.get(child);
      if (use === undefined) return false;
      if (useOfTree(ledger).turns >= limit('turns') - 1) return false;
      if (cost !== undefined && spent(ledger) + cost > limit('cost')) return false;
      use.turns += 1;
      use.cost += cost ?? 0;
      out.set(`${child}/${request}`, cost ?? 0);
      if (cost === undefined) ledger.unpriced.add(child);
      return true;
    },
    settle(child, request, cost) {
      const reserved = out.get(`${child}/${request}`);
      const use = ledger.children.get(child);
      if (reserved === undefined || !out.delete(`${child}/${request}`) || use === undefined) return;
      use.cost += (cost ?? reserved) - reserved;
    },
    takeCall: (child) => takeCall(ledger, child, limit('calls')),
  };
}

function takeCall(ledger: Ledger, child: string, limit: number): boolean {
  const use = ledger.children.get(child);
  if (use === undefined || useOfTree(ledger).calls >= limit) return false;
  use.calls += 1;
  return true;
}

/** For those who work for a child: all is taken from the root, in the name of that child, whose own end reports it. */
export function budgetThrough(root: Budget, child: string): Budget {
  return {
    begin: (grandchild, depth) => root.begin(`${child}/${grandchild}`, depth),
    reserve: (grandchild, request, cost) => root.reserve(child, `${grandchild}/${request}`, cost),
    settle: (grandchild, request, cost) => root.settle(child, `${grandchild}/${request}`, cost),
    takeCall: () => root.takeCall(child),
  };
}
