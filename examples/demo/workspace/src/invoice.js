import { formatCents } from './money.js';

/** The sum of all lines, in cents. A line has a name, a price in cents and a quantity. */
export function total(lines) {
  let sum = 0;
  for (const line of lines) {
    sum += line.price;
  }
  return sum;
}

/** The invoice as text: one line each, and the total. */
export function print(lines) {
  const rows = lines.map((line) => `${line.quantity} x ${line.name}: ${formatCents(line.price)}`);
  return [...rows, `total: ${formatCents(total(lines))}`].join('\n');
}
