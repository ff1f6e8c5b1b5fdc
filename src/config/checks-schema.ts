/** The part of the schema that says what proves the work. */

const command = {
  type: 'string',
  pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
  maxLength: 10_000,
  errorMessage: 'Expected a shell command.',
} as const;

export const checks = {
  type: 'array',
  description: 'Commands that prove the work: each that is required must exit with 0 after the last change.',
  maxItems: 50,
  items: {
    anyOf: [
      command,
      {
        type: 'object',
        additionalProperties: false,
        required: ['command'],
        properties: {
          command,
          timeout: {
            type: 'integer',
            minimum: 1000,
            maximum: 86_400_000,
            errorMessage: 'Expected milliseconds: a whole number from 1000 to 86400000.',
          },
          paths: {
            type: 'array',
            description:
              'Globs of the paths that need it, relative to the workspace; ! before one excepts. All without it.',
            minItems: 1,
            maxItems: 100,
            items: {
              type: 'string',
              pattern: '^!?[^!/\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
              maxLength: 1000,
              errorMessage: 'Expected a glob like src/**/*.ts, or !docs/** for what is excepted.',
            },
            errorMessage: 'Expected a list of globs.',
          },
          when: {
            enum: ['each-edit', 'stop', 'end'],
            description: 'After each edit, when the model is done, or once every other check has passed.',
            errorMessage: 'Expected "each-edit", "stop" or "end".',
          },
          advisory: {
            type: 'boolean',
            description: 'It is told and never keeps a run from completing.',
            errorMessage: 'Expected true or false.',
          },
        },
      },
    ],
    errorMessage: 'Expected a shell command, or {"command": "...", "timeout": milliseconds}.',
  },
  errorMessage: 'Expected a list of checks.',
} as const;
