/**
 * What each kind of event must hold to be used: a line that is valid JSON may still be damaged (one flipped bit in a key is
 * enough), and whoever folds it must be able to rely on its shape. Optional fields are checked where they are present.
 */
import type {
  Change,
  EventData,
  FailureKind,
  InputFrom,
  JobEnd,
  Kind,
  Outcome,
  ReplyStop,
  StopReason,
} from '../core/index.ts';
import { asideShapes } from './aside-shapes.ts';
import { childShapes } from './child-shapes.ts';
import { compactionShapes } from './compaction-shapes.ts';
import { evidenceShapes } from './evidence-shapes.ts';
import { failureClass } from './failure-class.ts';
import { instructionShapes } from './instruction-shapes.ts';
import { images, part, source, usage } from './message-shapes.ts';
import { judgementShapes } from './judgement-shapes.ts';
import { permissionShapes } from './permission-shapes.ts';
import { role, setup } from './setup-shape.ts';
import { titleShapes } from './title-shapes.ts';
import {
  each,
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

type Data<K extends Kind> = Shape<EventData[K]>;

const change = fields({ path: text, before: nullable(text), after: nullable(text) } satisfies Shape<Change>);
const signal = optional(oneOf({ SIGINT: true, SIGTERM: true }));

const failureKind = oneOf({
  schema: true,
  'not-found': true,
  timeout: true,
  transient: true,
  limit: true,
  internal: true,
  failed: true,
} satisfies Words<FailureKind>);

const jobEnd = oneOf({
  exited: true,
  ended: true,
  session: true,
  lifetime: true,
  lost: true,
} satisfies Words<JobEnd>);

const inputFrom = oneOf({
  user: true,
  steer: true,
  'follow-up': true,
  hook: true,
  harness: true,
  parent: true,
} satisfies Words<InputFrom>);

const replyStop = oneOf({
  end: true,
  calls: true,
  length: true,
  pause: true,
  refusal: true,
  overflow: true,
  other: true,
} satisfies Words<ReplyStop>);

const outcome = oneOf({
  ok: true,
  error: true,
  denied: true,
  cancelled: true,
  cut: true,
  interrupted: true,
  'not-run': true,
} satisfies Words<Outcome>);

const stopReason = oneOf({
  completed: true,
  error: true,
  unverified: true,
  limit: true,
  denied: true,
  stuck: true,
  provider: true,
  refused: true,
  waiting: true,
  cancelled: true,
} satisfies Words<StopReason>);

const broke = oneOf({ model: true, tools: true, system: true, messages: true });
const headWhy = oneOf({ rewind: true, fork: true, move: true } satisfies Words<EventData['head']['why']>);
const level = oneOf({ info: true, warning: true, error: true } satisfies Words<EventData['notice']['level']>);

const shapes: { [K in Kind]: Check } = {
  session: fields({
    format: number,
    reins: text,
    workspace: text,
    parent: optional(fields({ session: text, event: text })),
  } satisfies Data<'session'>),
  setup,
  input: fields({
    from: inputFrom,
    text,
    images,
    pinned: optional(flag),
    code: optional(text),
    message: optional(text),
  } satisfies Data<'input'>),
  cancel: fields({ by: text, signal, message: optional(text) } satisfies Data<'cancel'>),
  request: fields({
    turn: number,
    attempt: number,
    source,
    fingerprint: text,
    base: nullable(text),
    kept: number,
    tail: text,
    tailBlob: optional(text),
    bytes: number,
    route: optional(
      fields({ to: text, from: optional(text), role: optional(role), because: text } satisfies Shape<
        NonNullable<EventData['request']['route']>
      >),
    ),
    leftOut: optional(list(fields({ tool: text, why: text }))),
    extends: flag,
    broke: optional(broke),
    miss: optional(
      fields({ at: number, of: text, tokens: number, cost: optional(number) } satisfies Shape<
        NonNullable<EventData['request']['miss']>
      >),
    ),
    reserved: fields({ input: number, output: number, cost: optional(number) }),
    closing: optional(flag),
  } satisfies Data<'request'>),
  reply: fields({
    request: nullable(text),
    source,
    parts: list(part),
    stop: replyStop,
    stopRaw: optional(text),
    stopDetail: optional(text),
    repairs: optional(list(fields({ call: number, what: text }))),
    withheld: optional(list(number)),
    usage: optional(usage),
    cost: optional(number),
    firstByte: number,
    elapsed: number,
    providerId: optional(text),
    requestId: optional(text),
  } satisfies Data<'reply'>),
  failure: fields({
    request: text,
    class: failureClass,
    code: text,
    message: text,
    status: optional(number),
    retryAt: optional(number),
    usage: optional(usage),
    cost: optional(number),
    estimated: optional(flag),
    requestId: optional(text),
  } satisfies Data<'failure'>),
  ...permissionShapes,
  ...asideShapes,
  ...compactionShapes,
  'follow-up': fields({ input: text } satisfies Data<'follow-up'>),
  ...instructionShapes,
  ...titleShapes,
  hook: object,
  start: fields({ call: text, tool: text, snapshot: optional(text) } satisfies Data<'start'>),
  result: fields({
    call: text,
    tool: text,
    outcome,
    text,
    blob: optional(text),
    bytes: optional(number),
    images,
    changes: optional(list(change)),
    mayHaveChanged: optional(flag),
    exit: optional(nullable(number)),
    elapsed: optional(number),
    failed: optional(failureKind),
    tries: optional(number),
    snapshot: optional(text),
    facts: optional(object),
  } satisfies Data<'result'>),
  rewrite: object,
  ...evidenceShapes,
  ...judgementShapes,
  checkpoint: fields({
    commit: nullable(text),
    files: each(nullable(text)),
    changed: optional(list(text)),
    incomplete: optional(text),
    afterCheck: optional(flag),
  } satisfies Data<'checkpoint'>),
  ...childShapes,
  job: fields({ id: text, call: text, command: text, kept: flag, until: optional(number) } satisfies Data<'job'>),
  'job-end': fields({
    id: text,
    how: jobEnd,
    exit: nullable(number),
    signal: optional(text),
    message: optional(text),
  } satisfies Data<'job-end'>),
  undo: fields({
    calls: list(text),
    undone: optional(text),
    before: text,
    after: text,
    changes: list(change),
    kept: list(fields({ path: text, why: text })),
  } satisfies Data<'undo'>),
  head: fields({ from: text, why: headWhy, branch: optional(text) } satisfies Data<'head'>),
  notice: fields({ code: text, level, text, data: optional(object) } satisfies Data<'notice'>),
  stop: fields({
    reason: stopReason,
    code: optional(text),
    detail: text,
    answer: optional(text),
    signal,
  } satisfies Data<'stop'>),
};

export function isKind(kind: string): kind is Kind {
  return Object.hasOwn(shapes, kind);
}

/** What keeps these data from being those of an event of this kind; undefined when nothing does. */
export function wrongWith(kind: Kind, data: unknown): string | undefined {
  return shapes[kind](data, '');
}
