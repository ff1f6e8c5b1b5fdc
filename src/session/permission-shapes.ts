/** What events about permissions must hold to be used. */
import type { Effect, PermissionData, Resource, ReviewedPlan, Scope } from '../core/index.ts';
import { source, usage } from './message-shapes.ts';
import { mode } from './mode.ts';
import { fields, flag, list, number, object, oneOf, optional, text, type Shape, type Words } from './shape.ts';

type Data<K extends keyof PermissionData> = Shape<PermissionData[K]>;

const resource = fields({
  access: oneOf({ read: true, write: true } satisfies Words<Resource['access']>),
  path: text,
} satisfies Shape<Resource>);
const resources = list(resource);
const effect = oneOf({
  read: true,
  write: true,
  execute: true,
  network: true,
  destroy: true,
  'cannot-tell': true,
} satisfies Words<Effect>);

const decision = oneOf({ allow: true, ask: true, deny: true } satisfies Words<PermissionData['verdict']['decision']>);
const scope = oneOf({ once: true, session: true, always: true } satisfies Words<Scope>);

export const permissionShapes = {
  verdict: fields({
    call: text,
    tool: text,
    decision,
    by: text,
    reason: text,
    arguments: object,
    changedBy: optional(list(text)),
    resources: (value, path) => (value === 'unknown' ? undefined : resources(value, path)),
    effects: optional(list(effect)),
    hosts: optional(list(text)),
    part: optional(text),
    shape: optional(text),
  } satisfies Data<'verdict'>),
  ask: fields({
    call: text,
    tool: text,
    question: text,
    command: optional(text),
    effects: optional(list(effect)),
    by: optional(text),
    part: optional(text),
    because: optional(text),
    diff: optional(text),
    shape: optional(text),
    until: optional(number),
    options: optional(list(text)),
    plan: optional(fields({ file: text, text, modes: list(mode) } satisfies Shape<ReviewedPlan>)),
  } satisfies Data<'ask'>),
  answer: fields({
    ask: text,
    by: text,
    decision: oneOf({ yes: true, no: true }),
    scope,
    reason: optional(text),
    arguments: optional(object),
    mode: optional(mode),
    message: optional(text),
  } satisfies Data<'answer'>),
  review: fields({
    ask: text,
    source,
    blob: text,
    bytes: number,
    reserved: fields({ input: number, output: number, cost: optional(number) }),
  } satisfies Data<'review'>),
  'review-end': fields({
    review: text,
    decision: optional(oneOf({ allow: true, deny: true, ask: true })),
    reason: optional(text),
    failed: optional(text),
    text: optional(text),
    usage: optional(usage),
    cost: optional(number),
    estimated: optional(flag),
    elapsed: number,
  } satisfies Data<'review-end'>),
  connection: fields({
    call: optional(text),
    host: text,
    port: number,
    allowed: flag,
    reason: text,
    sent: optional(number),
    received: optional(number),
  } satisfies Data<'connection'>),
};
