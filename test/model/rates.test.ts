import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ratesFor, worstCost } from '../../src/core/index.ts';
import { brokenCost, cost, estimateTokens, findModel, rateCard } from '../../src/model/index.ts';
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
    assert.equal(worstCost(1_000, 0, tiered), worstCost(1_000, 0, rates));
    assert.ok(worstCost(1_001, 0, tiered) > 1.5 * worstCost(1_000, 0, rates));
    assert.equal(ratesFor(1_001, tiered).cacheWriteHour, 8);
    const broken = brokenCost(undefined, { input: 2_000, outputCharacters: 0 }, tiered);
    assert.deepEqual(broken, { cost: worstCost(2_000, 0, tiered), estimated: true });
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
