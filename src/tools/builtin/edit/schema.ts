export const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    old: { type: 'string', description: 'Exact text to replace' },
    new: { type: 'string' },
    all: { type: 'boolean', description: 'Replace every match' },
  },
  required: ['path', 'old', 'new'],
  additionalProperties: false,
} as const;
