import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ratesFor, worstCost } from '../../src/core/index.ts';
import { brokenCost, cost, credible, estimateTokens, findModel, rateCard } from '../../src/model/index.ts';
import { rates } from './loopback.ts';

describe('what a reply costs', () => {
  test('each kind of token at its rate', () => {
    const usage = {
      input: 1_000_000,
      output: 100_000,
      cacheRead: 2_000_000,
      cacheWrite: 300_000,
      cacheWriteHour: 100_000,
    };
    assert.equal(cost(usage, rates), 2 + 1 + 0.4 + 0.2 * 2.5 + 0.1 * 4);
    const { cacheWriteHour: _, ...shortLived } = rates;
    assert.equal(cost(usage, shortLived), 2 + 1 + 0.4 + 0.3 * 2.5);
  });

  test('is unknown without a rate or without usage, never zero', () => {
    assert.equal(cost({ input: 1, output: 1 }, undefined), undefined);
    assert.equal(cost(undefined, rates), undefined);
    assert.equal(cost({ input: 1 }, rates), undefined);
    assert.equal(cost({ output: 1 }, rates), undefined);
    assert.equal(cost({ input: 0, output: 0 }, rates), 0);
  });

  test('at worst all input is written to the cache for the longest time', () => {
    assert.equal(worstCost(1_000_000, 1_000_000, rates), 14);
  });

  test('is another for a request whose whole input, cached or not, is above a size', () => {
    const above = { tokens: 1_000, input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 };
    const tiered = { ...rates, above };
    const usage = { input: 400, cacheRead: 500, cacheWrite: 100, output: 10 };
    assert.equal(cost(usage, tiered), cost(usage, rates));
    const larger = { ...usage, cacheRead: 501 };
    assert.equal(cost(larger, tiered), (400 * 4 + 501 * 0.4 + 100 * 5 + 10 * 20) / 1_000_000);
    assert.equal(ratesFor(1_000, tiered).input, 2);
    assert.equal(ratesFor(1_001, tiered).cacheWriteHour, 8);
    const broken = brokenCost(undefined, { input: 2_000, outputCharacters: 0 }, tiered);
    assert.deepEqual(broken, { cost: worstCost(2_000, 0, tiered), estimated: true });
  });

  test('at worst is that of the dearer tier from a tenth below its size on: input is only estimated', () => {
    const tiered = { ...rates, above: { tokens: 1_100, input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 } };
    assert.equal(worstCost(1_000, 0, tiered), worstCost(1_000, 0, rates));
    assert.ok(worstCost(1_001, 0, tiered) > 1.5 * worstCost(1_000, 0, rates));
    assert.equal(worstCost(1_000_000, 0, { ...rates, cacheRead: 9 }), 9, 'whatever kind of input is the dearest');
  });

  test('of a broken reply counts what was reported, and the rest as estimated', () => {
    const estimated = { input: 1_000_000, outputCharacters: 400_000 };
    assert.deepEqual(brokenCost(undefined, estimated, rates), { cost: 4 + 1, estimated: true });
    assert.deepEqual(brokenCost({ input: 500_000 }, estimated, rates), { cost: 1 + 1, estimated: true });
    assert.deepEqual(brokenCost({ input: 500_000, output: 200_000 }, estimated, rates), { cost: 1 + 2 });
    assert.deepEqual(brokenCost({ input: 500_000, output: 1 }, estimated, rates), { cost: 1 + 1, estimated: true });
    assert.deepEqual(brokenCost(undefined, estimated, undefined), {});
  });

  test('four characters are about a token', () => {
    assert.equal(estimateTokens(0), 0);
    assert.equal(estimateTokens(9), 3);
  });
});

describe('a report of usage', () => {
  test('is believed as it is, in whole tokens', () => {
    const usage = { input: 10, output: 5, cacheRead: 7, cacheWrite: 3, cacheWriteHour: 1, reasoning: 0 };
    assert.deepEqual(credible(usage, true), usage);
    assert.deepEqual(credible({ input: 10.2, output: 4.5 }, true), { input: 11, output: 5 });
    assert.deepEqual(credible({ input: 0, cacheRead: 9, output: 1 }, true), { input: 0, cacheRead: 9, output: 1 });
    assert.deepEqual(credible({ input: 9, output: 0 }, false), { input: 9, output: 0 });
    assert.equal(credible(undefined, true), undefined);
  });

  test('of nothing is none: a request holds something, and so does a reply in which something came', () => {
    assert.equal(credible({ input: 0, output: 0 }, true), undefined);
    assert.deepEqual(credible({ input: 0, cacheRead: 0, output: 3 }, true), { cacheRead: 0, output: 3 });
    assert.deepEqual(credible({ input: 9, output: 0 }, true), { input: 9 });
  });

  test('with an impossible figure is none', () => {
    for (const odd of [1e308, 1e12, 100_000_001]) {
      assert.equal(credible({ input: odd, output: 1 }, true), undefined);
      assert.equal(credible({ input: 1, output: odd }, true), undefined);
      assert.equal(credible({ input: 1, output: 1, cacheRead: odd }, true), undefined);
    }
    assert.deepEqual(credible({ input: 100_000_000, output: 1 }, true), { input: 100_000_000, output: 1 });
  });
});

describe('models by name', () => {
  test('with and without provider and date', () => {
    const plain = findModel('claude-haiku-4-5');
    assert.equal(plain.window, 200_000);
    assert.equal(plain.maxOutput, 64_000);
    assert.deepEqual(plain.assumed, []);
    assert.deepEqual([plain.provider, plain.wire, plain.model], ['anthropic', 'anthropic', 'claude-haiku-4-5']);
    const dated = findModel('anthropic/claude-haiku-4-5-20251001');
    assert.equal(dated.model, 'claude-haiku-4-5-20251001');
    assert.deepEqual(dated.rates, plain.rates);
  });

  test('an unknown one works, and what is assumed is said', () => {
    const entry = findModel('anthropic/some/other-model');
    assert.equal(entry.model, 'some/other-model');
    assert.equal(entry.window, 200_000);
    assert.equal(entry.rates, undefined);
    assert.match(entry.assumed.join(), /200000 tokens.*unknown price/);
    assert.equal(findModel('constructor').rates, undefined);
  });

  test('a name of no provider or no model is refused', () => {
    for (const name of ['elsewhere/model', 'anthropic/', '', 'constructor/x', '/x'])
      assert.throws(() => findModel(name), { code: 'model-unknown' }, name);
  });

  test('each rate of the card has a date and a source, and is a rate', () => {
    const entries = Object.values(rateCard);
    assert.ok(entries.length > 10);
    for (const { rates: card, window, maxOutput } of entries) {
      assert.ok(window >= 200_000 && maxOutput >= 64_000 && maxOutput < window);
      if (card === undefined) continue;
      assert.match(card.dated, /^\d{4}-\d\d-\d\d$/);
      assert.match(card.source, /^https:/);
      assert.ok(card.cacheRead < card.input && card.input < card.cacheWrite && card.cacheWrite < card.output);
    }
  });
});
