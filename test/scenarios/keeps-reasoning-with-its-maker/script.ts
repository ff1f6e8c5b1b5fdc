import assert from 'node:assert/strict';
import type { Event } from '../../../src/core/index.ts';
import { secretsIn, wordingOf } from '../../properties/switching-makers.ts';
import type { Script } from '../../support/scenario-types.ts';

/** What each model sealed stands in every later request to it, byte for byte, and in no request to the other. */
export const checks: Script['checks'] = {
  staysWithItsMaker({ server }, runs) {
    const events = runs.flatMap(({ items }) => items.filter((item): item is Event => 'kind' in item));
    const asked = events.filter((event) => event.kind === 'request');
    assert.equal(asked.length, server.requests.length);
    const replies = events.filter((event) => event.kind === 'reply');
    assert.ok(replies.length >= 6 && new Set(replies.map(({ data }) => data.source.model)).size === 2);
    for (const reply of replies) {
      const at = events.indexOf(reply);
      for (const [index, request] of asked.entries()) {
        const body = server.requests[index]?.bytes.toString() ?? '';
        const isOwn = request.data.source.model === reply.data.source.model;
        const isLater = events.indexOf(request) > at;
        for (const words of isOwn && isLater ? wordingOf(reply.data) : []) {
          assert.ok(body.includes(words), `${words} isn’t in ${body}`);
        }
        for (const secret of isOwn ? [] : secretsIn(reply.data)) {
          assert.ok(!body.includes(JSON.stringify(secret).slice(1, -1)), `${secret} is in ${body}`);
        }
      }
    }
    // The last reply is of words alone.
    for (const { data } of replies.slice(0, -1)) assert.ok(secretsIn(data).length > 0 && wordingOf(data).length > 0);
  },
};
