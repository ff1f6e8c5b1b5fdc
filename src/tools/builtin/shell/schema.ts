export const schema = {
  type: 'object',
  properties: {
    command: { type: 'string' },
    timeout: { type: 'integer', description: 'Seconds, default 120' },
    background: { enum: ['job', 'kept'], description: 'Goes on at timeout (default 1); kept: past the session' },
    terminal: { type: 'boolean', description: 'For the job' },
    description: { type: 'string', description: 'For people' },
  },
  required: ['command'],
  additionalProperties: false,
} as const;
