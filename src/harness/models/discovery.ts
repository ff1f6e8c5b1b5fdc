/** The joint for local model servers: which answer on their usual loopback ports, and with which models. Loaded only to look for them. */
import { get } from 'node:http';
import type { LoadedSettings } from '../../config/index.ts';
import { vendorNamed, vendors } from '../../model/index.ts';
import type { LocalModel, LocalServer } from '../types.ts';
import { accessOf, providersOf } from './access.ts';

/** Milliseconds for a server to answer. */
const patience = 300;
/** Bytes of an answer, and models of a server, that are looked at. */
const mostBytes = 1024 * 1024;
const mostModels = 200;

/** Asks all of them at the same time; none can hold the others up. What isn't a model server is left out. */
export async function findLocalServers(loaded: LoadedSettings): Promise<LocalServer[]> {
  const found = await Promise.all(
    localProviders(loaded).map(async ({ provider, baseUrl }) => {
      const models = await modelsAt(baseUrl);
      return models === undefined ? [] : [{ provider, baseUrl, models }];
    }),
  );
  return found.flat();
}

/** The shipped local servers, and the user's own providers on this machine that need no key. */
export function localProviders(loaded: LoadedSettings): { provider: string; baseUrl: string }[] {
  const shipped = Object.keys(vendors).filter((name) => vendors[name]?.local === true);
  const own = Object.keys(providersOf(loaded.settings)).filter((name) => vendorNamed(name) === undefined);
  return [...shipped, ...own].flatMap((provider) => {
    const access = addressed(loaded, provider);
    return access === undefined || access.key.needed || !isLoopback(access.baseUrl)
      ? []
      : [{ provider, baseUrl: access.baseUrl }];
  });
}

function addressed(loaded: LoadedSettings, provider: string) {
  try {
    return accessOf(loaded, provider, false);
  } catch {
    return undefined; // A provider without an address is said to be unusable where it is listed or used.
  }
}

/** An address with a name and password in it is more than a server that merely answers. */
function isLoopback(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'http:' && /^(127(\.\d+){3}|localhost|\[::1\])$/.test(url.hostname);
}

/** The models of a server: by the list that nearly all have, else by Ollama's own. */
async function modelsAt(baseUrl: string): Promise<LocalModel[] | undefined> {
  const base = new URL(baseUrl);
  const path = base.pathname.replace(/\/+$/, '');
  const listed = /\/v\d+\w*$/.test(path) ? `${path}/models` : `${path}/v1/models`;
  const [models, tags] = await Promise.all([answerOf(new URL(listed, base)), answerOf(new URL('/api/tags', base))]);
  return namesIn(models, 'data', 'id') ?? namesIn(tags, 'models', 'name');
}

/** The JSON of an answer; undefined for anything else. Never rejects: nobody need be there. */
function answerOf(url: URL): Promise<unknown> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(patience);
    const nothing = (): void => resolve(undefined);
    const request = get(url, { signal, headers: { accept: 'application/json' } }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > mostBytes) request.destroy();
      });
      response.on('error', nothing).on('close', nothing);
      response.on('end', () => resolve(response.statusCode === 200 ? parsed(Buffer.concat(chunks)) : undefined));
    });
    request.on('error', nothing);
  });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined; // Something else listens there.
  }
}

type Fields = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function namesIn(answer: unknown, list: string, name: string): LocalModel[] | undefined {
  if (!isObject(answer) || !Object.hasOwn(answer, list) || !Array.isArray(answer[list])) return undefined;
  const entries: unknown[] = answer[list].slice(0, mostModels);
  const models = entries.filter(isObject).flatMap((entry): LocalModel[] => {
    const found = entry[name];
    if (typeof found !== 'string' || !/^[\w.:/@+-]{1,200}$/.test(found)) return [];
    // vLLM and SGLang say how long a conversation may be.
    const length = entry['max_model_len'];
    const isLength = Number.isSafeInteger(length) && Number(length) > 0;
    return [{ name: found, ...(isLength && { window: Number(length) }) }];
  });
  return models.filter((model, index) => models.findIndex((each) => each.name === model.name) === index);
}
