/** The settings in force as rows for people: each value and where it comes from. Secrets are not shown. */
import type { Entry } from './entries.ts';
import { readKey } from './environment.ts';
import type { LoadedSettings } from './load.ts';
import type { Variables } from './places.ts';
import { printable } from './quote.ts';
import type { Origin } from './settings.ts';

export interface Row {
  /** With dots; the items of a list share one. */
  key: string;
  /** JSON on one line, or words where there is no value. */
  value: string;
  /** `default`, `command line`, `environment NAME`, `profile NAME` of a shipped one, or `file:line`. */
  origin: string;
}

/** All keys, in the order in which they are shown. */
const order = [
  'profile',
  'model',
  'mode',
  'tools',
  'loop',
  'checks',
  'limits',
  'retries',
  'timeouts',
  'effort',
  'thinking',
  'temperature',
  'topP',
  'phases',
  'allow',
  'ask',
  'deny',
  'rules',
  'importRules',
  'pack',
  'files',
  'approvals',
  'edits',
  'instructions',
  'memory',
  'style',
  'appendPrompt',
  'preamble',
  'map',
  'diagnostics',
  'checkpoints',
  'environment',
  'fetch',
  'egress',
  'sandbox',
  'providers',
  'models',
  'routes',
  'endpoint',
  'proxy',
  'rates',
];

export function settingsRows(loaded: LoadedSettings, env: Variables = process.env): Row[] {
  const rows = loaded.entries.map((entry) => ({
    key: printable(entry.path.join('.')),
    value: shown(entry, env),
    origin: originText(entry.origin),
  }));
  const present = new Set(loaded.entries.map(({ path }) => path[0]));
  const absent = order.filter((key) => !present.has(key)).map((key) => ({ key, value: 'not set', origin: 'default' }));
  return [...rows, ...absent].toSorted((a, b) => rank(a) - rank(b));
}

const rank = ({ key }: Row): number => order.indexOf(key.split('.')[0] ?? '');

/** What may hold a secret, wherever it stands. */
const hidden = new Set(['headers', 'apiKeyCommand']);

function shown({ path, value }: Entry, env: Variables): string {
  const [group] = path;
  const name = group === 'providers' ? path[2] : path[1];
  const isAddress = group === 'endpoint' || group === 'providers';
  if (isAddress && hidden.has(name ?? '')) return 'hidden';
  if (typeof value !== 'string') return printable(JSON.stringify(value));
  if (isAddress && name === 'keyVariable') {
    const state = readKey(value, env) === undefined ? 'not set' : 'set';
    return printable(`${JSON.stringify(value)} (${state})`);
  }
  const isUrl = group === 'proxy' || (isAddress && name === 'baseUrl');
  return printable(JSON.stringify(isUrl ? withoutCredentials(value) : value));
}

/** Name and password in an address are as secret as a key. */
function withoutCredentials(address: string): string {
  return address.replace(/^(https?:\/\/)[^/?#]*@/, '$1...@');
}

function originText({ layer, file, line, variable, profile }: Origin): string {
  if (file !== undefined) return printable(`${file}:${line}`);
  if (profile !== undefined) return `profile ${profile}`;
  if (variable !== undefined) return `environment ${variable}`;
  return layer === 'command-line' ? 'command line' : layer;
}
