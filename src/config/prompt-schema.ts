/** What settings say of what the model is told besides the task. */

const flag = { type: 'boolean', errorMessage: 'Expected true or false.' } as const;

export const style = {
  type: 'string',
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
  description:
    'How the model is asked to write: default, concise, explanatory, or the name of a file in styles/ beside the user’s settings.',
  errorMessage: 'Expected the name of a style: letters, digits, - and _.',
} as const;

export const appendPrompt = {
  type: 'string',
  pattern: '[^\\s\\u0000]',
  maxLength: 32_768,
  description: 'Added to the prompt: a text, or @NAME for a file in prompts/ beside the user’s settings.',
  errorMessage: 'Expected a text that is not blank.',
} as const;

export const preamble = {
  ...flag,
  description: 'Whether the prompt shows what the repository looks like at the start.',
} as const;

export const map = {
  type: 'object',
  description: 'The map of the repository: the symbols that matter, ranked.',
  additionalProperties: false,
  properties: {
    prompt: { ...flag, description: 'Whether the prompt shows it as it is at the start.' },
    tool: { ...flag, description: 'Whether the model can ask for one.' },
    tokens: {
      type: 'integer',
      minimum: 128,
      maximum: 32_768,
      description: 'Tokens of a map, unless it is asked for with others.',
      errorMessage: 'Expected tokens: a whole number from 128 to 32768.',
    },
  },
  errorMessage: 'Expected an object with settings of the map.',
} as const;

export const memory = {
  type: 'object',
  description: 'Notes that outlive a session. In the user’s settings only.',
  additionalProperties: false,
  properties: {
    enabled: { ...flag, description: 'Whether the model is shown them and can propose some.' },
    autoAccept: { ...flag, description: 'Whether what it proposes counts without a person’s word.' },
  },
  errorMessage: 'Expected an object with settings of memory.',
} as const;

export const instructions = {
  type: 'object',
  description: 'Instruction files: AGENTS.md, CLAUDE.md and their kin.',
  additionalProperties: false,
  properties: {
    enabled: { ...flag, description: 'Whether they are read.' },
    bytes: {
      type: 'integer',
      minimum: 1024,
      maximum: 1_048_576,
      description: 'Bytes of all that are in force together.',
      errorMessage: 'Expected bytes: a whole number from 1024 to 1048576.',
    },
    names: {
      type: 'array',
      maxItems: 20,
      description: 'Further names, read in a folder that has none of the others; the first that is there counts.',
      items: {
        type: 'string',
        pattern: '^(?!\\.\\.?(/|$))[^/\\u0000-\\u001f\\u007f]+(/(?!\\.\\.?(/|$))[^/\\u0000-\\u001f\\u007f]+)*$',
        maxLength: 200,
        errorMessage: 'Expected the name of a file, relative to its folder.',
      },
      errorMessage: 'Expected a list of names of files.',
    },
  },
  errorMessage: 'Expected an object with settings of instruction files.',
} as const;
