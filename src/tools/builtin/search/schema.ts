/** What else may not be there the tool says itself. */
export const schema = {
  type: 'object',
  properties: {
    pattern: { type: 'string' },
    path: { type: 'string' },
    glob: { type: 'string' },
    type: { type: 'string' },
    ignore_case: { type: 'boolean' },
    context: { type: 'integer' },
    multiline: { type: 'boolean' },
    output: { enum: ['lines', 'files', 'counts'] },
    limit: { type: 'integer' },
  },
  required: ['pattern'],
} as const;
