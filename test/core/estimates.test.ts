import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  decide,
  defaultRules,
  estimatedInput,
  fold,
  foldAll,
  offeredOutput,
  spent,
  View,
  worstCost,
  type Draft,
  type Event,
  type Rates,
  type Route,
  type SetupData,
  type Usage,
} from '../../src/core/index.ts';
import { able } from '../support/abilities.ts';

const rates: Rates = { input: 10, output: 50, cacheRead: 1, cacheWrite: 10, dated: '2026-11-01', source: 'test' };
const setup: SetupData = {
  reins: '0.0.0',
  provider: 'p',
  wire: 'script',
  model: 'm',
  settings: {},
  ...able,
  system: ['You are a test.'],
  tools: [],
  mode: 'edit',
  limits: { turns: 100, calls: 500, minutes: 60, cost: 2, outputTokens: 1_000 },
  retries: { attempts: 10, minutes: 15, brokenStream: 4, firstPause: 500 },
  checks: [],
  window: 200_000,
  rates,
};
const source = { provider: 'p', wire: 'script', model: 'm' };
/** Bytes of a text that takes a token for each three or four of them, as code does. */
const bytes = 60_000;
const text = 'let it = be;\n'.repeat(bytes / 13);
const truth = text.length / 3.5;

/** A session that grows by hand. */
class Tale {
  readonly view = new View();
  readonly events: Event[] = [];

  add(draft: Draft): string {
    const id = `e${this.events.length}`;
    const event: Event = { id, parent: this.view.head, at: 1_000 + this.events.length, ...draft };
    this.events.push(event);
    fold(this.view, event);
    return id;
  }

  ask(cost?: number): string {
    const input = estimatedInput(this.view);
    const reserved = { input, output: 1_000, ...(cost !== undefined && { cost }) };
    const sent = {
      turn: 1,
      attempt: 1,
      source,
      fingerprint: '',
      base: null,
      kept: 0,
      tail: '',
      extends: true,
      bytes: 0,
    };
    return this.add({ kind: 'request', data: { ...sent, reserved } });
  }

  reply(request: string, usage?: Usage, parts: object[] = [{ type: 'text', text: 'ok' }]): void {
    const data = { request, source, parts, stop: 'end', ...(usage && { usage }), firstByte: 1, elapsed: 1 };
    this.add({ kind: 'reply', data } as Draft);
  }

  say(words: string): void {
    this.add({ kind: 'input', data: { from: 'user', text: words } });
  }
}

/** A first exchange about a long text, and what its reply reported. */
function told(usage: Usage | undefined, more: Partial<SetupData> = {}): Tale {
  const tale = new Tale();
  tale.add({ kind: 'setup', data: { ...setup, ...more } });
  tale.say(text);
  tale.reply(tale.ask(), usage);
  return tale;
}

describe('what the next request will hold', () => {
  test('is what was reported and what was said since', () => {
    const tale = told({ input: Math.round(truth), output: 10 });
    tale.say('x'.repeat(300));
    const estimate = estimatedInput(tale.view);
    assert.ok(estimate >= truth + 10 + 60 && estimate <= truth + 10 + 120, String(estimate));
  });

  for (const [name, usage] of [
    ['one token', { input: 1, output: 1 }],
    ['nothing', { input: 0, output: 0 }],
    ['a tenth', { input: Math.round(truth / 10), output: 10 }],
    ['what only a cache could have had', { input: 0, cacheRead: 3, output: 1 }],
  ] as [string, Usage][]) {
    test(`can’t be made small by a report of ${name}`, () => {
      const tale = told(usage);
      tale.say('And now?');
      const estimate = estimatedInput(tale.view);
      assert.ok(estimate > 0.65 * truth, `${estimate} of ${truth}`);
      tale.say(text);
      assert.ok(estimatedInput(tale.view) > 0.65 * 2 * truth, 'nor what is said later');
    });
  }

  test('is by size where nothing was reported', () => {
    const tale = told(undefined);
    assert.ok(estimatedInput(tale.view) >= truth);
  });

  test('doesn’t count sealed reasoning twice: what a reply holds is only counted as reported', () => {
    const sealed = { type: 'thinking', text: '', opaque: { seal: 'x'.repeat(400_000) } };
    const tale = new Tale();
    tale.add({ kind: 'setup', data: setup });
    tale.say('go');
    tale.reply(tale.ask(), { input: 500, output: 2_000 }, [sealed, { type: 'text', text: 'ok' }]);
    tale.say('on');
    assert.ok(estimatedInput(tale.view) < 3_000);
  });

  test('grows with the standing part: another mode has other tools', () => {
    const tale = told({ input: Math.round(truth), output: 10 });
    const before = estimatedInput(tale.view);
    const tools = [{ name: 'big', description: 'x'.repeat(30_000), input: { type: 'object' } }];
    tale.add({ kind: 'setup', data: { ...setup, tools } });
    assert.ok(estimatedInput(tale.view) > before + 6_000);
  });

  test('is folded alike from a log', () => {
    const tale = told({ input: 1, output: 1 });
    tale.say('on');
    const again = foldAll(tale.events, new Set(tale.events.map(({ id }) => id)));
    assert.equal(estimatedInput(again), estimatedInput(tale.view));
  });
});

describe('the money limit', () => {
  const next = (view: View) => decide(view, defaultRules, 2_000);

  test('holds back a request that its worst case can’t pay for, whatever was reported before', () => {
    const cost = worstCost(0.65 * truth, 1_000, rates);
    const tale = told({ input: 1, output: 1 }, { limits: { ...setup.limits, cost } });
    assert.ok(spent(tale.view.ledger) < cost, 'hardly anything was spent by what was reported');
    tale.say('go on');
    assert.partialDeepStrictEqual(next(tale.view), { do: 'stop', reason: 'limit', code: 'limit-cost' });
  });

  test('says what is left where that is too little', () => {
    const tale = told({ input: 1, output: 1 }, { limits: { ...setup.limits, cost: 0.05 } });
    tale.say('go on');
    const action = next(tale.view);
    assert.ok(action.do === 'stop');
    const left = 'What is left of the limit of 0.05 dollars, 0.05 dollars, doesn’t pay for another request.';
    assert.equal(action.detail, left);
    const request = tale.ask(0);
    tale.add({ kind: 'failure', data: { request, class: 'auth', code: 'provider-auth', message: 'No.', cost: 0 } });
    const route: Route = { ...setup, model: 'dear', when: {} };
    tale.view.setup = { ...setup, limits: { ...setup.limits, cost: 0.05 }, routes: [route] };
    assert.partialDeepStrictEqual(next(tale.view), { code: 'limit-cost', detail: `${left} Before it p/m failed: No.` });
  });

  test('pays for a request near a dearer tier as for one in it', () => {
    const above = { tokens: 18_000, input: 1_000, output: 5_000, cacheRead: 100, cacheWrite: 1_000 };
    const tiered = { rates: { ...rates, above } };
    const near = told({ input: 17_500, output: 10 }, tiered);
    near.say('go on');
    assert.partialDeepStrictEqual(next(near.view), { do: 'stop', code: 'limit-cost' });
    const far = told({ input: 16_000, output: 10 }, tiered);
    far.say('go on');
    assert.partialDeepStrictEqual(next(far.view), { do: 'ask-model' });
    assert.ok(offeredOutput(far.view, setup) > 0);
  });

  test('knows what was spent as soon as the outcome says it: refused unread, a request without a price costs nothing', () => {
    const tale = new Tale();
    const { rates: _, ...unpriced } = setup;
    tale.add({ kind: 'setup', data: unpriced });
    tale.say('go');
    const request = tale.ask();
    assert.ok(tale.view.ledger.costUnknown, 'it is under way');
    tale.add({ kind: 'failure', data: { request, class: 'auth', code: 'provider-auth', message: 'no', cost: 0 } });
    assert.ok(!tale.view.ledger.costUnknown);
    tale.reply(tale.ask(), { input: 1, output: 1 });
    assert.ok(tale.view.ledger.costUnknown, 'never zero');
    tale.reply(tale.ask(1), undefined);
    assert.ok(tale.view.ledger.costUnknown, 'and it stays so');
    assert.equal(
      spent(tale.view.ledger),
      1,
      'what has a price counts at its reservation where the reply doesn’t say it',
    );
  });
});
