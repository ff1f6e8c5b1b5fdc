/** What a setup must hold. */
import type {
  Check as CheckSetup,
  Definer,
  Limits,
  Mode,
  Rates,
  RetryPolicy,
  SetupData,
  ToolSpec,
} from '../core/index.ts';
import {
  fields,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  type Check,
  type Shape,
  type Words,
} from './shape.ts';

const check = fields({
  command: text,
  from: oneOf({ 'command-line': true, user: true, project: true } satisfies Words<CheckSetup['from']>),
  timeout: number,
  definers: list(fields({ path: text, hash: nullable(text) } satisfies Shape<Definer>)),
} satisfies Shape<CheckSetup>);
const checks = list(check);

const limits = fields({
  turns: nullable(number),
  calls: nullable(number),
  minutes: nullable(number),
  cost: nullable(number),
  outputTokens: number,
} satisfies Shape<Limits>);

const retries = fields({
  attempts: number,
  minutes: number,
  brokenStream: number,
  firstPause: number,
} satisfies Shape<RetryPolicy>);

const rates = fields({
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  cacheWriteHour: optional(number),
  dated: text,
  source: text,
} satisfies Shape<Rates>);

export const setup: Check = fields({
  reins: text,
  provider: text,
  wire: text,
  model: text,
  settings: object,
  system: list(text),
  tools: list(fields({ name: text, description: text, input: object } satisfies Shape<ToolSpec>)),
  mode: oneOf({ plan: true, ask: true, edit: true, auto: true, unsafe: true } satisfies Words<Mode>),
  limits,
  retries,
  checks: (value, path) => (value === 'waived' ? undefined : checks(value, path)),
  window: number,
  rates: optional(rates),
} satisfies Shape<SetupData>);
