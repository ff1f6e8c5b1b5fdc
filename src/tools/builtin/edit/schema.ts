const text = { type: 'string' } as const;

/** What else may not be there the tool says itself. Each of `more` may have `all` too: models take it from the first edit. */
export const schema = {
  type: 'object',
  properties: {
    path: text,
    old: text,
    new: text,
    all: { type: 'boolean' },
    more: { type: 'array', items: { type: 'object', properties: { old: text, new: text } } },
  },
  required: ['path', 'old', 'new'],
} as const;
