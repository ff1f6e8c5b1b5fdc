/** The joint for secrets: which values are known, and where text goes through that enters the record or reaches a watcher. */
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { commandEnvironment, placesOf, readKeyFile, type LoadedSettings } from '../config/index.ts';
import { ReinsError } from '../core/index.ts';
import {
  createRedactor,
  secretsInDotenv,
  secretsInEnvironment,
  secretsInKeyFile,
  type Redactor,
  type SecretValue,
} from '../safety/index.ts';
import { keyVariables } from './models/index.ts';
import type { SessionOptions } from './types.ts';

/** Bytes of a file of variables, and such files of a workspace, at most. */
const mostBytes = 256 * 1024;
const mostFiles = 20;
const isExample = /\.(?:example|sample|template|dist)$/;

/** What is known at the start of a session; keys that are found later are to be learned. */
export function secretsFor(
  { env, settings }: Pick<SessionOptions, 'env' | 'settings'>,
  loaded: LoadedSettings,
  workspace: string,
): Redactor {
  const { places } = loaded;
  const given = settings?.endpoint?.apiKey;
  const values = [
    ...(given === undefined ? [] : [{ name: 'key', value: given }]),
    ...ownKeys(places.keys),
    ...headerValues(loaded),
    ...variables(env, loaded),
    ...filesOf(workspace),
  ];
  return createRedactor({ values, key: () => keyIn(places.state, workspace) });
}

/** For whoever reaches into a session from outside. */
export function secretsOutside(env: SessionOptions['env'], workspace: string): Redactor {
  const places = placesOf(env);
  const values = [...ownKeys(places.keys), ...secretsInEnvironment(commandEnvironment(env)), ...filesOf(workspace)];
  return createRedactor({ values, key: () => keyIn(places.state, workspace) });
}

function ownKeys(file: string): SecretValue[] {
  try {
    return Object.values(readKeyFile(file)).map((value) => ({ name: 'key', value }));
  } catch {
    return []; // A key file that may not be used is refused, with its reason, by whoever wants a key from it.
  }
}

function headerValues({ settings }: LoadedSettings): SecretValue[] {
  const all = [settings.endpoint.headers, ...Object.values(settings.providers).map(({ headers = {} }) => headers)];
  return all.flatMap((headers) => secretsInEnvironment(headers));
}

function variables(env: SessionOptions['env'], { settings }: LoadedSettings): SecretValue[] {
  const all = commandEnvironment(env);
  const named = keyVariables(settings).flatMap((name) => {
    const value = all[name];
    return value === undefined ? [] : [{ name, value }];
  });
  return [...named, ...secretsInEnvironment(all)];
}

/** `.env`, `.env.local` and the like of the workspace (examples hold no secrets), and its private keys. */
function filesOf(workspace: string): SecretValue[] {
  let names: string[];
  try {
    names = readdirSync(workspace).toSorted();
  } catch {
    return []; // A workspace that can't be listed is said by whoever needs it.
  }
  const variables = names.filter((name) => /^\.env(?:rc|\..+)?$/.test(name) && !isExample.test(name));
  const keys = names.filter((name) => /\.(?:pem|key)$|^id_(?:rsa|dsa|ecdsa|ed25519)$/.test(name));
  const read = (name: string): string => textOf(join(workspace, name));
  return [
    ...variables.slice(0, mostFiles).flatMap((name) => secretsInDotenv(read(name))),
    ...keys.slice(0, mostFiles).flatMap((name) => secretsInKeyFile(read(name))),
  ];
}

/** The beginning of a regular file; nothing for anything else, which could make us wait. */
function textOf(path: string): string {
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return '';
  }
  try {
    const status = fstatSync(handle);
    return status.isFile() && status.size <= mostBytes ? readFileSync(handle, 'utf8') : '';
  } catch {
    return '';
  } finally {
    closeSync(handle);
  }
}

/** One random key of the user, outside of every session: who gets a session's folder can’t try values against its placeholders. */
function keyIn(state: string, workspace: string): Uint8Array {
  const file = join(state, 'placeholders.key');
  const key = readKey(file) ?? makeKey(state, file);
  // Another one for each workspace: the same value can't be recognised from one to the other.
  return createHash('sha256').update(key).update(workspace).digest();
}

function readKey(file: string): Buffer | undefined {
  try {
    const key = readFileSync(file);
    return key.length === 32 ? key : undefined;
  } catch {
    return undefined;
  }
}

function makeKey(state: string, file: string): Buffer {
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, randomBytes(32), { mode: 0o600 });
    try {
      linkSync(temporary, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // Another process was first: its key counts.
    }
    rmSync(temporary, { force: true });
  } catch (error) {
    throw new ReinsError('state-unwritable', `${file} can’t be written.`, { cause: error });
  }
  const key = readKey(file);
  if (key === undefined) throw new ReinsError('state-unwritable', `${file} is damaged; remove it.`);
  return key;
}
