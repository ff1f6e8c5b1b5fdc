/** The format of `case.json`: what is run over a scenario, and what must hold afterwards. docs: test/scenarios/README.md. */
import type { XStatic } from 'typebox/schema';
import { wireNames } from './scenario-wires.ts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const anything = { type: 'object', additionalProperties: {} } as const;
const texts = { type: 'array', items: text } as const;
const mapOf = <const Schema extends object>(additionalProperties: Schema) => {
  return { type: 'object', additionalProperties } as const;
};

/** A file: its text, or bytes in a form that Git and editors leave alone. */
const file = {
  anyOf: [
    text,
    {
      type: 'object',
      properties: {
        text,
        /** One character a byte: `caf\u00e9` is 63 61 66 E9. */
        bytes: text,
        hex: text,
        /** So many lines, `{n}` in each the number of the line; `ends` are taken in turn. */
        lines: count,
        line: text,
        ends: texts,
        /** So many files, `{n}` in the path the number of each. */
        copies: count,
        link: text,
        pipe: { const: true },
        folder: { const: true },
        /** Octal. */
        mode: text,
      },
      additionalProperties: false,
    },
  ],
} as const;

/** What has become of a file: exactly this, or what can be said of it. */
const fileExpectation = {
  anyOf: [
    { enum: ['unchanged', 'absent', 'any'] },
    {
      type: 'object',
      properties: {
        is: file,
        /** The bytes it began with, each pair replaced where it stands, once (one character a byte). */
        replaced: { type: 'array', items: texts },
        sha256: text,
        contains: texts,
        lacks: texts,
      },
      additionalProperties: false,
    },
  ],
} as const;

const pattern = { ...anything, description: 'A partial event or object; see scenario-match.ts.' } as const;

/** Something done from outside while a run is under way, or before it. */
const deed = {
  type: 'object',
  properties: {
    files: mapOf(file),
    remove: texts,
    signal: { enum: ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] },
    cancel: { const: true },
    say: text,
    /** The model that is asked from now on; only through the harness. */
    switchTo: text,
    /** A function of the case's script.ts. */
    script: text,
  },
  additionalProperties: false,
} as const;

const during = {
  type: 'object',
  properties: {
    /** When the answer to this request has come to a stage (default: before its headers); or when an event of the log fits. */
    request: count,
    stage: { enum: ['before-headers', 'after-headers', 'in-thinking', 'in-text', 'in-call', 'before-end'] },
    event: pattern,
    do: { type: 'array', items: deed },
  },
  required: ['do'],
  additionalProperties: false,
} as const;

const limits = {
  type: 'object',
  properties: {
    turns: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    calls: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    minutes: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    cost: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    outputTokens: { type: 'number' },
  },
  additionalProperties: false,
} as const;

const runProperties = {
  /** Default: `Do it.`; null: go on without a new input. */
  task: { anyOf: [text, { type: 'null' }] },
  model: text,
  mode: { enum: ['plan', 'ask', 'edit', 'auto', 'unsafe'] },
  checks: { anyOf: [texts, { const: 'waived' }] },
  allow: texts,
  deny: texts,
  limits,
  /** Go on with the session of the run before. */
  resume: { const: true },
  /** What the command line's standard input is: at its end at once (default), a pipe that nobody ever closes, or no file at all. */
  stdin: { enum: ['empty', 'open', 'closed'] },
  environment: mapOf(text),
  /** Where the provider is, if it isn't the scenario's server. */
  baseUrl: text,
  before: { type: 'array', items: deed },
  during: { type: 'array', items: during },
} as const;

const runExpectation = {
  type: 'object',
  properties: {
    outcome: text,
    exit: count,
    code: text,
    detail: text,
    /** Null: none. */
    answer: { anyOf: [text, { type: 'null' }] },
    /** Ended by a signal, without a word. */
    killed: { const: true },
    /** Events of this run: these, in this order, others between them. */
    events: { type: 'array', items: pattern },
    never: { type: 'array', items: pattern },
    /** How many events fit, exactly. */
    counts: {
      type: 'array',
      items: {
        type: 'object',
        properties: { of: pattern, is: count },
        required: ['of', 'is'],
        additionalProperties: false,
      },
    },
    /** Requests that the provider received in this run. */
    requests: count,
    /** Milliseconds between each request of this run and the one before it, at least. */
    pauses: { type: 'array', items: count },
    /** Milliseconds from start to end. */
    within: count,
    changed: texts,
    denials: count,
    notices: texts,
    stderr: texts,
  },
  additionalProperties: false,
} as const;

const run = {
  type: 'object',
  properties: { ...runProperties, expect: runExpectation },
  additionalProperties: false,
} as const;

const caseProperties = {
  /** Files of the workspace, besides those in the folder `workspace`. */
  files: mapOf(file),
  /** Files of the user's home. */
  home: mapOf(file),
  /** Files beside the workspace and the home. */
  outside: mapOf(file),
  /** The workspace's place in the home; default beside it. */
  inHome: text,
  /** The workspace is a Git repository with one commit. */
  git: { const: true },
  /** The user's settings. */
  settings: anything,
  /** For `${name}` in the scenario and in the expectations. */
  values: mapOf(text),
  /** The scenario, if it isn't scenario.json. */
  scenario: anything,
  /** Common to all runs; a run's own words go before, key by key. */
  run: { type: 'object', properties: { ...runProperties, expect: runExpectation }, additionalProperties: false },
  /** Default: one run with what is common. */
  runs: { type: 'array', items: run },
  expect: {
    type: 'object',
    properties: {
      /** The workspace ends as it began, but for these; with a folder `expected` it ends like that, but for these. */
      files: mapOf(fileExpectation),
      home: mapOf(fileExpectation),
      /** Requests that the server refused, in order: parts of its messages. */
      refused: texts,
      /** What the check of the log finds, in order; default nothing. */
      findings: texts,
      /** A function of the case's script.ts. */
      script: text,
    },
    additionalProperties: false,
  },
} as const;

const difference = { type: 'object', properties: caseProperties, additionalProperties: false } as const;

/** What differs on a wire, by its name. */
const differences = {
  type: 'object',
  properties: {
    anthropic: difference,
    'openai-responses': difference,
    'openai-chat': difference,
    gemini: difference,
  },
  additionalProperties: false,
} as const;

const outputs = { type: 'array', items: { enum: ['text', 'json', 'deltas'] } } as const;

/** How and how often a case is tried. */
const trials = {
  /** What the command line writes; each is a test of its own. */
  outputs,
  /** What must be on the machine. */
  needs: texts,
  /** The wires on which it is tried, each a test of its own; default the first of them. */
  wires: { type: 'array', items: { enum: wireNames } },
  /** What the command line writes on other wires than the first; default the same. */
  otherOutputs: outputs,
  on: differences,
} as const;

export const caseSchema = {
  type: 'object',
  properties: {
    title: text,
    /** In the test's process by `createSession`, or the command line as a process of its own. */
    through: { enum: ['harness', 'program'] },
    ...trials,
    ...caseProperties,
    /** The case again with something different; what isn't named is as above, and `values` add up. */
    variants: mapOf({
      type: 'object',
      properties: { ...trials, ...caseProperties },
      additionalProperties: false,
    }),
    /** Parts that can't be tried yet, each with the reason. */
    skips: mapOf(text),
  },
  required: ['title', 'through'],
  additionalProperties: false,
} as const;

export type Case = XStatic<typeof caseSchema>;
export type Variant = NonNullable<Case['variants']>[string];
export type FileSpec = XStatic<typeof file>;
export type FileExpectation = XStatic<typeof fileExpectation>;
export type Deed = XStatic<typeof deed>;
export type During = XStatic<typeof during>;
export type RunSpec = XStatic<typeof run> & { expect: RunExpectation };
export type RunExpectation = XStatic<typeof runExpectation>;
export type Output = 'text' | 'json' | 'deltas';
