/** Puts the layers together: default < user < project < profile < environment < command line. */
import { join, resolve } from 'node:path';
import { ReinsError, type Check, type Json, type Rates } from '../core/index.ts';
import { admit, type Admitted } from './admit.ts';
import { assemble, entriesOf, isList, merge, type Entry } from './entries.ts';
import { set } from './environment.ts';
import { readLayer, throwProblems, type FileLayer } from './file-layer.ts';
import { placesOf, projectSettings, type Places, type Variables } from './places.ts';
import { loadProfile, type ChosenProfile } from './profiles.ts';
import { printable } from './quote.ts';
import type { FileSettings } from './schema.ts';
import {
  checkTimeout,
  defaults,
  type Notice,
  type Origin,
  type Overrides,
  type Settings,
  type SettingsCheck,
} from './settings.ts';
import { realWorkspace } from './workspace.ts';

export interface LoadOptions {
  workspace: string;
  env?: Variables;
  home?: string;
  overrides?: Overrides;
  /** A settings file for this run, as a part of its command line; relative to the process's folder. */
  settingsFrom?: string;
  /** The user trusts the project's settings as they are now, for this once; `trust` remembers it. */
  trust?: boolean;
}

export interface LoadedSettings {
  settings: Settings;
  /** Each value with its path and where it comes from; items of shape lists are values of their own. */
  entries: Entry[];
  /** The same by key with dots (`limits.turns`); of shape lists the items by number (`allow.0`). */
  origins: { [key: string]: Origin };
  notices: Notice[];
  places: Places;
  profile: ChosenProfile;
  /** The project's settings file, if there is one; `hash` is the SHA-256 of what was read. */
  project?: { file: string; hash: string; content: Buffer } & Omit<Admitted, 'entries' | 'notices'>;
}

/**
 * Loads the settings in force. Throws `workspace-missing`, `config-invalid` with every mistake in the files, `config-untrusted`
 * when a project's file names what only the user's may, `profile-unknown` and `profile-untrusted`.
 */
export async function loadSettings(options: LoadOptions): Promise<LoadedSettings> {
  const { env = process.env, home, overrides = {}, settingsFrom } = options;
  const workspace = realWorkspace(options.workspace);
  const places = placesOf(env, home);
  const user = await readLayer(places.settings, 'user');
  const project = await readLayer(join(workspace, projectSettings), 'project', { workspace });
  const given = settingsFrom === undefined ? undefined : await givenLayer(resolve(settingsFrom));
  throwProblems([user, project, given]);

  const admission = { ...options, workspace, env };
  const below = merge([entriesOf(defaults, () => ({ layer: 'default' })), user?.entries ?? []]);
  const held = project === undefined ? undefined : await admit(project, below, admission);
  const under = merge([below, held?.entries ?? []]);
  const asked = [...(given?.entries ?? []), ...entriesOf(overrides, () => ({ layer: 'command-line' }))];
  const profile = await loadProfile(profileIn([...under, ...asked]), under, { ...admission, places });
  throwProblems([profile.layer]);
  const entries = merge([under, profile.entries, environmentEntries(env), asked]);
  return {
    settings: settingsOf(entries, [user, given, profile.layer]),
    entries,
    origins: originsOf(entries),
    notices: [...(held?.notices ?? []), ...profile.notices],
    places,
    profile: profile.chosen,
    ...(project && held && { project: projectOf(project, held) }),
  };
}

/** A file that was named has to be there. */
async function givenLayer(file: string): Promise<FileLayer> {
  const layer = await readLayer(file, 'command-line');
  if (layer === undefined) throw new ReinsError('config-invalid', `${printable(file)}: There is no such file.`);
  return layer;
}

/** The name that the highest layer says. */
function profileIn(entries: Entry[]): string {
  const name = entries.findLast(({ path }) => path[0] === 'profile')?.value;
  return typeof name === 'string' ? name : defaults.profile;
}

function projectOf({ file, hash, content }: FileLayer, held: Admitted): NonNullable<LoadedSettings['project']> {
  const { trusted, leftOut, changed } = held;
  return { file, hash, content, trusted, leftOut, ...(changed !== undefined && { changed }) };
}

/** The variables that lead a provider's requests elsewhere: each its own provider's only. */
const addresses: { readonly [variable: string]: string } = {
  ANTHROPIC_BASE_URL: 'anthropic',
  OPENAI_BASE_URL: 'openai',
  GOOGLE_GEMINI_BASE_URL: 'google',
};

function environmentEntries(env: Variables): Entry[] {
  const entry = (variable: string, path: string[]): Entry[] => {
    const value = set(env[variable]);
    return value === undefined ? [] : [{ path, value, origin: { layer: 'environment', variable } }];
  };
  const leading = Object.entries(addresses).flatMap(([variable, provider]) => {
    const found = entry(variable, ['providers', provider, 'baseUrl']);
    if (found.some(({ value }) => typeof value !== 'string' || !/^https?:\/\/\S+$/.test(value))) {
      const expected = 'expected an address that begins with http:// or https://.';
      throw new ReinsError('config-invalid', `${variable}: ${expected}`);
    }
    return found;
  });
  return [...entry('REINS_MODEL', ['model']), ...leading];
}

/** `files`: the user's own. */
function settingsOf(entries: Entry[], files: (FileLayer | undefined)[]): Settings {
  const assembled = assemble(defaults, entries) as unknown as Settings;
  const { layer } = entries.find(({ path }) => path[0] === 'checks')?.origin ?? {};
  // What a profile of the user's says of the work is the user's word for every run that has it.
  const from = layer === 'profile' ? 'user' : layer;
  const sourceOf = (...start: string[]): Source => sourceIn(entries, files, start);
  const checks = assembled.checks as unknown as Json;
  return {
    ...assembled,
    checks: checksOf(checks, from === 'user' || from === 'project' ? from : 'command-line'),
    rates: mapped(assembled.rates, (prices, name) => dated(prices, sourceOf('rates', name))),
    models: mapped(assembled.models, (model, name) => withDates(model, sourceOf('models', name, 'rates'))),
    providers: mapped(assembled.providers, (provider, name) => ({
      ...provider,
      ...(provider.models !== undefined && {
        models: mapped(provider.models, (model, inner) =>
          withDates(model, sourceOf('providers', name, 'models', inner, 'rates')),
        ),
      }),
    })),
  };
}

function mapped<From, To>(
  values: { [name: string]: From },
  change: (value: From, name: string) => To,
): { [name: string]: To } {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

/** The file that a value comes from, and the day on which it was changed last. */
interface Source {
  file: string;
  day: string;
}

function sourceIn(entries: Entry[], files: (FileLayer | undefined)[], start: string[]): Source {
  const entry = entries.findLast(({ path }) => start.every((name, index) => path[index] === name));
  const layer = files.find((each) => each !== undefined && each.file === entry?.origin.file);
  return { file: layer?.file ?? 'command line', day: layer?.changedAt.toISOString().slice(0, 10) ?? '' };
}

function withDates<Facts extends { rates?: Rates }>(facts: Facts, source: Source): Facts {
  return facts.rates === undefined ? facts : { ...facts, rates: dated(facts.rates, source) };
}

type WrittenCheck = Exclude<NonNullable<FileSettings['checks']>[number], string>;

function checksOf(value: Json, from: Check['from']): Settings['checks'] {
  if (!Array.isArray(value)) return 'waived';
  return value.map((check): SettingsCheck => {
    if (typeof check === 'string') return { command: check, timeout: checkTimeout, from };
    const { when, ...rest } = check as unknown as WrittenCheck;
    return { timeout: checkTimeout, ...rest, from, ...(when !== undefined && when !== 'stop' && { when }) };
  });
}

/** Prices without a day are as old as the file that holds them. */
function dated(prices: Rates, { file, day }: Source): Rates {
  return { ...prices, dated: prices.dated ?? day, source: file };
}

function originsOf(entries: Entry[]): LoadedSettings['origins'] {
  const counts = new Map<string, number>();
  return Object.fromEntries(
    entries.map((entry) => {
      const key = entry.path.join('.');
      if (!isList(entry)) return [key, entry.origin];
      const index = counts.get(key) ?? 0;
      counts.set(key, index + 1);
      return [`${key}.${index}`, entry.origin];
    }),
  );
}
