/** Models by name: which provider and wire they are reached by, how much they take and give, what they can do and what they cost. */
import { ReinsError, type Abilities, type Rates } from '../../core/index.ts';
import type { Card } from '../cards/index.ts';
import { nearest } from './nearest.ts';
import { ownProvider, providerName, vendorNamed, vendors, type Assumption, type Vendor } from './vendors.ts';

/** What the user says of a model; it goes before what the catalogue says. */
export interface ModelFacts {
  window?: number | undefined;
  maxOutput?: number | undefined;
  rates?: Rates | undefined;
  abilities?: Partial<Abilities> | undefined;
}

/** What the user says of a provider, as far as models need it. */
export interface ProviderFacts {
  wire?: string | undefined;
  profile?: string | undefined;
  models?: { readonly [model: string]: ModelFacts } | undefined;
}

/** The user's own part of the catalogue: providers by name, and models as `provider/model`. */
export interface UserCatalogue {
  providers: { readonly [name: string]: ProviderFacts };
  models: { readonly [name: string]: ModelFacts };
}

export interface ModelEntry {
  provider: string;
  wire: string;
  profile?: string;
  /** The name that the provider is sent. */
  model: string;
  /** Context window in tokens. */
  window: number;
  /** The most output tokens of one reply. */
  maxOutput: number;
  abilities: Abilities;
  /** Absent where the price isn't known; then cost is unknown, never zero. */
  rates?: Rates;
  /** Why the price isn't known though the model is, in words. */
  unpriced?: string;
  /** What is assumed because nobody has said it, in words; empty for a known model. */
  assumed: string[];
}

/** The provider of a bare name that no other one knows. */
const defaultProvider = 'anthropic';

/**
 * Finds a model by `provider/model`, or by its bare name if one provider alone knows it. A model that isn't known works with
 * assumptions, which are stated. `today` (YYYY-MM-DD) tells rates that have run out. Throws `model-unknown` for a name without a
 * model, or of a provider that doesn't exist.
 */
export function findModel(
  name: string,
  user: UserCatalogue = { providers: {}, models: {} },
  today?: string,
): ModelEntry {
  const slash = name.indexOf('/');
  const model = name.slice(slash + 1).trim();
  const provider = slash < 0 ? ownerOf(model, user) : providerName(name.slice(0, slash));
  if (slash < 0 && providerNames(user).includes(model)) {
    throw new ReinsError('model-unknown', `"${model}" is a provider; name a model of it: ${model}/NAME.`);
  }
  const vendor = vendorNamed(provider);
  const own = ownFacts(user, provider);
  if (vendor === undefined && own === undefined) throw unknownProvider(provider, user);
  if (model === '') throw new ReinsError('model-unknown', `"${name}" names no model.`);
  const wire = own?.wire ?? vendor?.wire ?? ownProvider.wire;
  const profile = own?.profile ?? profileFor(wire, vendor);
  if (own?.profile !== undefined && !isProfileOf(wire, own.profile)) {
    throw new ReinsError(
      'config-invalid',
      `The provider ${provider} speaks ${wire}, which has no profile "${own.profile}".`,
    );
  }
  return {
    provider,
    wire,
    ...(profile !== undefined && { profile }),
    model,
    ...factsOf(vendor, factsFor(provider, model, user), cardFor(vendor, model), today),
  };
}

/** A provider that the user speaks to by another wire than the vendor's own has no dialect that we know. */
function profileFor(wire: string, vendor: Vendor | undefined): string | undefined {
  if (vendor?.wire === wire) return vendor.profile;
  return wire === ownProvider.wire || wire === responsesWire ? ownProvider.profile : undefined;
}

const responsesWire = 'openai-responses';

/** Chat Completions has many; servers of the other wires differ in little. */
function isProfileOf(wire: string, profile: string): boolean {
  if (wire === ownProvider.wire) return profile !== 'openapi';
  if (wire === responsesWire) return profile === 'plain';
  return wire === 'gemini' && profile === 'openapi';
}

/** The models that a provider is known to serve: those of the catalogue and the user's own. */
export function modelsOf(provider: string, user: UserCatalogue): string[] {
  const prefix = `${provider}/`;
  const named = Object.keys(user.models).filter((name) => name.startsWith(prefix));
  return [
    ...new Set([
      ...Object.keys(vendorNamed(provider)?.cards() ?? {}),
      ...Object.keys(ownFacts(user, provider)?.models ?? {}),
      ...named.map((name) => name.slice(prefix.length)),
    ]),
  ];
}

/** The provider of a bare name: the default one if it knows it, else the only other that does. */
function ownerOf(model: string, user: UserCatalogue): string {
  const knows = (provider: string): boolean =>
    cardFor(vendorNamed(provider), model) !== undefined || factsFor(provider, model, user) !== undefined;
  if (knows(defaultProvider)) return defaultProvider;
  const [owner = defaultProvider, ...others] = providerNames(user).filter(knows);
  if (others.length === 0) return owner;
  const names = [owner, ...others].map((provider) => `${provider}/${model}`);
  throw new ReinsError('model-unknown', `Several providers know "${model}"; name one: ${names.join(', ')}.`);
}

/** Every provider that there is: the shipped ones, then the user's own. */
export function providerNames(user: UserCatalogue): string[] {
  return [...new Set([...Object.keys(vendors), ...Object.keys(user.providers)])];
}

function unknownProvider(provider: string, user: UserCatalogue): ReinsError {
  const names = providerNames(user);
  const near = nearest(provider, names);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return new ReinsError('model-unknown', `"${provider}" is no provider (${names.join(', ')} are).${hint}`);
}

function ownFacts(user: UserCatalogue, provider: string): ProviderFacts | undefined {
  return Object.hasOwn(user.providers, provider) ? user.providers[provider] : undefined;
}

function factsFor(provider: string, model: string, user: UserCatalogue): ModelFacts | undefined {
  const served = byName(ownFacts(user, provider)?.models ?? {}, model);
  const named = byName(user.models, `${provider}/${model}`);
  if (served === undefined || named === undefined) return named ?? served;
  return { ...served, ...named, abilities: { ...served.abilities, ...named.abilities } };
}

function cardFor(vendor: Vendor | undefined, model: string): Card | undefined {
  return vendor === undefined ? undefined : byName(vendor.cards(), model);
}

/** A dated name is the same model as the name without the date. */
export function byName<Value>(values: { readonly [name: string]: Value }, name: string): Value | undefined {
  const undated = name.replace(/-20\d{2}-?\d{2}-?\d{2}$/, '');
  const key = [name, undated].find((candidate) => Object.hasOwn(values, candidate));
  return key === undefined ? undefined : values[key];
}

type Facts = Omit<ModelEntry, 'provider' | 'wire' | 'profile' | 'model'>;

function factsOf(
  vendor: Vendor | undefined,
  said: ModelFacts = {},
  card: Card | undefined,
  today: string | undefined,
): Facts {
  const base: Assumption = card ?? vendor?.assumed ?? ownProvider.assumed;
  const hasRunOut = card?.until !== undefined && today !== undefined && today > card.until;
  const rates = said.rates ?? (hasRunOut ? undefined : card?.rates);
  const unpriced = hasRunOut ? `its price was named until ${card.until} only` : card?.unpriced;
  return {
    window: said.window ?? base.window,
    // What somebody says of the window bounds what is believed of the output.
    maxOutput: said.maxOutput ?? Math.min(base.maxOutput, Math.ceil((said.window ?? base.window) / 2)),
    abilities: { ...base.abilities, ...said.abilities },
    ...(rates !== undefined && { rates }),
    ...(rates === undefined && unpriced !== undefined && { unpriced }),
    assumed: card === undefined ? assumptionsOf(base, said) : [],
  };
}

function assumptionsOf(base: Assumption, said: ModelFacts): string[] {
  return [
    ...(said.window === undefined ? [`a context window of ${base.window} tokens`] : []),
    ...(said.maxOutput === undefined ? [`at most ${base.maxOutput} tokens of output`] : []),
    ...(said.rates === undefined ? ['an unknown price'] : []),
  ];
}
