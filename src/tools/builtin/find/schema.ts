/** What else may not be there the tool says itself. */
export const schema = {
  type: 'object',
  properties: {
    glob: { type: 'string' },
    path: { type: 'string' },
    limit: { type: 'integer' },
  },
  required: ['glob'],
} as const;
