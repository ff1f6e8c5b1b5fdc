/** Models by name: which provider and wire they are reached by, how much they take and give, and what they cost. */
import { ReinsError, type Rates } from '../core/index.ts';
import { rateCard, type CardEntry } from './rate-card.ts';

export interface ModelEntry {
  provider: string;
  wire: string;
  /** The name that the provider is sent. */
  model: string;
  /** Context window in tokens. */
  window: number;
  /** The most output tokens of one reply. */
  maxOutput: number;
  /** Absent where the price isn't known; then cost is unknown, never zero. */
  rates?: Rates;
  /** What is assumed because the model isn't in the catalogue, in words; empty for a known one. */
  assumed: string[];
}

interface Provider {
  wire: string;
  models: { [model: string]: CardEntry };
}

const providers: { [name: string]: Provider } = { anthropic: { wire: 'anthropic', models: rateCard } };
const defaultProvider = 'anthropic';

/** The model that is taken when a key is there and no model is named: able enough for the work, and cheap for what it can. */
export const defaultModel = 'anthropic/claude-sonnet-5-5';

const assumption = { window: 200_000, maxOutput: 32_000 };

/**
 * Finds a model by `provider/model` or by its bare name. A model that isn't known works with assumptions, which are stated.
 * Throws `model-unknown` for a name without a model, or of a provider that doesn't exist.
 */
export function findModel(name: string): ModelEntry {
  const slash = name.indexOf('/');
  const provider = slash < 0 ? defaultProvider : name.slice(0, slash);
  const model = name.slice(slash + 1).trim();
  const known = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (known === undefined) {
    const names = Object.keys(providers).join(', ');
    throw new ReinsError('model-unknown', `"${provider}" is no provider (${names} are).`);
  }
  if (model === '') throw new ReinsError('model-unknown', `"${name}" names no model.`);
  const entry = cardEntry(known.models, model);
  if (entry !== undefined) return { provider, wire: known.wire, model, ...entry, assumed: [] };
  const assumed = [
    `a context window of ${assumption.window} tokens`,
    `at most ${assumption.maxOutput} tokens of output`,
    'an unknown price',
  ];
  return { provider, wire: known.wire, model, ...assumption, assumed };
}

/** A dated name is the same model as the name without the date. */
function cardEntry(models: { [model: string]: CardEntry }, model: string): CardEntry | undefined {
  const undated = model.replace(/-20\d{6}$/, '');
  const key = [model, undated].find((candidate) => Object.hasOwn(models, candidate));
  return key === undefined ? undefined : models[key];
}
