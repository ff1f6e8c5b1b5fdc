/** A line an item, as the list is shown; what else a line must be, the tool says itself. */
export const schema = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'string' } } },
  required: ['items'],
  additionalProperties: false,
} as const;
