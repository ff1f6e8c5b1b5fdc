/** One change a call; what fits, the notes say themselves. */
export const schema = {
  type: 'object',
  properties: {
    scope: { type: 'string', enum: ['project', 'user'] },
    note: { type: 'string', minLength: 1, maxLength: 2200 },
    old: { type: 'string', minLength: 1, maxLength: 2200 },
  },
  required: ['scope'],
  additionalProperties: false,
} as const;
