import assert from 'node:assert/strict';
import { test } from 'node:test';
import { print } from '../src/invoice.js';
import { formatCents } from '../src/money.js';

test('an amount has two digits of cents', () => {
  assert.equal(formatCents(1250), '12.50 EUR');
  assert.equal(formatCents(1205), '12.05 EUR');
});

test('an invoice ends with its total', () => {
  const lines = [{ name: 'milk', price: 105, quantity: 2 }];
  assert.equal(print(lines), '2 x milk: 1.05 EUR\ntotal: 2.10 EUR');
});
