const longest = 600;

export const schema = {
  type: 'object',
  properties: {
    command: { type: 'string', minLength: 1 },
    timeout: { type: 'integer', minimum: 1, maximum: longest, description: 'Seconds, 120 by default' },
    description: { type: 'string', description: 'What it does, for people' },
  },
  required: ['command'],
  additionalProperties: false,
} as const;
