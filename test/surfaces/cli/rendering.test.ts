import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  grouped,
  type Damage,
  type Event,
  type EventData,
  type Kind,
  type RunReport,
} from '../../../src/harness/index.ts';
import { widthOf } from '../../../src/surfaces/cli/printable.ts';
import { EventLines, plainStyle, Progress, summaryLines, undoLines } from '../../../src/surfaces/cli/render/index.ts';
import { dollars, duration, tokens } from '../../../src/surfaces/cli/render/amounts.ts';
import { able } from '../../support/abilities.ts';

const at = new Date(2026, 10, 30, 14, 2, 11).getTime();
const hostile = '\u001b]0;x\u0007';
let count = 0;

function event<K extends Kind>(kind: K, data: EventData[K], id = `e${(count += 1)}`): Event {
  return { id, parent: null, at, kind, data } as Event;
}

const source = { wire: 'anthropic', model: 'm' };
const request = (data: Partial<EventData['request']> = {}) =>
  event('request', {
    turn: 1,
    attempt: 1,
    source,
    fingerprint: 'f',
    base: null,
    kept: 0,
    tail: '',
    bytes: 4200,
    extends: true,
    reserved: { input: 1, output: 1 },
    ...data,
  });
const reply = (data: Partial<EventData['reply']>, id?: string) =>
  event('reply', { request: 'r', source, parts: [], stop: 'end', firstByte: 1, elapsed: 1500, ...data }, id);
const callPart = (name: string, callArguments: { [key: string]: string }) =>
  ({ type: 'call', id: 'x', name, arguments: callArguments }) as const;
const evidence = (data: Partial<EventData['evidence']> = {}) =>
  event('evidence', {
    command: 'npm test',
    passed: true,
    exit: 0,
    outcome: 'passed',
    output: { text: 'ok' },
    elapsed: 1234,
    covers: 'e1',
    ...data,
  });

const ownChecks = (why: string): Event => event('own-checks', { covers: 'e1', proves: false, commands: [], why });

/** One of each kind, with what a hostile repository could put into it. */
const everyKind: { [K in Kind]: Event } = {
  session: event('session', { format: 1, reins: '0.1.0', workspace: `/w/${hostile}` }),
  'own-checks': ownChecks(hostile),
  judgement: event('judgement', { goal: hostile, covers: 'e1', ruling: 'not-yet', reason: hostile }),
  setup: event('setup', {
    reins: '0.1.0',
    provider: 'anthropic',
    wire: 'anthropic',
    model: `m${hostile}`,
    settings: {},
    ...able,
    system: [],
    tools: [{ name: 'read', description: '', input: {} }],
    mode: 'ask',
    limits: { turns: 1, calls: 1, minutes: 1, cost: 1, outputTokens: 1 },
    retries: { attempts: 1, minutes: 1, brokenStream: 1, firstPause: 1 },
    checks: [{ command: `npm test${hostile}`, from: 'project', timeout: 1, definers: [] }],
    window: 1,
  }),
  connection: event('connection', { host: `h${hostile}`, port: 443, allowed: false, reason: `not granted${hostile}` }),
  input: event('input', { from: 'steer', text: `look\n${hostile}` }),
  'follow-up': event('follow-up', { input: 'e1' }),
  cancel: event('cancel', { by: `signal${hostile}`, signal: 'SIGINT' }),
  request: request({ closing: true, base: 'b', extends: false, broke: 'tools' }),
  reply: reply({
    parts: [{ type: 'text', text: `I look.${hostile}` }, callPart('shell', { command: `ls${hostile}` })],
    stop: 'calls',
  }),
  failure: event('failure', {
    request: 'r',
    class: 'retryable',
    code: 'provider-overloaded',
    message: `busy${hostile}`,
    status: 529,
    retryAt: at + 4000,
  }),
  verdict: event('verdict', {
    call: 'c/0',
    tool: `shell${hostile}`,
    decision: 'deny',
    by: `mode:ask${hostile}`,
    reason: `no one to ask${hostile}`,
    arguments: { command: `ls${hostile}` },
    resources: 'unknown',
  }),
  ask: event('ask', { call: 'c/0', tool: 'shell', question: `run?${hostile}` }),
  answer: event('answer', {
    ask: 'a',
    by: `terminal${hostile}`,
    decision: 'no',
    scope: 'once',
    reason: `why${hostile}`,
  }),
  review: event('review', {
    ask: `a${hostile}`,
    source: { provider: `p${hostile}`, wire: 'anthropic', model: `m${hostile}` },
    blob: 'b',
    bytes: 10,
    reserved: { input: 1, output: 1 },
  }),
  'review-end': event('review-end', { review: 'r', decision: 'deny', reason: `bad${hostile}`, elapsed: 5 }),
  aside: event('aside', {
    purpose: 'summary',
    source: { provider: `p${hostile}`, wire: 'anthropic', model: `m${hostile}` },
    blob: 'b',
    bytes: 10,
    reserved: { input: 1, output: 1 },
  }),
  'aside-end': event('aside-end', { aside: 'a', text: `said${hostile}`, elapsed: 5 }),
  instructions: event('instructions', {
    files: [{ path: `a${hostile}/AGENTS.md`, hash: 'h', bytes: 9 }],
    gone: [`b${hostile}`],
    text: `t${hostile}`,
  }),
  hook: event('hook', { text: hostile }),
  start: event('start', { call: 'c/0', tool: `shell${hostile}` }),
  result: event('result', { call: 'c/0', tool: `shell${hostile}`, outcome: 'error', text: `bad${hostile}\nmore` }),
  compaction: event('compaction', { why: 'overflow', elided: [`c${hostile}/0`], before: 9, after: 3 }),
  rewrite: event('rewrite', { text: hostile }),
  evidence: evidence({
    command: `npm test${hostile}`,
    passed: false,
    outcome: 'failed',
    exit: 1,
    output: { text: hostile },
  }),
  checkpoint: event('checkpoint', {
    commit: null,
    files: {},
    changed: [`a${hostile}`],
    incomplete: `too many${hostile}`,
  }),
  child: event('child', { session: `s${hostile}`, task: `look${hostile}` }),
  'child-end': event('child-end', { session: 's', outcome: `completed${hostile}`, cost: 1 }),
  job: event('job', { id: `job-1${hostile}`, call: 'e/0', command: `npm start${hostile}`, kept: false }),
  'job-end': event('job-end', { id: `job-1${hostile}`, how: 'ended', exit: null, signal: `SIGTERM${hostile}` }),
  undo: event('undo', {
    calls: ['e/0'],
    before: 's1',
    after: 's2',
    changes: [{ path: `a${hostile}`, before: null, after: null }],
    kept: [{ path: `b${hostile}`, why: `changed${hostile}` }],
  }),
  head: event('head', { from: 'e1', why: 'move', branch: `b${hostile}` }),
  title: event('title', { text: `a name ${hostile}`, by: 'reins title' }),
  notice: event('notice', { code: 'log-damaged', level: 'warning', text: `damaged${hostile}` }),
  stop: event('stop', { reason: 'unverified', code: 'checks-failed', detail: `failed${hostile}`, answer: hostile }),
};

describe('the log, one line an event', () => {
  for (const [kind, each] of Object.entries(everyKind)) {
    test(`${kind} fits the width and obeys nothing`, () => {
      for (const width of [50, 80, 200]) {
        const line = new EventLines(plainStyle(width)).line(each);
        assert.doesNotMatch(line, /[\u0000-\u001f\u007f-\u009f]/);
        assert.ok(widthOf(line) <= width, `${widthOf(line)} columns: ${line}`);
        assert.match(line, new RegExp(`^11-30 14:02:11 ${kind} `));
      }
    });
  }

  test('says what matters of a whole course', () => {
    const lines = new EventLines(plainStyle(200));
    const shown = [
      event('input', { from: 'user', text: 'fix it' }),
      request(),
      reply(
        { parts: [callPart('read', { path: 'src/a.js' })], stop: 'calls', usage: { input: 12, output: 3 }, cost: 0.01 },
        'R',
      ),
      event('start', { call: 'R/0', tool: 'read' }),
      event('result', { call: 'R/0', tool: 'read', outcome: 'ok', text: '1 a\n2 b', elapsed: 40 }),
      request({ turn: 2, attempt: 2, kept: 4100, base: 'b' }),
      evidence(),
      event('stop', { reason: 'completed', detail: 'All is proven.', answer: 'Done.' }),
    ].map((each) => lines.line(each).slice('11-30 14:02:11 '.length));
    assert.deepEqual(shown, [
      'input       user: fix it',
      'request     #1 turn 1, 4,200 bytes, 0 as before',
      'reply       1.5 s, 12 in, 3 out, $0.0100 · [read src/a.js]',
      'start       read src/a.js',
      'result      ok, 0.0 s read src/a.js · 1 a ↵ 2 b',
      'request     #2 turn 2, try 2, 4,200 bytes, 4,100 as before',
      'evidence    passed, exit 0, 1.2 s: npm test',
      'stop        completed: All is proven. · Done.',
    ]);
  });

  test('tells no checks from waived ones', () => {
    const setup = everyKind.setup.data as EventData['setup'];
    const said = (checks: EventData['setup']['checks']) =>
      new EventLines(plainStyle(200)).line(event('setup', { ...setup, checks }));
    assert.match(said([]), /, no checks, tools: /);
    assert.match(said('waived'), /, checks waived, tools: /);
    assert.match(said(setup.checks), /, checks: npm test/);
  });

  test('names damage', () => {
    const damage: Damage = { damage: `no JSON${hostile}`, line: 12, bytes: 37 };
    assert.equal(new EventLines(plainStyle(80)).line(damage), 'line 12 is damaged (no JSON\\x1b]0;x\\x07; 37 bytes)');
  });
});

/** Progress of some events, without colours. */
function progressOf(...events: Event[]): string[] {
  const progress = new Progress(plainStyle(80));
  return events.flatMap((each) => progress.event(each));
}

describe('progress', () => {
  for (const [kind, each] of Object.entries(everyKind)) {
    test(`${kind} obeys nothing`, () => {
      for (const line of progressOf(each)) assert.doesNotMatch(line, /[\u0000-\u001f\u007f-\u009f]/);
    });
  }

  const calls = reply(
    {
      parts: [
        { type: 'text', text: 'First I look.\nThen I act.' },
        callPart('read', { path: 'src/a.js' }),
        callPart('shell', { command: 'npm test' }),
      ],
      stop: 'calls',
    },
    'R',
  );

  test('a call is one line with its target and its outcome', () => {
    assert.deepEqual(
      progressOf(
        calls,
        event('result', { call: 'R/0', tool: 'read', outcome: 'ok', text: '1 x', elapsed: 20 }),
        event('result', { call: 'R/1', tool: 'shell', outcome: 'ok', text: 'boom', exit: 1, elapsed: 2500 }),
      ),
      ['First I look.', 'Then I act.', '✓ read src/a.js', '✗ shell npm test (exit 1, 2.5 s)'],
    );
  });

  test('a refused call says by what', () => {
    const [line] = progressOf(
      event('verdict', {
        ...(everyKind.verdict.data as EventData['verdict']),
        tool: 'shell',
        arguments: { command: 'ls' },
        by: 'mode:ask',
        reason: 'nobody is there',
      }),
      event('result', { call: 'c/0', tool: 'shell', outcome: 'denied', text: 'Denied.' }),
    );
    assert.equal(line, '✗ shell ls (denied: nobody is there (mode:ask))');
  });

  test('a long line keeps both its target and its outcome', () => {
    const long = 'x'.repeat(300);
    const [line = ''] = progressOf(
      reply({ parts: [callPart('shell', { command: `npm ${long}` })], stop: 'calls' }, 'L'),
      event('result', { call: 'L/0', tool: 'shell', outcome: 'error', text: `because ${long}` }),
    ).slice(-1);
    assert.ok(widthOf(line) <= 80, line);
    assert.match(line, /^✗ shell npm x+… \(because x+…$/);
  });

  test('the last words are left to standard output; words that came too early are shown', () => {
    const words = (text: string) => reply({ parts: [{ type: 'text', text }] });
    const failed = evidence({ passed: false, outcome: 'failed', exit: 1 });
    const stop = event('stop', { reason: 'completed', detail: 'Proven.', answer: 'Now it is done.' });
    assert.deepEqual(progressOf(words('Done.'), failed, request(), words('Now it is done.'), evidence(), stop), [
      'Done.',
      '✗ check npm test (failed, exit 1, 1.2 s)',
      '✓ check npm test (passed, 1.2 s)',
    ]);
    const cut = event('stop', { reason: 'error', detail: 'Disk full.' });
    assert.deepEqual(progressOf(words('I said this.'), cut), ['I said this.']);
  });

  test('a failed request says when it is tried again', () => {
    assert.deepEqual(
      progressOf(event('failure', { ...(everyKind.failure.data as EventData['failure']), message: 'busy' })),
      ['! the model did not answer: busy (provider-overloaded, HTTP 529); next try in 4.0 s'],
    );
  });

  test('a reply that was cut says that nothing of it is run', () => {
    const lines = progressOf(reply({ parts: [callPart('write', { path: 'a' })], stop: 'length' }));
    assert.match(lines.join('\n'), /cut by its length limit: none of its calls is run/);
  });

  test('a notice is said once', () => {
    const progress = new Progress(plainStyle(80));
    const notice = {
      code: 'config-untrusted',
      level: 'warning',
      text: 'The checks of this project don’t run.',
    } as const;
    assert.deepEqual(progress.event(event('notice', notice)), ['! The checks of this project don’t run.']);
    assert.deepEqual(progress.notice(notice), []);
  });

  test('says what is going on', () => {
    const progress = new Progress(plainStyle(80));
    const after = (...events: Event[]) => {
      for (const each of events) progress.event(each);
      return progress.activity()?.what;
    };
    assert.equal(after(request()), 'the model works');
    assert.equal(after(calls), undefined);
    assert.equal(
      after(event('start', { call: 'R/0', tool: 'read' }), event('start', { call: 'R/1', tool: 'shell' })),
      'read src/a.js and 1 more',
    );
    assert.equal(after(event('result', { call: 'R/0', tool: 'read', outcome: 'ok', text: '' })), 'shell npm test');
    progress.notification({ type: 'waiting', until: at + 4000, why: 'another try: busy' });
    assert.deepEqual(progress.activity(), { what: 'another try: busy', until: at + 4000 });
  });
});

const report: RunReport = {
  version: 1,
  workspace: '/w',
  task: 'mend it',
  startedAt: at,
  endedAt: at,
  running: 0,
  outcome: 'completed',
  exit: 0,
  detail: 'Files changed; every check passed.',
  answer: 'Done.',
  session: '20261130-140211-abcdef',
  log: '/state/log.jsonl',
  head: 'h'.repeat(64),
  turns: 3,
  calls: 1,
  usage: { input: 1000, cacheRead: 9000, output: 345 },
  changed: [
    { path: 'src/a.js', change: 'modified', added: 2, removed: 1 },
    { path: '/w/src/日本.js', change: 'created' },
  ],
  unrun: [],
  skipped: [],
  more: {},
  spending: [],
  evidence: [{ command: 'npm test', passed: true, outcome: 'passed', exit: 0, elapsed: 1, covers: 'A', fresh: true }],
  checksWaived: false,
  denials: [],
  resumable: true,
};

describe('the summary', () => {
  const place = { program: 'reins', again: [], file: '/state/report.json' };
  const summarised = (change: Partial<RunReport> = {}) =>
    summaryLines({ ...report, ...change }, place, plainStyle(80)).join('\n');

  test('says what changed, how it is proven, what it took and where to look', () => {
    assert.equal(
      summarised(),
      [
        'completed: Files changed; every check passed.',
        '  changed  src/a.js    | +2 -1 ++-',
        '           src/日本.js | new',
        '  checks   ✓ npm test passed (0.0 s)',
        '  used     3 turns, 1 call, 10,000 in (9,000 from the cache), 345 out, cost unknown',
        '  session  20261130-140211-abcdef',
        '           /state/log.jsonl',
        `           head ${report.head}`,
        '  report   /state/report.json',
        '  look     reins log 20261130-140211-abcdef',
      ].join('\n'),
    );
  });

  test('names denials, waived checks and the way to go on', () => {
    const text = summarised({
      outcome: 'limit',
      code: 'limit-turns',
      cost: 0.0123,
      checksWaived: true,
      denials: [{ turn: 1, tool: 'shell', what: `ls${hostile}`, by: 'mode:ask', reason: `nobody${hostile}` }],
    });
    assert.match(text, /^limit \(limit-turns\): /);
    assert.match(text, /waived: what changed is not proven/);
    assert.match(text, /denied {3}shell ls\\x1b\]0;x\\x07: nobody\\x1b\]0;x\\x07 \(mode:ask\)/);
    assert.match(text, /, \$0\.0123$/m);
    assert.match(text, /go on {4}reins resume 20261130-140211-abcdef --max-turns N$/);
    assert.match(summarised({ checksWaived: true, changed: [] }), /^ {2}checks {3}waived$/m);
  });

  test('a question that waits says how it is answered', () => {
    assert.match(summarised({ outcome: 'waiting' }), /reins answer \S+ yes \(or no\), then reins resume/);
    const question = { id: 'Q', call: 'R/0', tool: 'edit', question: 'edit a.js' };
    assert.match(summarised({ questions: [question] }), /reins answer \S+ yes \(or no\)$/m);
    const command = { ...question, tool: 'shell', question: 'run: ls', command: 'ls' };
    assert.match(summarised({ questions: [command] }), /reins answer \S+ yes \(no, edit\)$/m);
    assert.match(summarised({ questions: [{ ...question, options: ['a', 'b'] }] }), /reins answer \S+ --choice TEXT$/m);
    const given = [
      ['mode', 'edit'],
      ['check', "npm run 'x y'"],
      ['max-turns', '3'],
      ['contract', 'scope.json'],
      ['trust', ''],
      ['allow', 'shell(ls *)'],
    ] as const;
    const again = summaryLines(
      { ...report, outcome: 'limit', code: 'limit-turns' },
      { ...place, again: given },
      plainStyle(80),
    );
    const options = `--mode edit --check 'npm run '\\''x y'\\''' --contract scope.json --trust --allow 'shell(ls *)' --max-turns N`;
    assert.ok(again.at(-1)?.endsWith(options), again.at(-1));
    const plan = { file: '.reins/plan.md', text: 'Build it.', modes: ['ask', 'edit'] as const };
    const review = { ...question, tool: '', plan: { ...plan, modes: [...plan.modes] } };
    const reviewed = summaryLines(
      { ...report, outcome: 'waiting', questions: [review] },
      { ...place, again: given },
      plainStyle(80),
    );
    assert.match(reviewed.join('\n'), /yes --mode ask \(or edit\)\n/);
    assert.match(reviewed.at(-1) ?? '', /then reins resume \S+ --check /);
  });

  test('says what no check saw, what didn’t run, what each model took, and how to take it back', () => {
    const use = { requests: 1, usage: { output: 5 }, cost: 0.01 };
    const text = summarised({
      unchecked: [`docs/${hostile}`],
      unrun: ['npm run lint'],
      skipped: [{ turn: 2, tool: 'shell', what: 'sleep 9', outcome: 'interrupted', reason: '' }],
      more: { skipped: 3, changed: 7 },
      spending: [
        { model: 'p/m', purpose: 'conversation', ...use },
        { model: 'p/small', purpose: 'summary', ...use, estimated: 0.01 },
      ],
      undo: { command: 'reins undo 20261130 --to 2', turns: [2] },
    });
    assert.match(text, /and 7 more\n {2}checks/);
    assert.match(text, /unproven docs\/\\x1b\]0;x\\x07\n {11}npm run lint has not run/);
    assert.match(text, /skipped {2}shell sleep 9: interrupted\n {11}and 3 more/);
    assert.match(text, /p\/small \(summary\): input not reported, 5 out, \$0\.0100 \(of that ~\$0\.0100 estimated\)/);
    assert.match(text, /undo {5}reins undo 20261130 --to 2$/m);
  });
});

describe('amounts', () => {
  test('are said as people say them', () => {
    assert.deepEqual([0, 999, 1000, 1234567].map(grouped), ['0', '999', '1,000', '1,234,567']);
    assert.deepEqual([0, 40, 9949, 9950, 59_400, 60_000, 185_000, 3_600_000, 5_400_000].map(duration), [
      '0.0 s',
      '0.0 s',
      '9.9 s',
      '10 s',
      '59 s',
      '1 min',
      '3 min 5 s',
      '1 h',
      '1 h 30 min',
    ]);
    assert.deepEqual([0.00005, 0.5, 12.345].map(dollars), ['$0.0001', '$0.5000', '$12.35']);
  });

  test('what was not reported is not zero', () => {
    assert.equal(tokens({}), 'tokens not reported');
    assert.equal(tokens({ output: 5 }), 'input not reported, 5 out');
    assert.equal(tokens({ input: 5, cacheWrite: 7 }), '12 in (7 written to it), output not reported');
  });
});

test('an undo says that it took something back only where it did', () => {
  const report = {
    session: 's',
    turns: [2],
    kept: [{ path: 'a.ts', why: 'others changed it' }],
    unseen: [],
    dryRun: false,
  };
  const change = { path: 'b.ts', before: null, after: { mode: '100644', hash: 'h' } };
  const heads = [
    { ...report, changes: [], repository: [] },
    { ...report, changes: [], repository: ['the index'] },
    { ...report, changes: [change], repository: [] },
    { ...report, changes: [], repository: [], dryRun: true },
  ].map((each) => undoLines(each as unknown as Parameters<typeof undoLines>[0], 'taken back')[0]);
  assert.deepEqual(heads, [
    'Has taken back nothing of turn 2:',
    'Has taken back turn 2:',
    'Has taken back turn 2:',
    'Would have taken back nothing of turn 2:',
  ]);
});
