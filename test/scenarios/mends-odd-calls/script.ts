import assert from 'node:assert/strict';
import type { Json } from '../../../src/core/index.ts';
import type { Script } from '../../support/scenario-types.ts';

/** All that stands under a key that holds the arguments of a call, on any wire. */
function argumentsIn(value: Json | undefined): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    return key === 'arguments' || key === 'input' || key === 'args'
      ? [inner, ...argumentsIn(inner)]
      : argumentsIn(inner);
  });
}

/** Whatever a model gave as arguments, what is sent back are JSON objects. */
export const checks: Script['checks'] = {
  argumentsAreJson({ server }) {
    for (const { body, path } of server.requests) {
      // On one wire the conversation itself has a name that arguments have elsewhere.
      const spoken = path.endsWith('/responses') ? body['input'] : (body['messages'] ?? body['contents']);
      for (const given of argumentsIn(spoken)) {
        const read: unknown = typeof given === 'string' ? JSON.parse(given) : given;
        assert.ok(typeof read === 'object' && read !== null && !Array.isArray(read), JSON.stringify(given));
      }
    }
  },
};
