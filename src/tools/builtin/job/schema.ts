export const schema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    input: { type: 'string' },
    wait: { type: 'string' },
    timeout: { type: 'integer' },
    end: { type: 'boolean' },
  },
  additionalProperties: false,
} as const;
