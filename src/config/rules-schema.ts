/** What settings say of rules: in full, what of the shipped ones holds, and which files are the model’s to see. */

const line = {
  type: 'string',
  pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\u0000-\\u0020\\u007f][^\\u0000-\\u001f\\u007f]*$',
  maxLength: 2000,
  errorMessage: 'Expected one line of text that is not blank.',
} as const;

const text = {
  type: 'string',
  minLength: 1,
  maxLength: 10_000,
  errorMessage: 'Expected a text that is not empty.',
} as const;

const lines = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  items: line,
  errorMessage: 'Expected a list of texts.',
} as const;

const examples = {
  type: 'array',
  maxItems: 100,
  items: text,
  errorMessage: 'Expected a list of command lines.',
} as const;

const effects = ['read', 'write', 'execute', 'network', 'destroy', 'cannot-tell'] as const;

/** One shape for all kinds, so that each key that is wrong can be named; what belongs together is checked where rules are read. */
const rule = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: { ...line, description: 'Said with each verdict of it.' },
    effect: {
      enum: ['allow', 'ask', 'deny'],
      description: 'What it means for the calls that fit it.',
      errorMessage: 'Expected "allow", "ask" or "deny".',
    },
    tool: { ...line, description: 'A tool, by name.' },
    command: {
      ...line,
      description: 'Words of a command; * alone stands for any number of words, in a word for any characters.',
    },
    paths: { ...line, description: 'A glob: relative to the workspace, absolute, or from ~/.' },
    access: {
      enum: ['read', 'write'],
      description: 'With paths: which access it is about.',
      errorMessage: 'Expected "read" or "write".',
    },
    hosts: { ...lines, description: 'name, *.name or *, each also with :port.' },
    risk: {
      enum: effects,
      description: 'Calls with this effect.',
      errorMessage: 'Expected "read", "write", "execute", "network", "destroy" or "cannot-tell".',
    },
    pipedFrom: { ...lines, description: 'Programs that it is piped from.' },
    codeFrom: { ...lines, description: 'Programs whose output it runs as code.' },
    reason: { ...line, description: 'For the model and for people: why, and the way out.' },
    examples: {
      type: 'object',
      additionalProperties: false,
      properties: {
        match: { ...examples, description: 'Command lines that it must fit.' },
        differ: { ...examples, description: 'Command lines that it must not fit.' },
      },
      description: 'Tried when the settings are loaded; a rule whose own examples fail is refused.',
      errorMessage: 'Expected an object with examples.',
    },
    kind: {
      enum: ['token-budget', 'stale-read'],
      description: 'A rule that is about no calls.',
      errorMessage: 'Expected "token-budget" or "stale-read".',
    },
    tokens: {
      type: 'integer',
      minimum: 1,
      description: 'Of a token budget: tokens that a run may take, as the provider reports them.',
      errorMessage: 'Expected a whole number of at least 1.',
    },
    turns: {
      type: 'integer',
      minimum: 0,
      description: 'Of stale-read: a file read longer ago is to be read again before it is changed.',
      errorMessage: 'Expected a whole number of at least 0.',
    },
  },
  errorMessage: 'Expected an object with a rule.',
} as const;

export const rules = {
  type: 'array',
  maxItems: 500,
  items: rule,
  description: 'Rules about calls, in full.',
  errorMessage: 'Expected a list of rules.',
} as const;

export const pack = {
  type: 'object',
  additionalProperties: {
    enum: ['deny', 'ask', 'off'],
    errorMessage: 'Expected "deny", "ask" or "off".',
  },
  description: 'Shipped rules by name: whether each denies, asks or is off. In the user’s settings only.',
  errorMessage: 'Expected an object with names of shipped rules.',
} as const;

export const files = {
  type: 'object',
  additionalProperties: false,
  properties: {
    env: {
      enum: ['deny', 'allow'],
      description: 'Whether the workspace’s .env files may be read and written.',
      errorMessage: 'Expected "deny" or "allow".',
    },
  },
  description: 'Files that are not the model’s to see by default. In the user’s settings only.',
  errorMessage: 'Expected an object with settings of files.',
} as const;

export const importRules = {
  type: 'array',
  description:
    'Files with the rules of other harnesses (settings with permissions, prefix rules), read as rules of the user. In the user’s settings only.',
  maxItems: 50,
  items: { type: 'string', minLength: 1, maxLength: 4096, errorMessage: 'Expected the path of a file.' },
  errorMessage: 'Expected a list of files.',
} as const;
