const text = { type: 'string' } as const;

/** What else may not be there, or only together, the tool says itself. */
export const schema = {
  type: 'object',
  properties: {
    path: text,
    edits: {
      type: 'array',
      items: { type: 'object', properties: { from: text, to: text, after: text, text }, required: ['text'] },
    },
  },
  required: ['path', 'edits'],
} as const;
