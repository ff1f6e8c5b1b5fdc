/** The joint for keys: given by whoever embeds us, in the environment, in the user's key file, or printed by a command. In this order. */
import { commandEnvironment, placesOf, readKey, readKeyFile } from '../../config/index.ts';
import { ReinsError } from '../../core/index.ts';
import { providerName } from '../../model/index.ts';
import type { KeyNeed } from './access.ts';

type Variables = { readonly [name: string]: string | undefined };

/** Where a key is; never the key itself. */
export type KeyPlace = { in: 'given' } | { in: 'environment'; variable: string } | { in: 'file' | 'command' };

export class Keys {
  readonly #env: Variables | undefined;
  readonly #given: { provider: string; key: string } | undefined;
  readonly #onKey: (key: string) => void;
  #file: { [provider: string]: string } | undefined;

  constructor(
    env: Variables | undefined,
    given?: { provider: string; key: string },
    onKey: (key: string) => void = () => undefined,
  ) {
    this.#env = env;
    this.#given = given;
    this.#onKey = onKey;
  }

  /** Where the key of a provider is; no command is run for that. Throws `config-invalid` for a key file that can't be trusted. */
  placeOf({ provider, variables, command }: KeyNeed): KeyPlace | undefined {
    if (this.#given?.provider === provider) return { in: 'given' };
    const variable = variables.find((name) => readKey(name, this.#env) !== undefined);
    if (variable !== undefined) return { in: 'environment', variable };
    if (this.#inFile(provider) !== undefined) return { in: 'file' };
    return command === undefined ? undefined : { in: 'command' };
  }

  /**
   * The key; undefined where there is none and none is needed. Rejects with `key-missing` and `config-invalid`, and at once when the
   * signal is aborted: a command may take its time.
   */
  async find(need: KeyNeed, signal: AbortSignal): Promise<string | undefined> {
    const place = this.placeOf(need);
    if (place !== undefined) {
      const key = sendable(await this.#read(place, need, signal), describe(place, need, this.path));
      this.#onKey(key);
      return key;
    }
    if (need.needed) throw this.missing(need);
    return undefined;
  }

  /** What is missing, and where it was looked for. */
  missing(need: KeyNeed): ReinsError {
    const names = need.variables.join(' or ');
    const expected = names === '' ? '' : `: ${names} is not set, and`;
    return new ReinsError(
      'key-missing',
      `The provider ${need.provider} needs a key${expected === '' ? ', and' : expected} ${this.path} has none for it.`,
    );
  }

  /** The user's key file. */
  get path(): string {
    return placesOf(this.#env).keys;
  }

  #inFile(provider: string): string | undefined {
    this.#file ??= Object.fromEntries(
      Object.entries(readKeyFile(this.path)).map(([name, key]) => [providerName(name), key.trim()]),
    );
    const key = Object.hasOwn(this.#file, provider) ? this.#file[provider] : undefined;
    return key === '' ? undefined : key;
  }

  async #read(place: KeyPlace, { provider, command = [] }: KeyNeed, signal: AbortSignal): Promise<string> {
    if (place.in === 'given') return this.#given?.key ?? '';
    if (place.in === 'environment') return readKey(place.variable, this.#env) ?? '';
    if (place.in === 'file') return this.#inFile(provider) ?? '';
    const { printedKey } = await import('./key-command.ts');
    const { home } = placesOf(this.#env);
    return printedKey({ provider, command, environment: commandEnvironment(this.#env), folder: home }, signal);
  }
}

function describe(place: KeyPlace, { provider }: KeyNeed, file: string): string {
  if (place.in === 'environment') return `The key in ${place.variable}`;
  if (place.in === 'file') return `The key of ${provider} in ${file}`;
  return place.in === 'command' ? `The key that the apiKeyCommand of ${provider} prints` : 'The key that was given';
}

/** A key travels in a header: what can't stand there isn't one, and must not be repeated in whoever's error. */
function sendable(key: string, what: string): string {
  if (/^[\u0020-\u007e]+$/.test(key)) return key;
  throw new ReinsError(
    'config-invalid',
    `${what} is no key: it is empty, or has line breaks or other characters in it that a header can’t hold.`,
  );
}
