export const schema = {
  type: 'object',
  properties: {
    glob: { type: 'string' },
    path: { type: 'string' },
    limit: { type: 'integer' },
  },
  required: ['glob'],
  additionalProperties: false,
} as const;
