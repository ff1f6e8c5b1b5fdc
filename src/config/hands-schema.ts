/** What settings say of the tools: how files are edited, what is kept for undo, what may be fetched, what is looked at after an edit. */

const size = {
  type: 'integer',
  minimum: 0,
  maximum: 1_000_000_000_000,
  errorMessage: 'Expected bytes: a whole number of at least 0.',
} as const;

const flag = { type: 'boolean', errorMessage: 'Expected true or false.' } as const;

export const edits = {
  enum: ['model', 'replace', 'patch', 'tagged', 'whole'],
  description: 'How files are edited; "model" takes what the model does best with.',
  errorMessage: 'Expected "model", "replace", "patch", "tagged" or "whole".',
} as const;

export const checkpoints = {
  type: 'object',
  description: 'What is kept of the workspace, so that changes can be taken back. In the user’s settings only.',
  additionalProperties: false,
  properties: {
    enabled: { ...flag, description: 'Whether anything is kept; without it there is no undo.' },
    fileBytes: { ...size, description: 'Bytes of the largest file that Git ignores and that is kept.' },
    ignoredBytes: { ...size, description: 'Bytes of all files that Git ignores and that are kept.' },
    storeBytes: { ...size, description: 'Bytes that the store of a workspace may take before old sessions leave it.' },
  },
  errorMessage: 'Expected an object with settings of checkpoints.',
} as const;

export const environment = {
  type: 'object',
  description: 'What commands get of the environment. In the user’s settings only.',
  additionalProperties: false,
  properties: {
    pass: {
      type: 'array',
      description: 'Names of variables that commands get although they look like secrets.',
      maxItems: 100,
      items: {
        type: 'string',
        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
        maxLength: 200,
        errorMessage: 'Expected the name of a variable.',
      },
      errorMessage: 'Expected a list of names of variables.',
    },
  },
  errorMessage: 'Expected {"pass": ["NPM_TOKEN"]}.',
} as const;

export const fetch = {
  type: 'array',
  description:
    'Hosts whose pages may be fetched (example.com, *.example.com, or * for all). In the user’s settings only.',
  maxItems: 500,
  items: {
    type: 'string',
    pattern: '^(\\*|(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?(:[0-9]{1,5})?)$',
    maxLength: 300,
    errorMessage: 'Expected the name of a host, "*.name", or "*".',
  },
  errorMessage: 'Expected a list of hosts.',
} as const;

const grantedPaths = {
  type: 'array',
  maxItems: 200,
  items: {
    type: 'string',
    pattern: '^(/|~/)[^\\u0000]*[^/\\u0000]$',
    maxLength: 4000,
    errorMessage: 'Expected an absolute path, or one that begins with ~/.',
  },
  errorMessage: 'Expected a list of paths.',
} as const;

/** Bytes or a number, of at least so much that a command can start. */
function atLeast(minimum: number, what: string) {
  return {
    type: 'integer',
    minimum,
    maximum: 1_000_000_000_000_000,
    errorMessage: `Expected ${what}: a whole number of at least ${minimum}.`,
  } as const;
}

export const sandbox = {
  type: 'object',
  description: 'What commands in the sandbox may reach and use beyond the usual. In the user’s settings only.',
  additionalProperties: false,
  properties: {
    read: { ...grantedPaths, description: 'Further files and folders that commands may read.' },
    write: { ...grantedPaths, description: 'Further files and folders that commands may read and write.' },
    memory: {
      ...atLeast(67_108_864, 'bytes'),
      description: 'Bytes of memory of a command; 75 % of the machine’s by default.',
    },
    processes: { ...atLeast(16, 'a number'), description: 'Processes of a command at once.' },
    fileBytes: { ...atLeast(1_048_576, 'bytes'), description: 'Bytes of the largest file that a command may write.' },
    openFiles: { ...atLeast(64, 'a number'), description: 'Files that one process may have open.' },
    cpuSeconds: { ...atLeast(0, 'seconds'), description: 'Seconds of processor time of one process; 0 for no limit.' },
  },
  errorMessage: 'Expected an object with settings of the sandbox.',
} as const;

export const diagnostics = {
  type: 'object',
  description: 'What is looked at after an edit.',
  additionalProperties: false,
  properties: {
    syntax: { ...flag, description: 'Whether the syntax of an edited file is checked.' },
    linters: {
      type: 'array',
      description: 'Commands whose findings are shown, for the files of a glob; {file} stands for the file.',
      maxItems: 20,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['files', 'command'],
        properties: {
          files: { type: 'string', minLength: 1, maxLength: 500, errorMessage: 'Expected a glob.' },
          command: {
            type: 'string',
            pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
            maxLength: 10_000,
            errorMessage: 'Expected a shell command.',
          },
        },
        errorMessage: 'Expected {"files": "*.py", "command": "..."}.',
      },
      errorMessage: 'Expected a list of linters.',
    },
    servers: {
      type: 'array',
      description: 'Language servers whose findings are shown, for the files of a glob.',
      maxItems: 20,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['files', 'command', 'language'],
        properties: {
          files: { type: 'string', minLength: 1, maxLength: 500, errorMessage: 'Expected a glob.' },
          command: {
            type: 'string',
            pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
            maxLength: 10_000,
            errorMessage: 'Expected a shell command that speaks the protocol of language servers.',
          },
          language: {
            type: 'string',
            pattern: '^[A-Za-z0-9+#._-]{1,50}$',
            errorMessage: 'Expected the language as the protocol names it ("typescript", "python", ...).',
          },
        },
        errorMessage: 'Expected {"files": "*.py", "command": "...", "language": "python"}.',
      },
      errorMessage: 'Expected a list of language servers.',
    },
    timeout: {
      type: 'integer',
      minimum: 100,
      maximum: 60_000,
      description: 'Milliseconds that all of it may take after one call.',
      errorMessage: 'Expected milliseconds: a whole number from 100 to 60000.',
    },
  },
  errorMessage: 'Expected an object with settings of diagnostics.',
} as const;
