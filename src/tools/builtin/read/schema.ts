export const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    offset: { type: 'integer', minimum: 1, description: 'First line, from 1' },
    limit: { type: 'integer', minimum: 1, description: 'Number of lines' },
  },
  required: ['path'],
  additionalProperties: false,
} as const;
