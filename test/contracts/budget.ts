/** The contract of the port `Budget`: a tree of sessions never uses more than its root may, whatever its members want. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useOfTree, type Budget, type Limits, type View } from '../../src/core/index.ts';

export interface BudgetUnderTest {
  budget: Budget;
  /** A session that may take from it. */
  child: string;
  /** The root's view. */
  root: View;
}

type Bounds = Pick<Limits, 'turns' | 'calls' | 'cost'>;

export function testBudgetContract(name: string, make: (limits: Bounds) => Promise<BudgetUnderTest>): void {
  const unlimited = { turns: null, calls: null, cost: null };

  describe(`${name} keeps the contract of a budget`, () => {
    test('worst cases that are out count at once, and give way to what was used', async () => {
      const { budget, child, root } = await make({ ...unlimited, cost: 1 });
      assert.ok(budget.reserve(child, 'a', 0.6));
      assert.ok(!budget.reserve(child, 'b', 0.6));
      budget.settle(child, 'a', 0.1);
      assert.ok(budget.reserve(child, 'b', 0.6));
      assert.ok(Math.abs(useOfTree(root.ledger).cost - 0.7) < 1e-9);
    });

    test('what was settled twice counts once, and what never is counts at its worst case', async () => {
      const { budget, child, root } = await make(unlimited);
      budget.reserve(child, 'a', 0.5);
      for (const cost of [0.2, 0.1]) budget.settle(child, 'a', cost);
      budget.reserve(child, 'b', 0.5);
      budget.settle(child, 'b', undefined);
      budget.settle(child, 'never asked', 9);
      assert.ok(Math.abs(useOfTree(root.ledger).cost - 0.7) < 1e-9);
    });

    test('the last turn is the root’s own', async () => {
      const { budget, child, root } = await make({ ...unlimited, turns: 4 });
      const asked = ['a', 'b', 'c', 'd', 'e'].map((request) => budget.reserve(child, request, 0));
      assert.deepEqual(asked, [true, true, true, false, false]);
      assert.equal(useOfTree(root.ledger).turns, 3);
    });

    test('calls are taken one by one, and none beyond the limit', async () => {
      const { budget, child, root } = await make({ ...unlimited, calls: 2 });
      assert.deepEqual(
        [1, 2, 3].map(() => budget.takeCall(child)),
        [true, true, false],
      );
      assert.equal(useOfTree(root.ledger).calls, 2);
    });

    test('a price that nobody knows leaves the cost of all unknown', async () => {
      const { budget, child, root } = await make(unlimited);
      assert.ok(budget.reserve(child, 'a', undefined));
      assert.ok(root.ledger.costUnknown);
    });

    test('agents that ask for three more, each, for ever, come to an end within every limit', async () => {
      const { budget, child: first, root } = await make({ turns: 50, calls: 60, cost: 0.3 });
      let begun = 0;
      let refused = 0;
      const agents: { name: string; depth: number }[] = [{ name: 'x', depth: 0 }];
      for (const { name, depth } of agents) {
        for (let next = 0; next < 3; next += 1) {
          const child = `${name}${next}`;
          if (budget.begin(child, depth) === undefined) {
            begun += 1;
            agents.push({ name: child, depth: depth + 1 });
          } else refused += 1;
        }
        // Whoever was let in asks as often as it may.
        for (let request = 0; request < 9; request += 1) budget.reserve(first, `${name}-${request}`, 0.01);
        assert.ok(agents.length < 1000, 'children without bound');
      }
      assert.ok(begun > 3 && begun <= 24 && refused > 0, `${begun} begun, ${refused} refused`);
      const { turns, cost } = useOfTree(root.ledger);
      assert.ok(turns > 9 && turns < 50 && cost <= 0.3 + 1e-9, `${turns} turns, ${cost} dollars`);
    });
  });
}
