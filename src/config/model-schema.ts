/** The part of the schema that is about models: their settings, prices and abilities. */

export const text = (pattern: string, maxLength: number, errorMessage: string) =>
  ({ type: 'string', pattern, maxLength, errorMessage }) as const;

const dollars = {
  type: 'number',
  minimum: 0,
  errorMessage: 'Expected dollars for a million tokens: a number of at least 0.',
} as const;

const prices = {
  type: 'object',
  description: 'Dollars for a million tokens.',
  additionalProperties: false,
  required: ['input', 'output', 'cacheRead', 'cacheWrite'],
  properties: {
    input: dollars,
    output: dollars,
    cacheRead: dollars,
    cacheWrite: dollars,
    cacheWriteHour: dollars,
    above: {
      type: 'object',
      description: 'What a request costs whose whole input is larger than so many tokens.',
      additionalProperties: false,
      required: ['tokens', 'input', 'output', 'cacheRead', 'cacheWrite'],
      properties: {
        tokens: { type: 'integer', minimum: 1, errorMessage: 'Expected a whole number of tokens.' },
        input: dollars,
        output: dollars,
        cacheRead: dollars,
        cacheWrite: dollars,
      },
      errorMessage: 'Expected an object with the prices of long requests.',
    },
    dated: {
      type: 'string',
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description: 'Day when the prices were read; without it, the day when this file was last changed.',
      errorMessage: 'Expected a day as YYYY-MM-DD.',
    },
  },
  errorMessage: 'Expected an object with the prices of a model.',
} as const;

export const rates = {
  type: 'object',
  description: 'Prices by model name, in dollars for a million tokens. In the user’s settings only.',
  additionalProperties: prices,
  errorMessage: 'Expected an object of model names and their prices.',
} as const;

export const effort = {
  enum: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
  description: 'How hard the model works, where it can be told.',
  errorMessage: 'Expected "none", "low", "medium", "high", "xhigh" or "max".',
} as const;

const thinking = {
  anyOf: [{ enum: ['off', 'adaptive'] }, { type: 'integer', minimum: 1024, maximum: 1_000_000 }],
  description: 'Whether the model thinks first; a number is a budget of tokens.',
  errorMessage: 'Expected "off", "adaptive", or a budget of tokens: a whole number of at least 1024.',
} as const;

const temperature = {
  type: 'number',
  minimum: 0,
  maximum: 2,
  description: 'Sampling temperature, where the model takes one.',
  errorMessage: 'Expected a number from 0 to 2.',
} as const;

const topP = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  description: 'Share of the likeliest tokens that are sampled from, where the model takes one.',
  errorMessage: 'Expected a number from 0 to 1.',
} as const;

export const sampling = { effort, thinking, temperature, topP } as const;

export const modelSettings = {
  ...sampling,
  body: {
    type: 'object',
    description: 'Further keys of the request’s body, sent as they are.',
    additionalProperties: {},
    errorMessage: 'Expected an object with keys of the request’s body.',
  },
} as const;

const tokens = {
  type: 'integer',
  minimum: 1,
  maximum: 100_000_000,
  errorMessage: 'Expected tokens: a whole number of at least 1.',
} as const;

const flag = { type: 'boolean', errorMessage: 'Expected true or false.' } as const;

export const modelFacts = {
  window: { ...tokens, description: 'Context window in tokens.' },
  maxOutput: { ...tokens, description: 'The most output tokens of one reply.' },
  rates: prices,
  abilities: {
    type: 'object',
    description: 'What the model can do, where the catalogue doesn’t know it or knows it otherwise.',
    additionalProperties: false,
    properties: {
      images: { ...flag, description: 'Whether it can be sent images.' },
      efforts: {
        type: 'array',
        description: 'The efforts that it can be told.',
        maxItems: 20,
        items: text('^[a-z]{1,20}$', 20, 'Expected an effort in lower-case letters.'),
        errorMessage: 'Expected a list of efforts.',
      },
      thinking: {
        enum: ['none', 'budget', 'adaptive', 'either'],
        description: 'How it is told to think.',
        errorMessage: 'Expected "none", "budget", "adaptive" or "either".',
      },
      sampling: { ...flag, description: 'Whether it takes temperature and top-p.' },
      systemMessages: { ...flag, description: 'Whether it takes system messages in the middle.' },
      toolSearch: { ...flag, description: 'Whether it finds deferred tools by the wire’s own means.' },
      edits: {
        enum: ['replace', 'patch', 'tagged', 'whole'],
        description: 'The edit format that it does best with.',
        errorMessage: 'Expected "replace", "patch", "tagged" or "whole".',
      },
    },
    errorMessage: 'Expected an object with abilities.',
  },
} as const;

export const fullName = text(
  '^[^\\s/\\u0000-\\u001f\\u007f]+/[^\\s\\u0000-\\u001f\\u007f]+$',
  1000,
  'Expected a model as "provider/model".',
);

export const models = {
  type: 'object',
  description:
    'Models as "provider/model": their settings, and what is to be known of them. In the user’s settings only.',
  propertyNames: { pattern: fullName.pattern, errorMessage: fullName.errorMessage },
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    properties: { ...modelSettings, ...modelFacts },
    errorMessage: 'Expected an object with a model.',
  },
  errorMessage: 'Expected an object of models.',
} as const;
