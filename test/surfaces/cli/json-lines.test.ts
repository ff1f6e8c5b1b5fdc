import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ReinsError, type Event, type Notification, type RunOutcome } from '../../../src/harness/index.ts';
import { UsageError } from '../../../src/surfaces/cli/arguments.ts';
import { CannotRun, failureOf } from '../../../src/surfaces/cli/failure.ts';
import { failedOutcome, JsonLines } from '../../../src/surfaces/cli/json-lines.ts';

const event: Event = { id: 'e1', parent: null, at: 5, kind: 'cancel', data: { by: 'a\u2028b\u009b' } };
const outcome: RunOutcome = {
  outcome: 'limit',
  exit: 4,
  code: 'limit-turns',
  detail: 'The limit of 1 turn was reached.',
  answer: 'So far.',
  session: 's',
  log: '/l',
  head: 'h',
  turns: 1,
  calls: 0,
  usage: {},
  changed: [],
  evidence: [],
  checksWaived: false,
  denials: [],
  resumable: true,
};

function written(use: (lines: JsonLines) => void): string[] {
  const all: string[] = [];
  use(new JsonLines((line) => all.push(line)));
  return all;
}

describe('JSON lines', () => {
  test('the first line and the outcome carry the version; an event is what the log has, in its order', () => {
    const lines = written((json) => {
      json.event(event);
      json.event(event);
      json.outcome(outcome);
    });
    const recorded = '"id":"e1","parent":null,"at":5,"kind":"cancel","data":{"by":"a\\u2028b\\u009b"}}\n';
    assert.deepEqual(lines.slice(0, 2), [`{"type":"event","version":1,${recorded}`, `{"type":"event",${recorded}`]);
    assert.match(lines[2] ?? '', /^\{"type":"outcome","version":1,"outcome":"limit","exit":4,/);
    assert.deepEqual(JSON.parse(lines[2] ?? ''), { type: 'outcome', version: 1, ...outcome });
  });

  test('the outcome comes once, and nothing after it', () => {
    const lines = written((json) => {
      json.outcome(outcome);
      json.event(event);
      json.outcome({ ...outcome, exit: 0 });
    });
    assert.equal(lines.length, 1);
  });

  test('deltas', () => {
    const notifications: Notification[] = [
      { type: 'text', request: 'r', delta: 'Hel' },
      { type: 'thinking', request: 'r', delta: 'hm' },
      { type: 'call', request: 'r', index: 0, name: 'read' },
      { type: 'output', call: 'c/0', delta: 'ok\n' },
      { type: 'void', request: 'r' },
      { type: 'waiting', until: 9, why: 'busy' },
    ];
    const lines = written((json) => notifications.forEach((each) => json.delta(each))).map(
      (line) => JSON.parse(line) as object,
    );
    assert.deepEqual(lines, [
      { type: 'delta', version: 1, kind: 'text', request: 'r', text: 'Hel' },
      { type: 'delta', kind: 'thinking', request: 'r', text: 'hm' },
      { type: 'delta', kind: 'call', request: 'r', index: 0, name: 'read' },
      { type: 'delta', kind: 'output', call: 'c/0', text: 'ok\n' },
      { type: 'delta', kind: 'void', request: 'r' },
      { type: 'delta', kind: 'waiting', until: 9, why: 'busy' },
    ]);
  });
});

describe('what failed outside a session’s own end', () => {
  const failures: [string, unknown, object][] = [
    [
      'a usage error',
      new UsageError('No task.'),
      { outcome: 'usage', exit: 2, code: 'usage-arguments', detail: 'No task.' },
    ],
    [
      'a usage error of the catalogue',
      new ReinsError('key-missing', 'ANTHROPIC_API_KEY is not set.'),
      { outcome: 'usage', exit: 2, code: 'key-missing', detail: 'ANTHROPIC_API_KEY is not set.' },
    ],
    [
      'a storage error',
      new ReinsError('log-append-failed', 'Disk full.'),
      { outcome: 'error', exit: 1, code: 'log-append-failed', detail: 'Disk full.' },
    ],
    ['a reason outside of Reins', new CannotRun('No Git.'), { outcome: 'error', exit: 1, detail: 'No Git.' }],
    ['a defect', new TypeError('oops'), { outcome: 'error', exit: 1, code: 'defect', detail: 'oops' }],
    ['anything thrown', 'oops', { outcome: 'error', exit: 1, code: 'defect', detail: 'oops' }],
  ];
  for (const [name, error, expected] of failures) {
    test(name, () => {
      const { text, ...failure } = failureOf(error);
      assert.deepEqual(failure, expected);
      assert.ok(text.includes(failure.detail));
      const { outcome: reason, exit, code, detail } = failedOutcome(failure as ReturnType<typeof failureOf>);
      assert.deepEqual({ outcome: reason, exit, detail, ...(code === undefined ? {} : { code }) }, expected);
    });
  }

  test('always has the fields that a program counts on', () => {
    assert.deepEqual(failedOutcome(failureOf(new UsageError('x'))), {
      outcome: 'usage',
      exit: 2,
      code: 'usage-arguments',
      detail: 'x',
      turns: 0,
      calls: 0,
      usage: {},
      changed: [],
      evidence: [],
      checksWaived: false,
      denials: [],
      resumable: false,
    });
  });

  test('keeps what the session has done, but not its answer and its code', () => {
    const failed = failedOutcome(failureOf(new CannotRun('Gone.')), { ...outcome, turns: 3 });
    const { answer: _answer, code: _code, ...rest } = outcome;
    assert.deepEqual(failed, { ...rest, turns: 3, outcome: 'error', exit: 1, detail: 'Gone.' });
  });
});
