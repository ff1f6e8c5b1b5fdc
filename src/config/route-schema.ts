/** The part of the schema that says which model is taken when: phases and routes. */
import { effort, fullName, sampling } from './model-schema.ts';

export const phases = {
  type: 'object',
  description: 'Settings for one part of the work: planning, working, summarising, reviewing, judging.',
  propertyNames: {
    enum: ['planning', 'working', 'summarising', 'reviewing', 'judging'],
    errorMessage: 'Expected "planning", "working", "summarising", "reviewing" or "judging".',
  },
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    properties: { model: { ...fullName, description: 'Another model. In the user’s settings only.' }, ...sampling },
    errorMessage: 'Expected an object with settings of a phase.',
  },
  errorMessage: 'Expected an object of phases.',
} as const;

const when = {
  type: 'object',
  description: 'All that is given must hold; without it, any failure that another model may not have.',
  additionalProperties: false,
  properties: {
    failure: {
      type: 'array',
      description: 'The model before it failed in one of these ways, and no further try is due.',
      minItems: 1,
      maxItems: 9,
      items: {
        enum: [
          ...(['retryable', 'wait', 'broken-stream', 'unreachable', 'auth'] as const),
          ...(['quota', 'overflow', 'content', 'protocol'] as const),
        ],
        errorMessage:
          'Expected "retryable", "wait", "broken-stream", "unreachable", "auth", "quota", "overflow", "content" or "protocol".',
      },
      errorMessage: 'Expected a list of kinds of failures.',
    },
    tries: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'After this many failed tries already.',
      errorMessage: 'Expected a whole number from 1 to 1000.',
    },
    role: {
      enum: ['work', 'plan', 'summary', 'reviewer', 'judge'],
      description: 'What the request is for.',
      errorMessage: 'Expected "work", "plan", "summary", "reviewer" or "judge".',
    },
    effort: {
      type: 'array',
      description: 'The effort that is set for the model of the run.',
      minItems: 1,
      maxItems: 6,
      items: effort,
      errorMessage: 'Expected a list of efforts.',
    },
    costAbove: {
      type: 'number',
      minimum: 0,
      description: 'The session has spent this many dollars.',
      errorMessage: 'Expected dollars: a number of at least 0.',
    },
  },
  errorMessage: 'Expected an object with conditions.',
} as const;

export const routes = {
  type: 'array',
  description: 'Other models, in the order in which they are considered. In the user’s settings only.',
  maxItems: 50,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['model'],
    properties: { model: fullName, when },
    errorMessage: 'Expected {"model": "provider/model", "when": {...}}.',
  },
  errorMessage: 'Expected a list of routes.',
} as const;
