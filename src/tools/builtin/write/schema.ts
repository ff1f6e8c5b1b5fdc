/** What else may not be there the tool says itself. */
export const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    content: { type: 'string' },
  },
  required: ['path', 'content'],
} as const;
