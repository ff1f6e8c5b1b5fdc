/** The part of the schema that is about providers: where they are, what they speak, and with which key. */
import { modelFacts, modelSettings, text } from './model-schema.ts';

export const url = text(
  '^https?://[^\\s\\u0000-\\u001f\\u007f]+$',
  2000,
  'Expected an address that begins with http:// or https://.',
);

const variable = text('^[A-Za-z_][A-Za-z0-9_]*$', 200, 'Expected the name of an environment variable.');

const headers = {
  type: 'object',
  description: 'Headers added to each request.',
  propertyNames: {
    pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$",
    errorMessage: 'Expected the name of a header.',
  },
  additionalProperties: text(
    '^[\\u0020-\\u007e\\u0009]*$',
    8000,
    'Expected the value of a header: printable ASCII on one line.',
  ),
  errorMessage: 'Expected an object of header names and values.',
} as const;

export const endpoint = {
  type: 'object',
  description: 'Where requests of the model’s provider go and with what. In the user’s settings only.',
  additionalProperties: false,
  properties: {
    baseUrl: { ...url, description: 'Address of the provider, without the path of the protocol.' },
    keyVariable: { ...variable, description: 'Name of the environment variable that holds the key.' },
    headers,
  },
  errorMessage: 'Expected an object with the endpoint.',
} as const;

const word = text('^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$', 10_000, 'Expected a word of a command.');

const apiKeyCommand = {
  anyOf: [
    { ...word, errorMessage: 'Expected a shell command.' },
    { type: 'array', minItems: 1, maxItems: 100, items: word, errorMessage: 'Expected a program and its arguments.' },
  ],
  description: 'Prints the key: a shell command, or a list of a program and its arguments.',
  errorMessage: 'Expected a shell command, or a list of a program and its arguments.',
} as const;

const modelName = {
  pattern: '^[^\\s\\u0000-\\u001f\\u007f]{1,200}$',
  errorMessage: 'Expected the name of a model.',
} as const;

const provider = {
  type: 'object',
  additionalProperties: false,
  properties: {
    wire: {
      enum: ['anthropic', 'openai-responses', 'openai-chat', 'gemini'],
      description: 'The protocol that it speaks.',
      errorMessage: 'Expected "anthropic", "openai-responses", "openai-chat" or "gemini".',
    },
    profile: {
      enum: [
        ...(['plain', 'openai', 'openrouter', 'deepseek', 'mistral', 'groq', 'xai'] as const),
        ...(['ollama', 'lm-studio', 'llama-cpp', 'vllm', 'sglang', 'openapi'] as const),
      ],
      description:
        'The dialect of its wire: of Chat Completions all but the last, "openapi" of Gemini, "plain" of Responses.',
      errorMessage:
        'Expected "plain", "openai", "openrouter", "deepseek", "mistral", "groq", "xai", "ollama", "lm-studio", "llama-cpp", "vllm", "sglang" or "openapi".',
    },
    baseUrl: endpoint.properties.baseUrl,
    auth: {
      enum: ['bearer', 'x-api-key', 'x-goog-api-key', 'api-key', 'none'],
      description: 'How the key is sent; "none": it needs no key.',
      errorMessage: 'Expected "bearer", "x-api-key", "x-goog-api-key", "api-key" or "none".',
    },
    keyVariable: endpoint.properties.keyVariable,
    apiKeyCommand,
    headers,
    settings: {
      type: 'object',
      description: 'Settings of all its models.',
      additionalProperties: false,
      properties: modelSettings,
      errorMessage: 'Expected an object with settings of models.',
    },
    models: {
      type: 'object',
      description: 'What is to be known of its models, by name.',
      propertyNames: modelName,
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          ...modelFacts,
          settings: {
            type: 'object',
            additionalProperties: false,
            properties: modelSettings,
            errorMessage: 'Expected an object with settings of the model.',
          },
        },
        errorMessage: 'Expected an object with what is to be known of the model.',
      },
      errorMessage: 'Expected an object of model names.',
    },
  },
  errorMessage: 'Expected an object with a provider.',
} as const;

export const providers = {
  type: 'object',
  description: 'Providers by name: other settings for a shipped one, or one of your own. In the user’s settings only.',
  propertyNames: {
    pattern: '^[a-z0-9][a-z0-9._-]{0,63}$',
    errorMessage: 'Expected the name of a provider: lower-case letters, digits, dots and dashes.',
  },
  additionalProperties: provider,
  errorMessage: 'Expected an object of provider names.',
} as const;
