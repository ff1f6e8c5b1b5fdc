export const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, arguments: { type: 'object' } },
  required: ['name', 'arguments'],
  additionalProperties: false,
} as const;
