/** How each wire is reached in a scenario: which model is asked, what leads to the server, and what a scenario may expect there. */
import type { Scenario } from '../../src/testing/index.ts';

export const wireNames = ['anthropic', 'openai-responses', 'openai-chat', 'gemini'] as const;
export type WireName = (typeof wireNames)[number];

interface Way {
  model: string;
  /** The variables that hold the key and, where there is one, the address. */
  key: string;
  address?: string;
}

/** The provider that only these settings know: one that speaks Chat Completions as everybody takes it. */
const ownProvider = 'field';
const ownModel = 'open-test-1';

export const ways: { readonly [W in WireName]: Way } = {
  anthropic: { model: 'claude-sonnet-5', key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL' },
  'openai-responses': { model: 'openai/gpt-6.2-sol', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
  'openai-chat': { model: `${ownProvider}/${ownModel}`, key: 'FIELD_API_KEY' },
  gemini: { model: 'google/gemini-3.5-flash', key: 'GEMINI_API_KEY', address: 'GOOGLE_GEMINI_BASE_URL' },
};

/** What leads a program to the server. */
export function environmentFor(wire: WireName, baseUrl: string, key: string): { [name: string]: string } {
  const way = ways[wire];
  return { [way.key]: key, ...(way.address !== undefined && { [way.address]: baseUrl }) };
}

/** What leads there where no variable does. */
export function providersFor(baseUrl: string): object {
  const rates = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2, dated: '2026-11-01' };
  const models = { [ownModel]: { window: 200_000, maxOutput: 64_000, rates, abilities: { images: true } } };
  return { [ownProvider]: { baseUrl, wire: 'openai-chat', keyVariable: ways['openai-chat'].key, models } };
}

type Turn = Scenario['turns'][number];
type Expected = NonNullable<NonNullable<Turn['expect']>['results']>[number];

/** The scenario as it can be played on a wire: where results aren't marked as errors, they say so in their first word. */
export function castScenario(scenario: Scenario, wire: WireName): Scenario {
  if (wire === 'anthropic' || wire === 'gemini') return scenario;
  return { ...scenario, turns: scenario.turns.map(castTurn) };
}

function castTurn(turn: Turn): Turn {
  const results = turn.expect?.results;
  if (results === undefined) return turn;
  return { ...turn, expect: { ...turn.expect, results: results.map(spokenResult) } };
}

const saysSo = 'Error: ';

function spokenResult({ error, contains = [], lacks = [], ...expected }: Expected): Expected {
  return {
    ...expected,
    contains: [contains, error === true ? saysSo : []].flat(),
    lacks: [lacks, error === false ? saysSo : []].flat(),
  };
}
