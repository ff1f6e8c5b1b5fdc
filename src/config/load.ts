/** Puts the layers together: default < user < project < environment < command line. */
import { join } from 'node:path';
import { ReinsError, type Check, type Json, type Rates } from '../core/index.ts';
import { admit, type Admitted } from './admit.ts';
import { assemble, entriesOf, isList, merge, type Entry } from './entries.ts';
import { set } from './environment.ts';
import { readLayer, type FileLayer } from './file-layer.ts';
import { placesOf, projectSettings, type Places, type Variables } from './places.ts';
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
  /** The project's settings file, if there is one; `hash` is the SHA-256 of what was read. */
  project?: { file: string; hash: string; content: Buffer } & Omit<Admitted, 'entries' | 'notices'>;
}

/**
 * Loads the settings in force. Throws `workspace-missing`, `config-invalid` with every mistake in either file, `config-untrusted`
 * when the project's file names what only the user's may.
 */
export async function loadSettings(options: LoadOptions): Promise<LoadedSettings> {
  const { env = process.env, home, overrides = {} } = options;
  const workspace = realWorkspace(options.workspace);
  const places = placesOf(env, home);
  const user = await readLayer(places.settings, 'user');
  const project = await readLayer(join(workspace, projectSettings), 'project', workspace);
  throwProblems([user, project].filter((layer) => layer !== undefined));

  const below = merge([entriesOf(defaults, () => ({ layer: 'default' })), user?.entries ?? []]);
  const held = project === undefined ? undefined : await admit(project, below, { ...options, workspace, env });
  const above = [...environmentEntries(env), ...entriesOf(overrides, () => ({ layer: 'command-line' }))];
  const entries = merge([below, held?.entries ?? [], above]);
  return {
    settings: settingsOf(entries, user),
    entries,
    origins: originsOf(entries),
    notices: held?.notices ?? [],
    places,
    ...(project && held && { project: projectOf(project, held) }),
  };
}

function projectOf({ file, hash, content }: FileLayer, held: Admitted): NonNullable<LoadedSettings['project']> {
  const { trusted, leftOut, changed } = held;
  return { file, hash, content, trusted, leftOut, ...(changed !== undefined && { changed }) };
}

function throwProblems(layers: FileLayer[]): void {
  const found = layers.flatMap(({ file, problems }) => problems.map((problem) => ({ file, ...problem })));
  if (found.length === 0) return;
  const lines = found.map(({ file, line, column, key, text }) => {
    const place = `${printable(file)}:${line}:${column}`;
    return key === '' ? `${place}: ${text}` : `${place}: ${key}: ${text}`;
  });
  const code = found.some(({ untrusted }) => untrusted === true) ? 'config-untrusted' : 'config-invalid';
  throw new ReinsError(
    code,
    lines.length === 1 ? String(lines[0]) : `${lines.length} mistakes in the settings:\n${lines.join('\n')}\n`,
  );
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

function settingsOf(entries: Entry[], user: FileLayer | undefined): Settings {
  const assembled = assemble(defaults, entries) as unknown as Settings;
  const from = entries.find(({ path }) => path[0] === 'checks')?.origin.layer;
  const checks = assembled.checks as unknown as Json;
  return {
    ...assembled,
    checks: checksOf(checks, from === 'user' || from === 'project' ? from : 'command-line'),
    rates: mapped(assembled.rates, (prices) => dated(prices, user)),
    models: mapped(assembled.models, (model) => withDates(model, user)),
    providers: mapped(assembled.providers, (provider) => ({
      ...provider,
      ...(provider.models !== undefined && { models: mapped(provider.models, (model) => withDates(model, user)) }),
    })),
  };
}

function mapped<From, To>(values: { [name: string]: From }, change: (value: From) => To): { [name: string]: To } {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function withDates<Facts extends { rates?: Rates }>(facts: Facts, user: FileLayer | undefined): Facts {
  return facts.rates === undefined ? facts : { ...facts, rates: dated(facts.rates, user) };
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
function dated(prices: Rates, user: FileLayer | undefined): Rates {
  const day = user?.changedAt.toISOString().slice(0, 10) ?? '';
  return { ...prices, dated: prices.dated ?? day, source: user?.file ?? 'command line' };
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
