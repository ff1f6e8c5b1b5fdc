/** What settings say of the network of commands: which hosts they reach, and what is added on the way that they must not see. */

const hosts = {
  type: 'array',
  description: 'Hosts that commands may reach: example.com (ports 80 and 443), *.example.com, example.com:8080.',
  maxItems: 500,
  items: {
    type: 'string',
    pattern: '^((\\*\\.)?[^\\s\\u0000-\\u001f*:/?#@%\\\\\\[\\]]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$',
    maxLength: 300,
    errorMessage: 'Expected the name of a host or "*.name", with or without a port.',
  },
  errorMessage: 'Expected a list of hosts.',
} as const;

const text = (pattern: string, maxLength: number, errorMessage: string, description: string) =>
  ({ type: 'string', pattern, maxLength, errorMessage, description }) as const;

const credential = {
  type: 'object',
  additionalProperties: false,
  required: ['alias', 'to', 'value'],
  properties: {
    alias: text(
      '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$',
      253,
      'Expected a name like "registry.reins.internal".',
      'The name that commands use, by plain HTTP.',
    ),
    to: text(
      '^https://[^\\s@?#\\\\\\u0000-\\u001f\\u007f]+$',
      2000,
      'Expected an address that begins with https:// and has neither login nor query.',
      'The address that it stands for.',
    ),
    header: text(
      "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$",
      200,
      'Expected the name of a header.',
      'The header that is added; Authorization when left out.',
    ),
    value: {
      type: 'object',
      description: 'The value of the header.',
      additionalProperties: false,
      required: ['variable'],
      properties: {
        variable: text(
          '^[A-Za-z_][A-Za-z0-9_]*$',
          200,
          'Expected the name of an environment variable.',
          'Name of the environment variable that holds the credential; commands don’t see it.',
        ),
        prefix: text(
          '^[\\u0020-\\u007e]*$',
          200,
          'Expected printable ASCII on one line.',
          'What comes before it: "Bearer ".',
        ),
        basic: text(
          '^[\\u0021-\\u0039\\u003b-\\u007e]{1,200}$',
          200,
          'Expected the name of a user.',
          'The user whose password it is: the value is then that of a basic login.',
        ),
      },
      errorMessage: 'Expected {"variable": "NPM_TOKEN", "prefix": "Bearer "}.',
    },
    as: {
      enum: ['npm', 'git'],
      description: 'Who is told to use the alias.',
      errorMessage: 'Expected "npm" or "git".',
    },
  },
  errorMessage: 'Expected an object with an alias.',
} as const;

export const egress = {
  type: 'object',
  description: 'What commands in the sandbox reach of the network: nothing by default. In the user’s settings only.',
  additionalProperties: false,
  properties: {
    hosts,
    credentials: {
      type: 'array',
      description: 'Names that the proxy serves by plain HTTP, with a credential that it adds on the way.',
      maxItems: 50,
      items: credential,
      errorMessage: 'Expected a list of aliases.',
    },
  },
  errorMessage: 'Expected an object with settings of egress.',
} as const;
