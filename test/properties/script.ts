/** Random sessions: what a model says, how its provider fails, and what people do meanwhile. */
import * as fc from 'fast-check';
import type { Scenario, ScriptedAnswer } from '../../src/testing/index.ts';

type Turn = Scenario['turns'][number];
type ScriptedCall = NonNullable<Turn['calls']>[number];
type Failure = NonNullable<Turn['failures']>[number];

/** Somebody does something when so many events have been recorded in a drive. */
export interface Arrival {
  at: number;
  what: 'steer' | 'follow-up' | 'cancel';
}

export interface Script {
  turns: Turn[];
  arrivals: Arrival[];
  /** Answers to questions, in their order; then no. */
  answers: ScriptedAnswer[];
  /** The limit of turns in the first run of a drive; the others have none. */
  turnLimit: number | undefined;
  /** The least value that the check wants to find; without one the checks are waived. */
  wanted: number | undefined;
}

/** The model's last words: a session is through when they are said. */
export const lastWords = 'This was the last turn.';

const value = fc.integer({ min: 0, max: 9 });
const works = ['mark', 'mark', 'lazy', 'change', 'asked', 'denied', 'throws', 'big'] as const;
const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const id = sometimes(fc.constantFrom('twin', 'other twin'));

const call: fc.Arbitrary<ScriptedCall> = fc
  .record({
    n: value,
    id,
    kind: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...works) },
      { weight: 1, arbitrary: fc.constantFrom('unknown' as const, 'invalid' as const, 'malformed' as const) },
    ),
  })
  .map(({ n, id, kind }) => {
    const named = id === undefined ? {} : { id };
    if (kind === 'unknown') return { name: 'nothing', arguments: { n }, ...named };
    if (kind === 'invalid') return { name: 'mark', arguments: { n: 'one' }, ...named };
    if (kind === 'malformed') return { name: 'mark', malformed: '{"n": ', ...named };
    return { name: kind, arguments: { n }, ...named };
  });

const transient: Failure[] = [
  { status: 529 },
  { status: 500 },
  { status: 429, retryAfter: 0 },
  { cut: 'after-headers' },
  { cut: 'before-end' },
  { cut: 'before-end', how: 'end' },
  { streamError: 'after-headers' },
  { close: true },
  { reply: { stop: 'end' } },
];
const final: Failure[] = [
  { status: 400, message: 'not like this' },
  { status: 401 },
  { reply: { text: 'I will not.', stop: 'refusal', stopDetail: 'not this' } },
];
const failures = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Failure[]>([]) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...transient), { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constantFrom(...final).map((failure) => [failure]) },
);

const shape = fc.oneof(
  { weight: 10, arbitrary: fc.constant('calls' as const) },
  { weight: 2, arbitrary: fc.constantFrom('claim' as const, 'cut text' as const, 'cut calls' as const) },
  { weight: 2, arbitrary: fc.constant('pause' as const) },
);

const turn = (pauses: boolean): fc.Arbitrary<Turn> =>
  fc
    .record({
      shape,
      text: fc.constantFrom('I look.', 'Ünïcode 😀.', ' '),
      thinks: fc.boolean(),
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      failures,
    })
    .map(({ shape, text, thinks, calls: given, failures }): Turn => {
      // The server knows by its calls which thinking a reply had: with it, a name that comes twice would confuse it.
      const calls = thinks ? given.map(({ id: _, ...call }) => call) : given;
      const said: Turn = { ...(thinks && { thinking: 'Hm.' }), ...(failures.length > 0 && { failures }) };
      if (shape === 'claim') return { ...said, text: 'I think this is all.' };
      if (shape === 'cut text') return { ...said, text: 'I begin to', stop: 'length' };
      if (shape === 'cut calls') return { ...said, calls, stop: 'length' };
      if (shape === 'pause' && pauses) return { ...said, text: 'One moment.', stop: 'pause' };
      return { ...said, text, calls };
    });

const arrival: fc.Arbitrary<Arrival> = fc.record({
  at: fc.integer({ min: 2, max: 40 }),
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constant('steer' as const) },
    { weight: 2, arbitrary: fc.constant('follow-up' as const) },
    { weight: 1, arbitrary: fc.constant('cancel' as const) },
  ),
});

/** A script of so many turns at most, and two that bring it to its end. Pauses may be left out. */
export const scripts = (most: number, { pauses = true } = {}): fc.Arbitrary<Script> =>
  fc
    .record({
      turns: fc.array(turn(pauses), { minLength: 1, maxLength: most }),
      arrivals: fc.array(arrival, { maxLength: 3 }),
      answers: fc.array(fc.constantFrom<ScriptedAnswer>('yes', 'no', 'later'), { maxLength: 4 }),
      turnLimit: sometimes(fc.integer({ min: 1, max: 4 })),
      wanted: sometimes(fc.integer({ min: 1, max: 9 })),
    })
    .map((script) => ({ ...script, turns: [...script.turns, lastChange, lastTurn] }));

const lastChange: Turn = { text: 'Now it is done.', calls: [{ name: 'change', arguments: { n: 9 } }] };
const lastTurn: Turn = { text: lastWords };

/** One script that has everything in it but checks. */
export const everything: Script = {
  turns: [
    {
      thinking: 'Where to begin?',
      text: 'I look.',
      calls: [
        { name: 'mark', arguments: { n: 1 } },
        { name: 'lazy', arguments: { n: 2 } },
        { name: 'change', arguments: { n: 3 } },
      ],
      failures: [{ status: 529 }, { cut: 'in-call' }],
    },
    { thinking: 'Hm.', text: 'One moment.', stop: 'pause' },
    { text: 'I claim that it is done.' },
    {
      thinking: 'Not so.',
      calls: [
        { name: 'asked', arguments: { n: 1 }, id: 'twin' },
        { name: 'denied', arguments: { n: 2 }, id: 'twin' },
        { name: 'asked', arguments: { n: 3 } },
        { name: 'nothing', arguments: {} },
        { name: 'mark', malformed: '{"n":' },
        { name: 'throws', arguments: { n: 4 } },
      ],
      failures: [{ reply: { text: 'I will not.', stop: 'refusal' } }],
    },
    { calls: [{ name: 'mark', arguments: { n: 5 } }], stop: 'length' },
    { text: 'I begin to', stop: 'length', failures: [{ status: 401 }] },
    { blocks: [{ redacted: 'secret' }, { text: 'So.' }, { call: { name: 'big', arguments: { n: 6 } } }] },
    lastChange,
    lastTurn,
  ],
  arrivals: [
    { at: 4, what: 'steer' },
    { at: 24, what: 'steer' },
    { at: 12, what: 'follow-up' },
    { at: 40, what: 'cancel' },
  ],
  answers: ['yes', 'later'],
  turnLimit: 6,
  wanted: undefined,
};

/** Says too early that it is done, and is shown by the check that it isn't. */
export const proven: Script = {
  turns: [
    { text: 'I change it.', calls: [{ name: 'change', arguments: { n: 1 } }] },
    { text: 'Done.' },
    { text: 'Indeed not.', calls: [{ name: 'change', arguments: { n: 9 } }] },
    lastTurn,
  ],
  arrivals: [],
  answers: [],
  turnLimit: undefined,
  wanted: 5,
};
