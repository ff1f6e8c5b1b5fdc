import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/invoice.js';

test('an empty invoice costs nothing', () => {
  assert.equal(total([]), 0);
});

test('the total counts every piece', () => {
  const lines = [
    { name: 'apple', price: 45, quantity: 3 },
    { name: 'bread', price: 320, quantity: 1 },
  ];
  assert.equal(total(lines), 455);
});
