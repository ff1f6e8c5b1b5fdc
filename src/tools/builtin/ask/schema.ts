export const schema = {
  type: 'object',
  properties: {
    question: { type: 'string' },
    options: { type: 'array', items: { type: 'string' } },
    default: { type: 'string' },
  },
  required: ['question', 'options'],
  additionalProperties: false,
} as const;
