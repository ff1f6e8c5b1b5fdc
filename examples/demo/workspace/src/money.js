/** An amount for people: 1250 -> `12.50 EUR`. */
export function formatCents(cents) {
  const euros = Math.floor(cents / 100);
  const rest = cents % 100;
  return `${euros}.${rest} EUR`;
}
