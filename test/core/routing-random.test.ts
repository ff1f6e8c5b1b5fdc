import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  decide,
  defaultRules,
  foldAll,
  run,
  sourceOf,
  targetName,
  targetNamed,
  type Event,
  type FailureClass,
  type Model,
  type Route,
  type View,
} from '../../src/core/index.ts';
import { nextTry } from '../../src/model/index.ts';
import { manualClock } from '../../src/testing/index.ts';
import { able } from '../support/abilities.ts';
import { open } from './drive.ts';

const passing: readonly FailureClass[] = ['retryable', 'wait', 'broken-stream', 'unreachable'];
const lasting: readonly FailureClass[] = ['auth', 'quota', 'content', 'protocol', 'overflow'];
const codes: { [kind: string]: string } = { auth: 'provider-auth', quota: 'provider-quota' };
const retries = { attempts: 3, minutes: 15, brokenStream: 2, firstPause: 500 };

const kind = fc.constantFrom(...passing, ...lasting);
const when = fc.record(
  {
    failure: fc.uniqueArray(kind, { minLength: 1, maxLength: 4 }),
    tries: fc.integer({ min: 1, max: 4 }),
    role: fc.constantFrom('work' as const, 'plan' as const, 'reviewer' as const),
    effort: fc.constant<string[]>(['high']),
    costAbove: fc.constantFrom(0, 1, 1_000),
  },
  { requiredKeys: [] },
);
const routes = fc.array(
  fc.record({ name: fc.constantFrom('own/m', 'a/m', 'b/m', 'c/m'), when }).map(({ name, when: condition }): Route => {
    const [provider = '', model = ''] = name.split('/');
    return { provider, wire: 'script', model, settings: {}, ...able, window: 100_000, when: condition };
  }),
  { maxLength: 6 },
);
/** What becomes of each request: a failure, a reply with a call, or the end. */
const fates = fc.array(fc.oneof({ weight: 5, arbitrary: kind }, fc.constantFrom('call' as const, 'end' as const)), {
  maxLength: 40,
});

const sentNowhere = { fingerprint: '', base: null, kept: 0, tail: '', bytes: 0, extends: true };

/** A model for all names, whose requests have these fates, and a good end after them. */
function fated(list: readonly (FailureClass | 'call' | 'end')[], now: () => number): Model {
  const left = [...list];
  let before = new Map<string, { attempts: number; broken: number; firstAt: number }>();
  return {
    prepare: async ({ setup }: View, { route, turn, attempt, maxOutput, closing }) => {
      assert.ok(setup !== undefined);
      const target = targetNamed(setup, route?.to, route?.role);
      assert.ok(target !== undefined);
      const data = {
        ...sentNowhere,
        turn,
        attempt,
        source: sourceOf(target),
        reserved: { input: 1, output: maxOutput, cost: 1 },
        ...(route !== undefined && { route }),
        ...(closing && { closing }),
      };
      return { data, body: new Uint8Array() };
    },
    send: async ({ data: { source } }) => {
      const fate = left.shift() ?? 'end';
      if (fate === 'call' || fate === 'end') {
        before = new Map();
        const call = { type: 'call', id: 'c', name: 'echo', arguments: { text: 'x' } } as const;
        const parts = [fate === 'call' ? call : ({ type: 'text', text: 'Done.' } as const)];
        const stop = fate === 'call' ? 'calls' : 'end';
        return { kind: 'reply', data: { source, parts, stop, cost: 0.5, firstByte: 1, elapsed: 1 } };
      }
      const name = targetName(source);
      const known = before.get(name) ?? { attempts: 0, broken: 0, firstAt: now() };
      const isBroken = fate === 'broken-stream' || fate === 'unreachable';
      const so = { ...known, attempts: known.attempts + 1, broken: known.broken + (isBroken ? 1 : 0) };
      before.set(name, so);
      const code = codes[fate] ?? 'provider-error';
      const next = nextTry(retries, so, now(), { class: fate, code: 'provider-error', message: '' }, () => 0.5);
      return {
        kind: 'failure',
        data: { class: fate, code, message: 'no', cost: 0.1, ...('retryAt' in next && { retryAt: next.retryAt }) },
      };
    },
  };
}

/** Every request of a log, with the view before it. */
function* requestsIn(events: readonly Event[]) {
  for (const [index, event] of events.entries()) {
    if (event.kind !== 'request') continue;
    const before = events.slice(0, index);
    yield { event, view: foldAll(before, new Set(before.map(({ id }) => id))) };
  }
}

test('whatever the routes and whatever fails: an end is reached, and no model is asked in vain or too soon', async () => {
  await fc.assert(
    fc.asyncProperty(routes, fates, fc.constantFrom('edit' as const, 'plan' as const), async (chain, list, mode) => {
      const clock = manualClock(1_000_000, { auto: true });
      const model = fated(list, () => clock.now());
      const { loop, log } = await open({
        model,
        clock,
        setup: { provider: 'own', model: 'm', routes: chain, retries, mode },
        input: 'go',
      });
      const end = await run(loop);
      assert.ok('stop' in end);
      const names = new Set(chain.map(targetName).concat('own/m'));
      let sinceReply = 0;
      for (const { event, view } of requestsIn(log.events)) {
        const name = targetName(event.data.source);
        const failed = view.failures.get(name);
        if (failed !== undefined) {
          assert.ok(failed.data.retryAt !== undefined, `${name} had failed for good`);
          assert.ok(event.at >= failed.data.retryAt, `${name} asks for more time`);
        }
        const action = decide(view, defaultRules, event.at);
        assert.ok(action.do === 'ask-model', 'the log alone says the same');
        assert.deepEqual(action.route, event.data.route);
        sinceReply = view.failure === undefined ? 1 : sinceReply + 1;
        assert.equal(event.data.attempt, sinceReply);
        assert.ok(sinceReply <= names.size * retries.attempts, 'no model is asked more often than it may be');
      }
      // A run without routes tries its model as often; with them it never gives up sooner.
      const own = loop.recorder.view.failures.get('own/m');
      if (end.stop.reason === 'provider') assert.ok(own?.data.retryAt === undefined, 'its own model had tries left');
    }),
    { numRuns: 400 },
  );
});
