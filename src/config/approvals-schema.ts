/** What settings say of questions about calls: who answers, and what counts when nobody does. */

const seconds = {
  type: 'number',
  exclusiveMinimum: 0,
  maximum: 604_800,
  errorMessage: 'Expected seconds: a number above 0, at most 604800 (a week).',
} as const;

export const approvals = {
  type: 'object',
  description: 'Questions about calls. In the user’s settings only.',
  additionalProperties: false,
  properties: {
    timeout: {
      anyOf: [seconds, { type: 'null' }],
      description: 'Seconds after which a question without an answer is a no; null: never.',
      errorMessage: 'Expected seconds above 0 and at most 604800 (a week), or null for no time-out.',
    },
    onAsk: {
      enum: ['deny', 'wait'],
      description: 'Where nobody is there: a question is a no, or the run stops and waits for an answer.',
      errorMessage: 'Expected "deny" or "wait".',
    },
    reviewer: {
      type: 'object',
      description: 'A second model that answers in place of a person.',
      additionalProperties: false,
      required: ['model'],
      properties: {
        model: {
          type: 'string',
          pattern: '^[^\\u0000-\\u0020\\u007f][^\\u0000-\\u001f\\u007f]*$',
          maxLength: 1000,
          description: 'The model, as provider/model.',
          errorMessage: 'Expected the name of a model.',
        },
        timeout: { ...seconds, description: 'Seconds that it may take for one question (60).' },
        perTurn: {
          type: 'integer',
          minimum: 1,
          maximum: 1000,
          description: 'Questions that it is asked in one turn (10).',
          errorMessage: 'Expected a whole number from 1 to 1000.',
        },
      },
      errorMessage: 'Expected {"model": "provider/model"}.',
    },
  },
  errorMessage: 'Expected an object with settings of approvals.',
} as const;
