/**
 * The format of scenario files, as plain JSON Schema (2020-12): published as schema/scenario.schema.json, so that editors can
 * complete and check. docs/testing.md explains it.
 */

const text = { type: 'string' } as const;
const name = { type: 'string', minLength: 1 } as const;
const anything = { type: 'object', additionalProperties: {} } as const;
const milliseconds = { type: 'integer', minimum: 0 } as const;
const count = { type: 'integer', minimum: 1 } as const;
const tokens = { type: 'integer', minimum: 0 } as const;
const texts = { anyOf: [name, { type: 'array', items: name, minItems: 1 }] } as const;
const times = { anyOf: [count, { const: 'forever' }] } as const;

const stage = {
  enum: ['before-headers', 'after-headers', 'in-thinking', 'in-text', 'in-call', 'before-end'],
  description: 'A point in the course of a reply.',
} as const;

const call = {
  type: 'object',
  properties: {
    name: { ...name, description: 'Name of the tool.' },
    arguments: { ...anything, description: 'The arguments; default none.' },
    id: { ...text, description: 'Id of the call; default one of the server’s own.' },
    malformed: {
      ...text,
      description: 'Raw text in place of the arguments, for arguments that are cut or no JSON.',
    },
  },
  required: ['name'],
  additionalProperties: false,
} as const;

const block = {
  anyOf: [
    { type: 'object', properties: { thinking: text }, required: ['thinking'], additionalProperties: false },
    { type: 'object', properties: { redacted: text }, required: ['redacted'], additionalProperties: false },
    { type: 'object', properties: { text }, required: ['text'], additionalProperties: false },
    { type: 'object', properties: { call }, required: ['call'], additionalProperties: false },
    { type: 'object', properties: { opaque: anything }, required: ['opaque'], additionalProperties: false },
  ],
  description:
    'One block: thinking, redacted (thinking that arrives sealed), text, call, or opaque (a block of the wire, as it is).',
} as const;

const usage = {
  anyOf: [
    { const: 'none' },
    {
      type: 'object',
      properties: {
        input: tokens,
        cacheRead: tokens,
        cacheWrite: tokens,
        cacheWriteHour: tokens,
        output: tokens,
        reasoning: tokens,
      },
      additionalProperties: false,
    },
  ],
  description: 'Tokens to report, or none; default an estimate of the request and the reply.',
} as const;

const replyProperties = {
  thinking: { ...text, description: 'Thinking before the text, signed by the server.' },
  text: {
    anyOf: [text, { type: 'array', items: text }],
    description: 'Text: one block, or several.',
  },
  calls: { type: 'array', items: call, description: 'Tool calls, after the text.' },
  blocks: {
    type: 'array',
    items: block,
    description: 'All blocks in their order, instead of thinking, text and calls.',
  },
  raw: {
    type: 'array',
    items: { anyOf: [text, anything] },
    description: 'The stream itself, instead of everything else: an object is sent as one event, a string as it is.',
  },
  stop: {
    ...name,
    description:
      'Why the reply ends: end, calls, length, pause, refusal, overflow, or a word of the wire. Default: calls if there are any, else end.',
  },
  stopDetail: { ...text, description: 'The explanation of a refusal.' },
  usage,
  wait: { ...milliseconds, description: 'Milliseconds before the headers.' },
  delay: { ...milliseconds, description: 'Milliseconds after each event of the stream.' },
  chunk: { ...count, description: 'Characters in a delta; default 24.' },
  split: { ...count, description: 'Bytes in a write, so that events and characters arrive torn.' },
} as const;

export const replySchema = {
  type: 'object',
  properties: replyProperties,
  additionalProperties: false,
} as const;

const failureTimes = { ...times, description: 'How many attempts fail like this; default 1.' } as const;

export const failureSchema = {
  anyOf: [
    {
      type: 'object',
      properties: {
        status: { type: 'integer', minimum: 200, maximum: 599, description: 'HTTP status.' },
        error: { ...text, description: 'Type of the error; default what fits the status.' },
        message: text,
        headers: { type: 'object', additionalProperties: text },
        body: { description: 'The body: text as it is, anything else as JSON.' },
        retryAfter: { type: 'number', minimum: 0, description: 'Seconds to wait before the next try.' },
        retryAfterAs: {
          enum: ['seconds', 'milliseconds', 'date'],
          description: 'How retryAfter is written; default seconds.',
        },
        times: failureTimes,
      },
      required: ['status'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: {
        cut: { ...stage, description: 'Where the connection ends.' },
        how: {
          enum: ['close', 'reset', 'end'],
          description:
            'close: the connection ends in the middle (default); reset: it is torn down; end: the body ends in good order, but too early.',
        },
        times: failureTimes,
      },
      required: ['cut'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: {
        silence: { ...stage, description: 'Where the server falls silent, with the connection open.' },
        times: failureTimes,
      },
      required: ['silence'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: {
        streamError: { ...stage, description: 'Where an error event comes in the stream, which ends with it.' },
        error: { ...text, description: 'Type of the error; default overloaded_error.' },
        message: text,
        times: failureTimes,
      },
      required: ['streamError'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: {
        close: { const: true, description: 'The connection ends without any answer.' },
        times: failureTimes,
      },
      required: ['close'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: { reply: { ...replySchema, description: 'Another reply instead.' }, times: failureTimes },
      required: ['reply'],
      additionalProperties: false,
    },
  ],
  description: 'What happens to one attempt: status, cut, silence, streamError, close, or another reply.',
} as const;

export const matchSchema = {
  type: 'object',
  properties: {
    contains: { ...texts, description: 'Texts in the last user message, its results included.' },
    lacks: { ...texts, description: 'Texts that are not in it.' },
    anywhere: { ...texts, description: 'Texts in any message.' },
    system: { ...texts, description: 'Texts in the system prompt.' },
    tools: { type: 'array', items: name, description: 'Tools that are offered, among others.' },
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { ...name, description: 'The tool that was called.' },
          error: { type: 'boolean', description: 'Whether the result is marked as an error.' },
          contains: { ...texts, description: 'Texts in the result.' },
          lacks: { ...texts, description: 'Texts that are not in it.' },
        },
        additionalProperties: false,
      },
      description: 'The results in the last user message: all of them, in order.',
    },
  },
  additionalProperties: false,
} as const;

const turnProperties = {
  ...replyProperties,
  failures: {
    type: 'array',
    items: failureSchema,
    description: 'What happens to the first attempts, one each, before the reply.',
  },
  expect: { ...matchSchema, description: 'What the request must have; one that lacks it is refused.' },
} as const;

export const turnSchema = {
  type: 'object',
  properties: {
    ...turnProperties,
    repeat: { ...times, description: 'How many times the turn is served in a row; default 1.' },
  },
  additionalProperties: false,
} as const;

export const ruleSchema = {
  type: 'object',
  properties: {
    ...turnProperties,
    when: { ...matchSchema, description: 'What a request must have for this reply to come.' },
  },
  required: ['when'],
  additionalProperties: false,
} as const;

/** The checks of the strict mode, by what they are about; docs/testing.md lists them. */
export const strictRules = [
  ...(['keys', 'text', 'roles', 'blank', 'ids', 'results', 'orphan-results'] as const),
  ...(['signatures', 'images', 'window', 'marks', 'tools', 'input'] as const),
] as const;

export const strictOptionsSchema = {
  type: 'object',
  properties: {
    except: { type: 'array', items: { enum: strictRules }, description: 'Checks to leave out.' },
    systemMessages: {
      type: 'boolean',
      description: 'Whether system messages may come after those of the user; default false.',
    },
  },
  additionalProperties: false,
} as const;

export const scenarioSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Reins scenario',
  description: 'A script of a model’s replies, served by the model server of reins/testing.',
  type: 'object',
  properties: {
    $schema: text,
    description: text,
    model: { ...name, description: 'Name the replies carry; default the one that was asked for.' },
    window: { ...count, description: 'Context window in tokens; default 200,000.' },
    strict: {
      anyOf: [{ type: 'boolean' }, strictOptionsSchema],
      description: 'Whether bad requests are refused, as a real provider does; default true.',
    },
    position: {
      enum: ['history', 'count'],
      description:
        'How the next turn is found: by the replies in the request (default; also right after a restart), or by counting replies served.',
    },
    turns: { type: 'array', items: turnSchema, description: 'The replies, in order.' },
    anyTurn: {
      type: 'array',
      items: ruleSchema,
      description: 'Replies that come instead, whenever the request fits; they don’t use up a turn.',
    },
    after: { ...replySchema, description: 'The reply to every request after the last turn; default a refusal.' },
  },
  required: ['turns'],
  additionalProperties: false,
} as const;
