/** The contract of the port `Log`: what every log must keep, wherever it has its events. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { Draft, Event, Log } from '../../src/core/index.ts';

export interface LogUnderTest {
  log: Log;
  /** The events that a reader finds now, in their order. */
  read: () => Event[] | Promise<Event[]>;
  /** Lets the next write fail; absent where the log has no way to. */
  failNext?: () => void;
  close: () => void | Promise<void>;
}

const note = (text: string): Draft => ({ kind: 'input', data: { from: 'user', text } });

/** Runs the suite; the factory makes a log that holds nothing yet, or only what it needs to begin with. */
export function testLogContract(name: string, make: () => LogUnderTest | Promise<LogUnderTest>): void {
  /** Appends behind the last event, without waiting for it to be written. */
  const appender = async ({ log, read }: LogUnderTest): Promise<(draft: Draft, at?: number) => Promise<Event>> => {
    const last = (await read()).at(-1)?.id ?? (await log.append({ parent: null, at: 1, ...note('first') })).id;
    return (draft, at = 1000) => log.append({ parent: last, at, ...draft });
  };

  const withLog = (body: (subject: LogUnderTest) => Promise<void>) => async (): Promise<void> => {
    const subject = await make();
    try {
      await body(subject);
    } finally {
      await subject.close();
    }
  };

  describe(`${name} keeps the contract of a log`, () => {
    test(
      'what is appended is what a reader finds',
      withLog(async ({ log, read }) => {
        const before = (await read()).length;
        const parent = (await read()).at(-1)?.id ?? null;
        const first = await log.append({ parent, at: 1000, ...note('one') });
        const second = await log.append({ parent: first.id, at: 1001, ...note('two') });
        assert.deepEqual((await read()).slice(before), [first, second]);
        assert.deepEqual(
          { ...first, id: '' },
          { id: '', parent, at: 1000, kind: 'input', data: { from: 'user', text: 'one' } },
        );
        assert.equal(second.parent, first.id);
      }),
    );

    test(
      'events are appended in the order of the calls',
      withLog(async (subject) => {
        const append = await appender(subject);
        const texts = Array.from({ length: 50 }, (_, index) => `${index}`);
        await Promise.all(texts.map((text) => append(note(text))));
        const found = (await subject.read()).map((event) => event.kind === 'input' && event.data.text);
        assert.deepEqual(found.slice(-50), texts);
      }),
    );

    test(
      'ids are unique and sort like the events, also when the clock goes back',
      withLog(async (subject) => {
        const append = await appender(subject);
        for (const at of [5000, 5000, 4000, 1, 6000, 5999]) await append(note(''), at);
        const ids = (await subject.read()).map(({ id }) => id);
        assert.deepEqual(ids, [...new Set(ids)].sort());
      }),
    );

    test(
      'any text comes back as it went in',
      withLog(async (subject) => {
        const append = await appender(subject);
        await fc.assert(
          fc.asyncProperty(fc.string({ unit: 'binary' }), async (random) => {
            const text = `${random}\ud800\u2028\u2029\n\0`;
            const event = await append(note(text));
            assert.deepEqual(event.data, { from: 'user', text });
            assert.deepEqual((await subject.read()).at(-1), event);
          }),
          { numRuns: 50 },
        );
      }),
    );

    test(
      'what the caller does with its objects later changes nothing',
      withLog(async (subject) => {
        const append = await appender(subject);
        const draft = { kind: 'notice' as const, data: { code: 'x', level: 'info' as const, text: 'before' } };
        const event = await append(draft);
        draft.data.text = 'after';
        assert.equal(event.kind === 'notice' && event.data.text, 'before');
        assert.deepEqual((await subject.read()).at(-1), event);
      }),
    );

    test(
      'sync resolves, with and without something new',
      withLog(async (subject) => {
        const { log } = subject;
        const append = await appender(subject);
        await log.sync();
        await append(note(''));
        await Promise.all([log.sync(), log.sync()]);
        await log.sync();
      }),
    );

    test(
      'after a failed append every later one fails, and what was there stays',
      withLog(async (subject) => {
        if (subject.failNext === undefined) return;
        const append = await appender(subject);
        await append(note('kept'));
        const before = await subject.read();
        subject.failNext();
        await assert.rejects(append(note('failed')));
        await assert.rejects(append(note('after')));
        assert.deepEqual(await subject.read(), before);
      }),
    );
  });
}
