/** What else may not be there the tool says itself. */
export const schema = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    paths: { type: 'array', items: { type: 'string' }, maxItems: 50 },
    tokens: { type: 'integer' },
  },
} as const;
