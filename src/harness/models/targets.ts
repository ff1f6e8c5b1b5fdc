/** The joint between settings and targets: which models a run may use, when, and how each is told to work. */
import type { LoadedSettings, Phase } from '../../config/index.ts';
import {
  ReinsError,
  targetName,
  type ModelSettings,
  type Rates,
  type Role,
  type Route,
  type RouteCondition,
  type Target,
  type View,
} from '../../core/index.ts';
import { byName, findModel, type ModelEntry } from '../../model/index.ts';
import { providersOf, userCatalogue } from './access.ts';

const roles: { readonly [P in Phase]: Role } = {
  planning: 'plan',
  working: 'work',
  summarising: 'summary',
  reviewing: 'reviewer',
  judging: 'judge',
};

/** The model by its name, with what the user says of it. Throws `model-unknown`. */
export function entryOf({ settings }: Pick<LoadedSettings, 'settings'>, name: string): ModelEntry {
  const user = userCatalogue(settings);
  const today = new Date().toISOString().slice(0, 10);
  const entry = findModel(name, user, today);
  const full = targetName(entry);
  const rates = ratesNamed({ settings }, [name, full, entry.model]);
  if (rates === undefined) return entry;
  return findModel(full, { ...user, models: { ...user.models, [full]: { rates, ...user.models[full] } } }, today);
}

/** The prices that the settings have under the first of these names. */
export function ratesNamed(
  { settings }: Pick<LoadedSettings, 'settings'>,
  names: readonly string[],
): Rates | undefined {
  const found = names.find((name) => Object.hasOwn(settings.rates, name));
  return found === undefined ? undefined : settings.rates[found];
}

/** The phase that the run itself is in. */
function phaseOf({ settings }: LoadedSettings): Phase {
  return settings.mode === 'plan' ? 'planning' : 'working';
}

/** The name of the run's own model: one that was asked for, else that of working, else the ordinary one. */
export function configuredModel(loaded: Pick<LoadedSettings, 'settings' | 'origins'>): string | undefined {
  const { model, phases } = loaded.settings;
  return isAskedFor(loaded) ? model : (phases.working?.model ?? model);
}

/** Asked for in this run, and not only set for every run. */
export function isAskedFor({ origins }: Pick<LoadedSettings, 'origins'>): boolean {
  const layer = origins['model']?.layer;
  if (layer === 'profile') return origins['profile']?.layer === 'command-line';
  return layer === 'command-line' || layer === 'environment';
}

/** Said for this run or by its profile, and not only for all models. */
export function isOfRun({ origins }: Pick<LoadedSettings, 'origins'>, key: keyof ModelSettings): boolean {
  const layer = origins[key]?.layer;
  return layer === 'command-line' || layer === 'profile';
}

export function targetOf(loaded: LoadedSettings, entry: ModelEntry, phase: Phase = phaseOf(loaded)): Target {
  const { assumed: _, unpriced: __, ...facts } = entry;
  return { ...facts, settings: settingsOf(loaded, entry, phase) };
}

/** From the weakest to the strongest: what is set for all, for the provider, for the model, for the phase, and for this run. */
function settingsOf({ settings, origins }: LoadedSettings, entry: ModelEntry, phase: Phase): ModelSettings {
  const provider = providersOf(settings)[entry.provider];
  const isAsked = (key: keyof ModelSettings) => isOfRun({ origins }, key);
  const layers: (ModelSettings | undefined)[] = [
    only(settings, (key) => !isAsked(key)),
    provider?.settings,
    byName(provider?.models ?? {}, entry.model)?.settings,
    byName(userCatalogue(settings).models, targetName(entry)),
    settings.phases[phase],
    only(settings, isAsked),
  ];
  const given = layers.map((layer) => only(layer ?? {}, () => true));
  return Object.assign({}, ...given) as ModelSettings;
}

const keys = ['effort', 'thinking', 'temperature', 'topP', 'body'] as const;

/** The settings of a model out of whatever holds them. */
function only(holder: ModelSettings, isTaken: (key: keyof ModelSettings) => boolean): ModelSettings {
  const taken = keys.filter((key) => holder[key] !== undefined && isTaken(key)).map((key) => [key, holder[key]]);
  return Object.fromEntries(taken) as ModelSettings;
}

/** Other models of a run: those of phases first, each chosen for its role, then the routes of the settings in their order. */
export function routesOf(loaded: LoadedSettings, primary: ModelEntry): Route[] {
  const { routes } = loaded.settings;
  const forPhases = (Object.keys(roles) as Phase[]).flatMap((phase): Route[] => {
    const model = modelFor(loaded, phase, primary);
    return model === undefined ? [] : [routeOf(loaded, model, { role: roles[phase] }, phase, `phases.${phase}.model`)];
  });
  const others = routes.map(({ model, when = {} }, index) =>
    routeOf(loaded, model, when, phaseWith(when.role) ?? phaseOf(loaded), `routes[${index}].model`),
  );
  return [...forPhases, ...others];
}

/** The model that a phase has besides the run's own; the phase that the run is in is part of that one's settings. */
function modelFor(loaded: LoadedSettings, phase: Phase, primary: ModelEntry): string | ModelEntry | undefined {
  const { mode, phases } = loaded.settings;
  const chosen = phases[phase];
  if (chosen === undefined || phase === 'working') return undefined;
  if (phase === 'planning') return mode === 'plan' && !isAskedFor(loaded) ? chosen.model : undefined;
  const isOther = Object.keys(only(chosen, () => true)).length > 0;
  return chosen.model ?? (isOther ? primary : undefined);
}

function phaseWith(role: Role | undefined): Phase | undefined {
  return (Object.keys(roles) as Phase[]).find((phase) => roles[phase] === role);
}

function routeOf(
  loaded: LoadedSettings,
  model: string | ModelEntry,
  when: RouteCondition,
  phase: Phase,
  key: string,
): Route {
  const entry = typeof model === 'string' ? named(loaded, model, key) : model;
  return { ...targetOf(loaded, entry, phase), when };
}

/** A name that means nothing is a mistake in the settings, and said with its place. */
function named(loaded: LoadedSettings, model: string, key: string): ModelEntry {
  try {
    return entryOf(loaded, model);
  } catch (error) {
    if (!(error instanceof ReinsError)) throw error;
    const { file, line } = loaded.origins[key.replace(/\[\d+\].*/, '')] ?? {};
    const place = file === undefined ? '' : `${file}:${line ?? 1}: `;
    throw new ReinsError(error.code, `${place}${key}: ${error.detail}`, { cause: error });
  }
}

/** What is rehearsed or replayed is played by the model that it was written for. */
export function noOther(name: string): Promise<Target> {
  const detail = `A rehearsal can’t go on with another model (${name}).`;
  return Promise.reject(new ReinsError('model-unknown', detail));
}

/** What a money limit that somebody asked for is worth where there is no price; undefined where nobody asked for one. */
function limitAskedFor({ settings, origins }: Pick<LoadedSettings, 'settings' | 'origins'>): string | undefined {
  const { cost } = settings.limits;
  if (cost === null || (origins['limits.cost']?.layer ?? 'default') === 'default') return undefined;
  return `so a limit of ${cost} dollars can’t be kept.`;
}

/** A session that goes on counts what it has spent; what nobody knows can't be counted. */
export function refuseUnknownSpending(loaded: LoadedSettings, { ledger }: Pick<View, 'ledger'>): void {
  const limit = limitAskedFor(loaded);
  if (limit === undefined || !ledger.costUnknown) return;
  throw new ReinsError('rate-missing', `Some of what the session has spent has no price, ${limit}`);
}

/** A money limit that somebody asked for must be one that can be kept, whichever model is taken. */
export function refuseUnpriced(
  { settings, origins }: LoadedSettings,
  entry: ModelEntry,
  routes: readonly Route[],
): void {
  const limit = limitAskedFor({ settings, origins });
  if (limit === undefined) return;
  if (entry.rates === undefined) {
    const why = entry.unpriced === undefined ? '' : ` (${entry.unpriced})`;
    throw new ReinsError('rate-missing', `There is no rate for "${targetName(entry)}"${why}, ${limit}`);
  }
  const unpriced = routes.find(({ rates }) => rates === undefined);
  if (unpriced === undefined) return;
  throw new ReinsError('rate-missing', `There is no rate for the route to "${targetName(unpriced)}", ${limit}`);
}
