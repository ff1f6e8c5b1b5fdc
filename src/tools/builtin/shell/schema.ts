export const schema = {
  type: 'object',
  properties: {
    command: { type: 'string' },
    timeout: { type: 'integer', description: 'Seconds, default 120' },
    background: { type: 'boolean', description: 'At timeout (default 1) it goes on as a job' },
    terminal: { type: 'boolean', description: 'For the job' },
    description: { type: 'string', description: 'What it does, for people' },
  },
  required: ['command'],
  additionalProperties: false,
} as const;
