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
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { commandEnvironment, placesOf, readKeyFile, type LoadedSettings } from '../config/index.ts';
import { ReinsError } from '../core/index.ts';
import type { Files } from '../exec/index.ts';
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
  return createRedactor({ values, key: () => keyIn(places.state) });
}

/** For whoever reaches into a session from outside. */
export function secretsOutside(env: SessionOptions['env'], workspace: string): Redactor {
  const places = placesOf(env);
  const values = [...ownKeys(places.keys), ...secretsInEnvironment(commandEnvironment(env)), ...filesOf(workspace)];
  return createRedactor({ values, key: () => keyIn(places.state) });
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

/** `.env`, `.env.local` and the like (examples hold no secrets), and private keys. */
function kindOf(name: string): 'variables' | 'key' | undefined {
  if (/^\.env(?:rc|\..+)?$/.test(name)) return isExample.test(name) ? undefined : 'variables';
  return /\.(?:pem|key)$|^id_(?:rsa|dsa|ecdsa|ed25519)$/.test(name) ? 'key' : undefined;
}

function secretsIn(name: string, text: string): SecretValue[] {
  return kindOf(name) === 'key' ? secretsInKeyFile(text) : secretsInDotenv(text);
}

/** Names of the files at the root of the workspace that hold secrets. */
function namesIn(workspace: string): string[] {
  try {
    return readdirSync(workspace)
      .filter((name) => kindOf(name) !== undefined)
      .toSorted()
      .slice(0, mostFiles);
  } catch {
    return []; // A workspace that can't be listed is said by whoever needs it.
  }
}

function filesOf(workspace: string): SecretValue[] {
  return namesIn(workspace).flatMap((name) => secretsIn(name, textOf(join(workspace, name))));
}

/** Learns what files hold by now; call it when some may have changed. */
export function learningFiles(secrets: Pick<Redactor, 'learn'>, workspace: string): () => void {
  const stamp = (): string =>
    namesIn(workspace)
      .map((name) => {
        const { mtimeMs = 0, size = 0 } = statSync(join(workspace, name), { throwIfNoEntry: false }) ?? {};
        return `${name} ${mtimeMs} ${size}`;
      })
      .join('\n');
  let last = stamp();
  return () => {
    const now = stamp();
    if (now !== last) secrets.learn(filesOf(workspace));
    last = now;
  };
}

/** Files that are learned from when they are read, wherever they are. */
export function learnedFrom(files: Files, secrets: Pick<Redactor, 'learn'>): Files {
  return {
    ...files,
    read: async (path) => {
      const state = await files.read(path);
      const name = basename(path);
      if (state !== null && 'bytes' in state && state.bytes.length <= mostBytes && kindOf(name) !== undefined) {
        secrets.learn(secretsIn(name, state.bytes.toString('utf8')));
      }
      return state;
    },
  };
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

/**
 * One random key of the user, outside of every session: who gets a session’s folder can’t try values against its placeholders, and a
 * session that is forked or rehearsed has the same ones.
 */
function keyIn(state: string): Uint8Array {
  const file = join(state, 'placeholders.key');
  return readKey(file) ?? makeKey(state, file);
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
