import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createJobTool } from '../../src/tools/builtin/job/index.ts';
import type { JobLook, JobReport, Jobs, JobState } from '../../src/tools/index.ts';
import { toolSession, type SessionOptions } from './session.ts';

const state: JobState = { id: 'job-1', kind: 'job', command: 'serve\nall', startedAt: 0, state: 'running' };

/** A session whose jobs answer so and remember what they were asked. */
async function fixedJobs(report: Partial<JobReport> | { refused: string }, options: SessionOptions = {}) {
  const asked: unknown[] = [];
  const whole = (): JobReport | { refused: string } =>
    'refused' in report ? report : { ...state, startedAt: Date.now() - 12_000, output: '', omitted: 0, ...report };
  const jobs: Jobs = {
    list: async () => {
      asked.push('list');
      return 'refused' in report
        ? []
        : [state, { ...state, id: 'job-2', state: 'exited', exit: 3, command: 'x'.repeat(300) }];
    },
    look: async (id, look: JobLook) => {
      asked.push([id, look]);
      return whole();
    },
    type: async (id, input) => {
      asked.push([id, input]);
      return id === 'job-9' ? { refused: 'There is no job "job-9".' } : null;
    },
    end: async (id) => {
      asked.push(['end', id]);
      return whole();
    },
  };
  const session = await toolSession({ tools: [createJobTool(jobs)], ...options });
  return { session, asked };
}

describe('job', () => {
  test('without an id it lists them, each on one line', async () => {
    const { session, asked } = await fixedJobs({});
    await using _ = session;
    const result = await session.call('job', {});
    assert.match(
      result.text,
      /^job-1 has been running for [\d,]+ seconds\. serve ⏎ all\njob-2 ended by itself \(exit code: 3\)\. x{200}$/,
    );
    assert.equal(result.mayHaveChanged, undefined);
    assert.deepEqual(asked, ['list']);
    const none = await fixedJobs({ refused: '' });
    await using __ = none.session;
    assert.match((await none.session.call('job', {})).text, /^There are no jobs\./);
  });

  test('a look gives what is new, and how the job stands', async () => {
    const { session, asked } = await fixedJobs({ output: 'a\nb\n' });
    await using _ = session;
    const result = await session.call('job', { id: 'job-1' });
    assert.equal(result.outcome, 'ok');
    assert.equal(result.text, 'a\nb\njob-1 has been running for 12 seconds.');
    assert.equal(result.mayHaveChanged, true, 'it is at work meanwhile');
    assert.deepEqual(asked, [['job-1', { wait: 0 }]]);
  });

  const ends: [Partial<JobReport>, string][] = [
    [{ state: 'exited', exit: 0 }, 'job-1 ended by itself (exit code: 0).'],
    [{ state: 'exited', exit: null, signal: 'SIGSEGV' }, 'job-1 ended by itself (killed by SIGSEGV).'],
    [{ state: 'ended', exit: null, signal: null }, 'job-1 was ended (exit code: none).'],
    [{ state: 'lost' }, 'job-1 is gone, and nobody saw how it ended.'],
  ];
  for (const [report, text] of ends) {
    test(`how it ended: ${text}`, async () => {
      const { session } = await fixedJobs(report);
      await using _ = session;
      assert.equal((await session.call('job', { id: 'job-1' })).text, `(no new output)\n${text}`);
    });
  }

  test('a kept job’s time is told', async () => {
    const { session } = await fixedJobs({ kind: 'kept', until: Date.now() + 60_400 });
    await using _ = session;
    assert.match((await session.call('job', { id: 'job-1' })).text, /for 12 seconds, for 60 seconds more at most\.$/);
  });

  test('it types first, then waits for the pattern, by lines, for as long as asked', async () => {
    const { session, asked } = await fixedJobs({ output: 'ready\n', matched: true });
    await using _ = session;
    const result = await session.call('job', { id: 'job-1', input: 'go\n', wait: '^ready$', timeout: 5 });
    assert.equal(result.text, 'ready\njob-1 has been running for 12 seconds.');
    assert.deepEqual(asked, [
      ['job-1', 'go\n'],
      ['job-1', { pattern: /^ready$/mu, wait: 5_000 }],
    ]);
    await session.call('job', { id: 'job-1', wait: 'x' });
    await session.call('job', { id: 'job-1', input: '\u0003' });
    await session.call('job', { id: 'job-1', timeout: 600 });
    assert.deepEqual(asked.slice(2), [
      ['job-1', { pattern: /x/mu, wait: 30_000 }],
      ['job-1', '\u0003'],
      ['job-1', { wait: 1_000 }],
      ['job-1', { wait: 600_000 }],
    ]);
  });

  test('a pattern that didn’t come, and input without a line end, are told', async () => {
    const { session } = await fixedJobs({ matched: false });
    await using _ = session;
    const late = await session.call('job', { id: 'job-1', wait: 'x', timeout: 2 });
    assert.match(late.text, /^\(no new output\)\nWhat you waited for didn’t come within 2 seconds\.\njob-1 has been/);
    assert.match((await session.call('job', { id: 'job-1', input: 'yes' })).text, /\nThe input has no line end; /);
    assert.doesNotMatch((await session.call('job', { id: 'job-1', input: 'yes\n' })).text, /line end/);
    const over = await fixedJobs({ matched: false, state: 'exited', exit: 1 });
    await using __ = over.session;
    const text = 'What you waited for didn’t come.\njob-1 ended by itself (exit code: 1).';
    assert.equal(
      (await over.session.call('job', { id: 'job-1', wait: 'x', input: 'y' })).text,
      `(no new output)\n${text}`,
    );
  });

  test('ending it ends it', async () => {
    const { session, asked } = await fixedJobs({ state: 'ended', exit: null, output: 'bye\n' });
    await using _ = session;
    assert.equal(
      (await session.call('job', { id: 'job-1', end: true })).text,
      'bye\njob-1 was ended (exit code: none).',
    );
    assert.deepEqual(asked, [['end', 'job-1']]);
  });

  test('what can’t be is refused, and nothing is done', async () => {
    const { session, asked } = await fixedJobs({ refused: 'There is no job "job-7".' });
    await using _ = session;
    const refused: [object, RegExp][] = [
      [{ input: 'x' }, /^id: is missing/],
      [{ end: true }, /^id: is missing/],
      [{ id: 'job-1', timeout: 601 }, /^timeout: must be 0 to 600 seconds, got 601/],
      [{ id: 'job-1', timeout: -1 }, /^timeout: must be/],
      [{ id: 'job-1', end: true, input: 'x' }, /^end: goes with neither/],
      [{ id: 'job-1', wait: '(' }, /^wait: Invalid regular expression/],
      [{ id: 'job-1', wait: 'x'.repeat(1001) }, /^wait: must have at most 1000/],
    ];
    for (const [args, text] of refused) {
      const result = await session.call('job', { ...args });
      assert.equal(result.outcome, 'error');
      assert.match(result.text, text);
    }
    assert.deepEqual(asked, []);
    assert.equal((await session.call('job', { id: 'job-7' })).text, 'There is no job "job-7".');
    assert.equal((await session.call('job', { id: 'job-9', input: 'x' })).text, 'There is no job "job-9".');
    assert.equal(asked.length, 2, 'who can’t be typed to isn’t looked at');
  });

  test('a needless backslash in a pattern is no mistake', async () => {
    const { session, asked } = await fixedJobs({ matched: true });
    await using _ = session;
    await session.call('job', { id: 'job-1', wait: 'ready\\!\\-' });
    assert.deepEqual(asked, [['job-1', { pattern: new RegExp('ready\\!\\-', 'm'), wait: 30_000 }]]);
  });

  test('output is harmless', async () => {
    const { session } = await fixedJobs({ output: 'a\u001b[31mb\u0007\r\n' });
    await using _ = session;
    assert.match((await session.call('job', { id: 'job-1' })).text, /^ab\u2407\njob-1/);
  });

  test('looking passes where only reading does; typing and ending don’t', async () => {
    const { session, asked } = await fixedJobs({}, { policy: { mode: 'plan' } });
    await using _ = session;
    assert.equal((await session.call('job', {})).outcome, 'ok');
    assert.equal((await session.call('job', { id: 'job-1', wait: 'x' })).outcome, 'ok');
    assert.equal((await session.call('job', { id: 'job-1', input: 'rm -rf x\n' })).outcome, 'denied');
    assert.equal((await session.call('job', { id: 'job-1', end: true })).outcome, 'denied');
    assert.equal(asked.length, 2);
  });

  test('who is asked sees what would be typed', async () => {
    const seen: string[] = [];
    const { session } = await fixedJobs(
      {},
      {
        policy: { mode: 'ask' },
        approver: {
          ask: async ({ question }) => {
            seen.push(question);
            return { by: 'test', decision: 'no', scope: 'once' };
          },
        },
      },
    );
    await using _ = session;
    await session.call('job', { id: 'job-1', input: 'drop\u0003 it\n' });
    await session.call('job', { id: 'job-1', end: true });
    assert.match(seen[0] ?? '', /type into job-1:\ndrop\u2403 it\n/);
    assert.match(seen[1] ?? '', /end job-1/);
  });
});
