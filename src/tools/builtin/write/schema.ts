export const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    content: { type: 'string' },
  },
  required: ['path', 'content'],
  additionalProperties: false,
} as const;
