export const schema = {
  type: 'object',
  properties: { patch: { type: 'string' } },
  required: ['patch'],
  additionalProperties: false,
} as const;
