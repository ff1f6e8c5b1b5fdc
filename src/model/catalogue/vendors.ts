/** Who serves models: address, protocol, dialect and keys. A vendor is data; what it serves is in `cards/`. */
import type { Abilities } from '../../core/index.ts';
import {
  anthropicAbilities,
  anthropicCards,
  deepseekCards,
  googleAbilities,
  googleCards,
  groqCards,
  mistralCards,
  noCards,
  openaiAbilities,
  openaiCards,
  unknownAbilities,
  xaiCards,
  type Cards,
} from '../cards/index.ts';

/** What is believed of a model that isn't in the catalogue. */
export interface Assumption {
  window: number;
  maxOutput: number;
  abilities: Abilities;
}

export interface Vendor {
  wire: string;
  baseUrl: string;
  /** The dialect of the wire (docs/wires.md). */
  profile?: string;
  /** Variables that may hold the key; the first that is set counts. */
  keyVariables: readonly string[];
  /** A server on the user's own machine: it needs no key, and answers only while it runs. */
  local?: true;
  /** The model that is taken when a key is there and no model is named: able enough for the work, and cheap for what it can. */
  defaultModel?: string;
  assumed: Assumption;
  cards(): Cards;
}

const unknown: Assumption = { window: 128_000, maxOutput: 16_000, abilities: unknownAbilities };
/** What fits a server that nobody has tuned. */
const untuned: Assumption = { window: 32_000, maxOutput: 8_000, abilities: unknownAbilities };

function chat(name: string, baseUrl: string, more: Partial<Vendor>): Vendor {
  return { wire: 'openai-chat', profile: name, baseUrl, keyVariables: [], assumed: unknown, cards: noCards, ...more };
}

const local = (name: string, port: number): Vendor =>
  chat(name, `http://127.0.0.1:${port}/v1`, { local: true, assumed: untuned });

/** In the order in which keys are looked for when no model is configured, and local servers after them. */
export const vendors: { readonly [name: string]: Vendor } = {
  anthropic: {
    wire: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keyVariables: ['ANTHROPIC_API_KEY'],
    defaultModel: 'claude-sonnet-5-5',
    assumed: { window: 200_000, maxOutput: 32_000, abilities: anthropicAbilities },
    cards: anthropicCards,
  },
  openai: {
    wire: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    defaultModel: 'gpt-6.2-sol',
    assumed: { window: 400_000, maxOutput: 32_000, abilities: openaiAbilities },
    cards: openaiCards,
  },
  google: {
    wire: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    defaultModel: 'gemini-3.8-flash',
    assumed: { window: 1_000_000, maxOutput: 32_000, abilities: googleAbilities },
    cards: googleCards,
  },
  xai: chat('xai', 'https://api.x.ai/v1', {
    keyVariables: ['XAI_API_KEY'],
    defaultModel: 'grok-4.7',
    cards: xaiCards,
  }),
  deepseek: chat('deepseek', 'https://api.deepseek.com/v1', {
    keyVariables: ['DEEPSEEK_API_KEY'],
    defaultModel: 'deepseek-flash',
    cards: deepseekCards,
  }),
  mistral: chat('mistral', 'https://api.mistral.ai/v1', {
    keyVariables: ['MISTRAL_API_KEY'],
    defaultModel: 'mistral-medium-3.5',
    cards: mistralCards,
  }),
  groq: chat('groq', 'https://api.groq.com/openai/v1', {
    keyVariables: ['GROQ_API_KEY'],
    defaultModel: 'openai/gpt-oss-120b',
    cards: groqCards,
  }),
  openrouter: chat('openrouter', 'https://openrouter.ai/api/v1', {
    keyVariables: ['OPENROUTER_API_KEY'],
    defaultModel: 'openrouter/auto',
  }),
  ollama: local('ollama', 11434),
  'lm-studio': local('lm-studio', 1234),
  'llama-cpp': local('llama-cpp', 8080),
  vllm: local('vllm', 8000),
  sglang: local('sglang', 30000),
};

const otherNames: { readonly [name: string]: string } = { gemini: 'google' };

/** The name under which a provider is kept. */
export function providerName(name: string): string {
  return Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name;
}

export function vendorNamed(name: string): Vendor | undefined {
  const known = providerName(name);
  return Object.hasOwn(vendors, known) ? vendors[known] : undefined;
}

/** What is believed of a provider that only the user knows. */
export const ownProvider = { wire: 'openai-chat', profile: 'plain', assumed: unknown } as const;
