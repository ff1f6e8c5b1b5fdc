/** What a setup must hold. */
import type {
  Abilities,
  Check as CheckSetup,
  Definer,
  Limits,
  Rates,
  RetryPolicy,
  Role,
  Route,
  PathScope,
  SetupData,
  Target,
  ToolSpec,
} from '../core/index.ts';
import { failureClass } from './failure-class.ts';
import { setupInstructions } from './instruction-shapes.ts';
import { mode } from './mode.ts';
import {
  fields,
  flag,
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
  watches: optional(
    fields({ tests: list(text), configuration: list(text) } satisfies Shape<NonNullable<CheckSetup['watches']>>),
  ),
  paths: optional(list(text)),
  when: optional(oneOf({ 'each-edit': true, end: true } satisfies Words<NonNullable<CheckSetup['when']>>)),
  advisory: optional(flag),
} satisfies Shape<CheckSetup>);
const checks = list(check);

const limits = fields({
  turns: nullable(number),
  calls: nullable(number),
  minutes: nullable(number),
  cost: nullable(number),
  outputTokens: number,
  tokens: optional(number),
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
  above: optional(
    fields({ tokens: number, input: number, output: number, cacheRead: number, cacheWrite: number } satisfies Shape<
      NonNullable<Rates['above']>
    >),
  ),
  dated: text,
  source: text,
} satisfies Shape<Rates>);

export const role = oneOf({ work: true, plan: true, summary: true, reviewer: true, judge: true } satisfies Words<Role>);

const abilities = fields({
  images: flag,
  efforts: list(text),
  thinking: oneOf({ none: true, budget: true, adaptive: true, either: true } satisfies Words<Abilities['thinking']>),
  leastThinking: optional(number),
  sampling: flag,
  systemMessages: flag,
  toolSearch: optional(flag),
  edits: oneOf({ replace: true, patch: true, tagged: true, whole: true } satisfies Words<Abilities['edits']>),
} satisfies Shape<Abilities>);

const target = {
  provider: text,
  wire: text,
  model: text,
  profile: optional(text),
  settings: object,
  abilities,
  window: number,
  maxOutput: number,
  rates: optional(rates),
} satisfies Shape<Target>;

const route = fields({
  ...target,
  when: fields({
    failure: optional(list(failureClass)),
    tries: optional(number),
    role: optional(role),
    effort: optional(list(text)),
    costAbove: optional(number),
  } satisfies Shape<Route['when']>),
} satisfies Shape<Route>);

export const setup: Check = fields({
  ...target,
  reins: text,
  runProfile: optional(
    fields({
      name: text,
      source: oneOf({ shipped: true, user: true, project: true }),
      file: optional(text),
      hash: optional(text),
    }),
  ),
  system: list(text),
  layers: optional(list(text)),
  instructions: optional(setupInstructions),
  tools: list(
    fields({
      name: text,
      description: text,
      input: object,
      text: optional(object),
      deferred: optional(flag),
    } satisfies Shape<ToolSpec>),
  ),
  mode,
  planFile: optional(text),
  limits,
  retries,
  checks: (value, path) => (value === 'waived' ? undefined : checks(value, path)),
  allowTestChanges: optional(flag),
  goal: optional(text),
  scope: optional(
    fields({ allowed: optional(list(text)), forbidden: optional(list(text)) } satisfies Shape<PathScope>),
  ),
  routes: optional(list(route)),
  switched: optional(fields({ from: text, by: text })),
} satisfies Shape<SetupData>);
