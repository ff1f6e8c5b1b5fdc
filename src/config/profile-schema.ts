/** What settings say of the profile of a run, and what a profile is made of besides the other settings. */

export const profile = {
  type: 'string',
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'The profile of runs: a shipped one, or a file of yours.',
  errorMessage: 'Expected the name of a profile: letters, digits, dots, dashes and underscores.',
} as const;

export const tools = {
  type: 'array',
  minItems: 1,
  maxItems: 500,
  description: 'Exactly these tools; all when left out.',
  items: {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    errorMessage: 'Expected the name of a tool.',
  },
  errorMessage: 'Expected a list of names of tools, at least one.',
} as const;

export const loop = {
  type: 'object',
  description: 'Which rules of the loop run. In the user’s settings only.',
  additionalProperties: false,
  properties: {
    leaveOut: {
      type: 'array',
      description: 'Rules of the loop that are left out.',
      items: { enum: ['plan', 'stuck'], errorMessage: 'Expected "plan" or "stuck": no other rule can be left out.' },
      errorMessage: 'Expected a list of rules of the loop.',
    },
  },
  errorMessage: 'Expected {"leaveOut": ["plan"]}.',
} as const;
