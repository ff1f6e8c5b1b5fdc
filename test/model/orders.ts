/** Orders for a wire, and what is made of them. */
import type { Message, SetupData, Source, Target } from '../../src/core/index.ts';
import type { Order, Wire } from '../../src/model/index.ts';
import { able } from '../support/abilities.ts';

/** What an order of the tests differs in. */
export interface Changes {
  system?: SetupData['system'];
  tools?: SetupData['tools'];
  settings?: Target['settings'];
  abilities?: Partial<Target['abilities']>;
  /** Whom it goes to. */
  source?: Partial<Source>;
  profile?: string;
  maxOutput?: number;
  image?: Order['image'];
  cacheKey?: string;
}

export function orderFor(wire: Wire, messages: readonly Message[], changes: Changes = {}): Order {
  const { system = [], tools = [], settings = {}, abilities, source, profile, maxOutput = 1_000 } = changes;
  return {
    setup: { system, tools },
    target: {
      ...able,
      provider: 'maker',
      wire: wire.name,
      model: 'model-1',
      ...source,
      ...(profile === undefined ? {} : { profile }),
      settings,
      abilities: { ...able.abilities, ...abilities },
      window: 200_000,
    },
    messages,
    maxOutput,
    image: changes.image ?? (() => undefined),
    cacheKey: changes.cacheKey ?? 'session-1',
  };
}

/** The body as a strict reader takes it: valid UTF-8. */
export function bodyText(wire: Wire, order: Order): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(wire.encode(order).body);
}
