export const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    offset: { type: 'integer', description: 'First line' },
    limit: { type: 'integer' },
  },
  required: ['path'],
  additionalProperties: false,
} as const;
