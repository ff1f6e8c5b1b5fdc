/**
 * The schema of a settings file, as plain JSON Schema (2020-12): published as schema/settings.schema.json, so that editors can
 * complete and check. `errorMessage` says what a value must be; editors of the VS Code family show it, and so do we.
 */
import type { XStatic } from 'typebox/schema';
import { approvals } from './approvals-schema.ts';
import { checks } from './checks-schema.ts';
import { egress } from './egress-schema.ts';
import { checkpoints, diagnostics, edits, environment, fetch, sandbox } from './hands-schema.ts';
import { models, rates, sampling } from './model-schema.ts';
import { loop, profile, tools } from './profile-schema.ts';
import { appendPrompt, instructions, map, memory, preamble, style } from './prompt-schema.ts';
import { endpoint, providers, url } from './provider-schema.ts';
import { phases, routes } from './route-schema.ts';
import { files, importRules, pack, rules } from './rules-schema.ts';

const shapeList = {
  type: 'array',
  maxItems: 500,
  items: {
    type: 'string',
    pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\u0000-\\u0020\\u007f][^\\u0000-\\u001f\\u007f]*$',
    maxLength: 2000,
    errorMessage: 'Expected the shape of a call: one line of text that is not blank.',
  },
  errorMessage: 'Expected a list of call shapes.',
} as const;

const count = {
  anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
  errorMessage: 'Expected a whole number of at least 1, or null to lift the limit.',
} as const;

const amount = {
  anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { type: 'null' }],
  errorMessage: 'Expected a number above 0, or null to lift the limit.',
} as const;

/** The upper bound is a day; the lower one catches seconds given where milliseconds are meant. */
const milliseconds = {
  type: 'integer',
  minimum: 100,
  maximum: 86_400_000,
  errorMessage: 'Expected milliseconds: a whole number from 100 to 86400000.',
} as const;

const limits = {
  type: 'object',
  description: 'Limits of a session; null lifts one.',
  additionalProperties: false,
  properties: {
    turns: { ...count, description: 'Replies of the model.' },
    calls: { ...count, description: 'Tool calls that were started.' },
    minutes: { ...amount, description: 'Minutes of running; waiting for a person does not count.' },
    cost: { ...amount, description: 'Dollars; holds on models with a rate.' },
    outputTokens: {
      type: 'integer',
      minimum: 1,
      description: 'Output tokens offered to one turn.',
      errorMessage: 'Expected a whole number of at least 1.',
    },
  },
  errorMessage: 'Expected an object with limits.',
} as const;

const tries = {
  type: 'integer',
  minimum: 1,
  maximum: 1000,
  errorMessage: 'Expected a whole number from 1 to 1000.',
} as const;

const retries = {
  type: 'object',
  description: 'How patiently a failed request is tried again.',
  additionalProperties: false,
  properties: {
    attempts: { ...tries, description: 'Tries of one request, the first included.' },
    minutes: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1440,
      description: 'Minutes within which the tries happen.',
      errorMessage: 'Expected minutes: a number above 0, at most 1440.',
    },
    brokenStream: { ...tries, description: 'Tries when the stream breaks or the host cannot be reached.' },
    firstPause: {
      type: 'integer',
      minimum: 1,
      maximum: 60_000,
      description: 'Milliseconds before the second try; doubles up to a minute.',
      errorMessage: 'Expected milliseconds: a whole number from 1 to 60000.',
    },
  },
  errorMessage: 'Expected an object with retry settings.',
} as const;

const timeouts = {
  type: 'object',
  description: 'Milliseconds that a request may take for each of its stages.',
  additionalProperties: false,
  properties: {
    connect: { ...milliseconds, description: 'Until the connection stands.' },
    firstByte: { ...milliseconds, description: 'From sending to the first byte of the answer.' },
    silence: { ...milliseconds, description: 'Between two pieces of the answer.' },
  },
  errorMessage: 'Expected an object with time-outs.',
} as const;

export const settingsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Settings of Reins',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', description: 'For editors.', errorMessage: 'Expected the address of a schema.' },
    profile,
    model: {
      type: 'string',
      pattern: '^[^\\u0000-\\u0020\\u007f][^\\u0000-\\u001f\\u007f]*$',
      maxLength: 1000,
      description: 'The model, or script:FILE to rehearse a scenario.',
      errorMessage: 'Expected the name of a model.',
    },
    mode: {
      enum: ['plan', 'ask', 'edit', 'auto', 'unsafe'],
      description: 'What passes without a question. A project’s file can’t choose unsafe.',
      errorMessage: 'Expected "plan", "ask", "edit", "auto" or "unsafe".',
    },
    tools,
    loop,
    checks,
    limits,
    retries,
    timeouts,
    ...sampling,
    phases,
    allow: { ...shapeList, description: 'Shapes of calls that pass where the mode would ask.' },
    ask: { ...shapeList, description: 'Shapes of calls that are asked about.' },
    deny: { ...shapeList, description: 'Shapes of calls that are refused.' },
    rules,
    importRules,
    pack,
    files,
    approvals,
    edits,
    instructions,
    memory,
    style,
    appendPrompt,
    preamble,
    map,
    diagnostics,
    checkpoints,
    environment,
    fetch,
    egress,
    sandbox,
    providers,
    models,
    routes,
    endpoint,
    proxy: { ...url, description: 'Address of a proxy for requests to the provider. In the user’s settings only.' },
    rates,
  },
  errorMessage: 'Expected an object: { ... }.',
} as const;

/** What a settings file may hold. */
export type FileSettings = XStatic<typeof settingsSchema>;

/** Keys that only the user's own file may have: they decide who gets the key and the code, and what it costs. */
export const userOnlyKeys: readonly string[] = [
  'loop',
  'memory',
  'importRules',
  'pack',
  'files',
  'approvals',
  'checkpoints',
  'environment',
  'fetch',
  'egress',
  'sandbox',
  'endpoint',
  'proxy',
  'rates',
  'providers',
  'models',
  'routes',
];
