/** The joint between what a caller asks for and the layered settings. */
import { realpathSync } from 'node:fs';
import {
  loadSettings,
  profileTrust,
  trust as rememberTrust,
  UntrustedProfile,
  type LoadedSettings,
  type Overrides,
} from '../config/index.ts';
import { ReinsError, type Mode } from '../core/index.ts';
import { withImportedRules } from './imported-rules.ts';
import { refuseBadRules } from './rules.ts';
import type { Contract, RunSettings, SessionOptions } from './types.ts';

/** What a run asks for, as the strongest layer of the settings. */
function overridesOf(settings: RunSettings = {}): Overrides {
  const { profile, tools, model, effort, thinking, temperature, topP, mode } = settings;
  const { allow, deny, endpoint, onAsk, style, preamble, map, contract = {} } = settings;
  const { checks, limits } = underContract(settings);
  const address = { baseUrl: endpoint?.baseUrl, headers: endpoint?.headers };
  return {
    ...defined({
      profile,
      tools,
      model,
      effort,
      thinking,
      temperature,
      topP,
      mode,
      allow,
      deny,
      limits,
      style,
      preamble,
      map,
    }),
    ...(checks !== undefined && { checks: checks === 'waived' ? 'none' : checks }),
    ...(contract.ask !== undefined && { ask: contract.ask }),
    ...(onAsk !== undefined && { approvals: { onAsk } }),
    ...(endpoint !== undefined && { endpoint: defined(address) }),
  };
}

/** What accepts the work is a check like others; of two limits of time the lower one holds. */
function underContract({ checks, limits, contract = {} }: RunSettings): Pick<RunSettings, 'checks' | 'limits'> {
  const { acceptance = [], minutes } = contract;
  const given = checks === 'waived' ? [] : (checks ?? []);
  const all = acceptance.length === 0 ? checks : [...new Set([...given, ...acceptance])];
  const least = Math.min(minutes ?? Infinity, limits?.minutes ?? Infinity);
  return {
    ...(all !== undefined && { checks: all }),
    ...(minutes === undefined
      ? { ...(limits !== undefined && { limits }) }
      : { limits: { ...limits, minutes: least } }),
  };
}

/** Loads the settings for a run. Rejects as `loadSettings` does, and with `config-invalid` for a rule that is none. */
export async function settingsFor(
  options: Pick<SessionOptions, 'workspace' | 'env' | 'settings' | 'trust' | 'confirmTrust'>,
): Promise<LoadedSettings> {
  const { workspace, env, settings, trust } = options;
  refuseMistakes(settings);
  const given = defined({ env, trust, settingsFrom: settings?.settingsFrom });
  const load = async () => {
    const loaded = await loadSettings({ workspace, overrides: overridesOf(settings), ...given });
    return withImportedRules(loaded, realpathSync(workspace));
  };
  const first = await withTrustedProfile(load, options);
  const place = { workspace: realpathSync(workspace), env };
  await refuseBadRules(first, place);
  if (!(await isConfirmed(first, options))) return first;
  // Read anew: what was changed while the person looked isn't what was trusted.
  const loaded = await load();
  await refuseBadRules(loaded, place);
  return loaded;
}

/** A profile of the project that isn't trusted yet is asked about; a yes is remembered for exactly what was shown. */
async function withTrustedProfile(
  load: () => Promise<LoadedSettings>,
  { workspace, env, confirmTrust }: Pick<SessionOptions, 'workspace' | 'env' | 'confirmTrust'>,
): Promise<LoadedSettings> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof UntrustedProfile) || confirmTrust === undefined) throw error;
    const { profile } = error;
    const place = { workspace, ...defined({ env }) };
    const found = await profileTrust(place, profile);
    if (found === undefined) throw error;
    const { file, hash, content, leftOut, changed } = found;
    const question = { file, profile, leftOut, content: content.toString('utf8'), ...defined({ changed }) };
    if (!(await confirmTrust(question))) throw error;
    rememberTrust({ ...place, hash, content, profile });
    return load();
  }
}

/** Asks about a project's settings that would count once trusted; a yes is remembered for exactly what was shown. */
async function isConfirmed(
  { project }: LoadedSettings,
  { workspace, env, confirmTrust }: Pick<SessionOptions, 'workspace' | 'env' | 'confirmTrust'>,
): Promise<boolean> {
  if (confirmTrust === undefined || project === undefined || project.trusted || project.leftOut.length === 0)
    return false;
  const { file, hash, content, leftOut, changed } = project;
  const question = { file, leftOut, content: content.toString('utf8'), ...defined({ changed }) };
  if (!(await confirmTrust(question))) return false;
  rememberTrust({ workspace, hash, content, ...defined({ env }) });
  return true;
}

/** What an embedder gives isn't read from a file, so nobody has checked it yet. */
function refuseMistakes(settings: RunSettings = {}): void {
  const unknown = Object.keys(settings).find((key) => !known.includes(key));
  if (unknown !== undefined) throw wrong(unknown, `is no setting of a run; ${known.join(', ')} are`);
  refuseStrangeWork(settings);
  refuseStrangeWords(settings);
  refuseIdleGlobs(settings.contract);
  const { mode, tools, checks, limits = {}, onAsk } = settings;
  if (tools !== undefined && (!Array.isArray(tools) || tools.length === 0)) {
    throw wrong('tools', 'must be a list of names of tools, at least one');
  }
  if (onAsk !== undefined && onAsk !== 'deny' && onAsk !== 'wait') throw wrong('onAsk', 'must be deny or wait');
  if (mode !== undefined && !modes.includes(mode)) throw wrong('mode', `must be one of ${modes.join(', ')}`);
  if (checks !== undefined && checks !== 'waived' && !Array.isArray(checks)) {
    throw wrong('checks', 'must be a list of commands, or "waived"');
  }
  for (const [name, value] of Object.entries(limits)) {
    const isNumber = typeof value === 'number' && value >= 0;
    if (!isNumber && (value !== null || name === 'outputTokens' || name === 'tokens'))
      throw wrong(`limits.${name}`, 'must be a number that isn’t negative');
  }
}

/** A glob that no path can fit would forbid nothing, and nobody would know. */
function refuseIdleGlobs({ allowed = [], forbidden = [] }: Contract = {}): void {
  const idle = [...allowed, ...forbidden].find((glob) => /(?:^!?|\/)\.{0,2}(?:\/|$)/.test(glob));
  if (idle === undefined) return;
  throw wrong(
    'contract',
    `holds ${JSON.stringify(idle)}, which no path fits; write it relative to the workspace, a folder as folder/**`,
  );
}

const work = ['effort', 'thinking', 'temperature', 'topP'];
const told = ['style', 'preamble', 'map', 'appendPrompt'];
const chosen = ['profile', 'settingsFrom', 'tools'];
const known = [
  ...chosen,
  'model',
  ...work,
  'mode',
  'checks',
  'allowTestChanges',
  'goal',
  'contract',
  'allow',
  'deny',
  'limits',
  'endpoint',
  'onAsk',
  ...told,
];

/** What the model is told besides the task. */
function refuseStrangeWords({ style, preamble, map, appendPrompt }: RunSettings): void {
  if (style !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(style))
    throw wrong('style', 'is the name of one');
  if (preamble !== undefined && typeof preamble !== 'boolean') throw wrong('preamble', 'is true or false');
  if (map !== undefined) refuseStrangeMap(map);
  if (appendPrompt === undefined) return;
  if (typeof appendPrompt !== 'string' || appendPrompt.trim() === '') throw wrong('appendPrompt', 'is a text');
}

function refuseStrangeMap(map: NonNullable<RunSettings['map']>): void {
  const isFlag = (value: unknown) => value === undefined || typeof value === 'boolean';
  const { prompt, tool, tokens = 1_024, ...others } = map;
  const isWithin = Number.isSafeInteger(tokens) && tokens >= 128 && tokens <= 32_768;
  if (isFlag(prompt) && isFlag(tool) && isWithin && Object.keys(others).length === 0) return;
  throw wrong('map', 'has prompt and tool, true or false, and tokens, a whole number from 128 to 32768');
}

/** How the model is told to work. */
function refuseStrangeWork({ effort, thinking, temperature, topP }: RunSettings): void {
  if (effort !== undefined && !efforts.includes(effort)) throw wrong('effort', `must be one of ${efforts.join(', ')}`);
  const isBudget = Number.isSafeInteger(thinking) && Number(thinking) >= leastBudget;
  if (thinking !== undefined && thinking !== 'off' && thinking !== 'adaptive' && !isBudget)
    throw wrong('thinking', `must be off, adaptive, or a budget of at least ${leastBudget} tokens`);
  const isWithin = (value: unknown, most: number) => typeof value === 'number' && value >= 0 && value <= most;
  if (temperature !== undefined && !isWithin(temperature, 2))
    throw wrong('temperature', 'must be a number from 0 to 2');
  if (topP !== undefined && !isWithin(topP, 1)) throw wrong('topP', 'must be a number from 0 to 1');
}

const efforts: readonly NonNullable<RunSettings['effort']>[] = ['none', 'low', 'medium', 'high', 'xhigh', 'max'];
/** Tokens: the least that any provider takes. */
const leastBudget = 1024;

const modes: readonly Mode[] = ['plan', 'ask', 'edit', 'auto', 'unsafe'];

function wrong(key: string, what: string): ReinsError {
  return new ReinsError('config-invalid', `The setting ${key} ${what}.`);
}

/** Only what is there: an absent value is not a value. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
