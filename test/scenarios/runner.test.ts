/** The runner of scenarios finds what is wrong: one that finds nothing would prove nothing. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { loadCases, parseCase } from '../support/scenario-case.ts';
import { bytesOf, treeProblems, type Tree } from '../support/scenario-files.ts';
import { mismatch, missingInOrder } from '../support/scenario-match.ts';
import { endingProblems } from '../support/scenario-output.ts';
import { tryCase } from '../support/scenario-suite.ts';

const scenario = {
  turns: [{ calls: [{ name: 'write', arguments: { path: 'a.txt', content: 'one' } }] }, { text: 'Done.' }],
};
const good = {
  title: 'a case',
  through: 'harness',
  files: { 'b.txt': 'two' },
  scenario,
  run: { mode: 'edit', checks: 'waived' },
  runs: [{ expect: { outcome: 'completed', exit: 0, answer: 'Done.' } }],
  expect: { files: { 'a.txt': { is: 'one' } } },
};

/** Tries a case that is written to a folder, with a script.ts if it has one. */
async function tryWritten(t: TestContext, written: object, script?: string): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'reins-cases-'));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'case'));
  writeFileSync(join(root, 'case', 'case.json'), JSON.stringify(written));
  if (script !== undefined) writeFileSync(join(root, 'case', 'script.ts'), script);
  for (const { cases } of await loadCases(root)) for (const loaded of cases) await tryCase(loaded);
}

describe('a run is looked at from all sides', () => {
  test('a case in which all is as it says', (t) => tryWritten(t, good));

  const expecting = (expect: object) => ({ ...good, runs: [{ expect: { ...good.runs[0]?.expect, ...expect } }] });
  const faults: { [name: string]: [written: object, says: RegExp] } = {
    'a file that is otherwise': [
      { ...good, expect: { files: { 'a.txt': { is: 'One' } } } },
      /a\.txt differs at byte 0/,
    ],
    'a file that was not to come': [{ ...good, expect: {} }, /workspace: a\.txt is a file .* instead of absent/],
    'a file that was to go': [
      { ...good, expect: { files: { ...good.expect.files, 'b.txt': 'absent' } } },
      /b\.txt is there/,
    ],
    'another exit code': [expecting({ exit: 3 }), /the exit code is 0, not 3/],
    'another outcome': [expecting({ outcome: 'unverified' }), /outcome is "completed", not "unverified"/],
    'another answer': [expecting({ answer: 'Done' }), /answer is "Done\.", not "Done"/],
    'an event that never came': [
      expecting({ events: [{ kind: 'stop' }, { kind: 'reply' }] }),
      /number 2 of the expected is missing/,
    ],
    'an event that was not to come': [expecting({ never: [{ kind: 'start' }] }), /this should not have come/],
    'a number of events': [expecting({ counts: [{ of: { kind: 'reply' }, is: 3 }] }), /2 events and not 3/],
    'a number of requests': [expecting({ requests: 3 }), /2 requests came, not 3/],
    'a pause that was too short': [expecting({ pauses: [5000] }), /pause 1 was \d+ ms, not 5000/],
    'a moment that never came': [
      { ...good, run: { ...good.run, during: [{ request: 9, do: [{ say: 'x' }] }] } },
      /this moment never came/,
    ],
    'a request that the provider refuses': [
      { ...good, scenario: { turns: [scenario.turns[0], { expect: { contains: 'nothing like it' }, text: 'Done.' }] } },
      /provider-rejected/,
    ],
    'a refusal that was hidden by a good end': [
      { ...expecting({}), expect: { ...good.expect, refused: ['a refusal'] } },
      /the provider refused \[\], not \["a refusal"\]/,
    ],
    'a log with nothing wrong': [
      { ...good, expect: { ...good.expect, findings: ['half a line'] } },
      /the log has the findings \[\]/,
    ],
  };
  for (const [name, [written, says]] of Object.entries(faults)) {
    test(name, (t) => assert.rejects(tryWritten(t, written), says));
  }

  test('a change outside the workspace', async (t) => {
    const script = `
      import { writeFileSync } from 'node:fs';
      import { join } from 'node:path';
      export const deeds = {
        home: ({ home }) => writeFileSync(join(home, '.bashrc'), 'x'),
        beside: ({ root }) => writeFileSync(join(root, 'left'), 'x'),
      };`;
    const doing = (deed: string) => ({ ...good, run: { ...good.run, before: [{ script: deed }] } });
    await assert.rejects(tryWritten(t, doing('home'), script), /home: \.bashrc is a file/);
    await assert.rejects(tryWritten(t, doing('beside'), script), /outside: left is a file/);
  });

  test('a log that was edited', async (t) => {
    const script = `
      import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
      import { join } from 'node:path';
      export const deeds = {
        edit: ({ environment }) => {
          const sessions = join(environment.XDG_STATE_HOME, 'reins', 'sessions');
          const log = join(sessions, readdirSync(sessions)[0], 'log.jsonl');
          writeFileSync(log, readFileSync(log, 'utf8').replace('Done.', 'Gone.'));
        },
      };`;
    const [first] = good.runs;
    const second = { resume: true, before: [{ script: 'edit' }], expect: { ...first?.expect, answer: 'Done again.' } };
    const turns = [...scenario.turns, { text: 'Done again.' }];
    await assert.rejects(tryWritten(t, { ...good, scenario: { turns }, runs: [first, second] }, script), /findings/);
  });

  test('a process that lives on', async (t) => {
    const script = `
      import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      import { join } from 'node:path';
      export const deeds = {
        leave: ({ root }) => {
          const child = spawn('sleep', ['3'], { cwd: root, detached: true, stdio: 'ignore' });
          child.unref();
        },
      };`;
    const written = { ...good, run: { ...good.run, during: [{ request: 2, do: [{ script: 'leave' }] }] } };
    await assert.rejects(tryWritten(t, written, script), /a process lives on: \d+ sleep 3/);
  });
});

describe('a case on several wires', () => {
  const paths = {
    anthropic: '/v1/messages',
    'openai-responses': '/v1/responses',
    'openai-chat': '/chat/completions',
    gemini: ':streamGenerateContent',
  };
  const wires = Object.keys(paths);
  const script = `
    export const checks = {
      paths({ server, values }) {
        const wrong = server.requests.filter(({ path }) => !path.endsWith(values.path));
        if (server.requests.length !== 2 || wrong.length > 0) throw new Error('not the wire of ' + values.path);
      },
    };`;
  const onAll = (changes: { [wire: string]: object } = {}) => {
    const on = Object.entries(paths).map(([wire, path]) => [wire, { values: { path }, ...changes[wire] }] as const);
    return { ...good, wires, on: Object.fromEntries(on), expect: { ...good.expect, script: 'paths' } };
  };

  test('is tried on each, over that wire alone', (t) => tryWritten(t, onAll(), script));

  test('has what differs on one there and nowhere else', (t) => {
    const runs = [{ expect: { ...good.runs[0]?.expect, answer: 'Done' } }];
    return assert.rejects(
      tryWritten(t, onAll({ 'openai-chat': { runs } }), script),
      /on openai-chat\n.*answer is "Done\.", not "Done"/,
    );
  });

  for (const wire of wires) {
    test(`tells a result that is no error from one that is, on ${wire}`, async (t) => {
      const expecting = (error: boolean) => {
        const turns = [scenario.turns[0], { expect: { results: [{ error }] }, text: 'Done.' }];
        return { ...good, wires: [wire], scenario: { turns } };
      };
      await tryWritten(t, expecting(false));
      await assert.rejects(tryWritten(t, expecting(true)), /provider-rejected/);
    });
  }

  test('on a wire that nobody knows is refused', () => {
    assert.throws(() => parseCase(JSON.stringify({ ...good, wires: ['telex'] }), 'case.json'), /wires/);
  });
});

test('a case with a word that nobody knows is refused', () => {
  const wrong = (change: object) => () => parseCase(JSON.stringify({ ...good, ...change }), 'case.json');
  assert.throws(wrong({ expects: {} }), /case\.json: .*expects/);
  assert.throws(wrong({ runs: [{ expect: { outcomes: 'completed' } }] }), /outcomes/);
  assert.throws(wrong({ expect: { files: { a: 'unchange' } } }), /files/);
  assert.throws(() => parseCase('{', 'case.json'), /isn’t JSON/);
});

describe('patterns', () => {
  const event = { kind: 'result', data: { text: 'one two', changes: [1, 2], exit: 0 } };
  const fits: unknown[] = [
    {},
    { kind: 'result' },
    { data: { exit: 0, text: { $contains: ['one', 'two'], $lacks: 'three' } } },
    { data: { text: { $matches: '^one.two$' }, changes: { $size: 2 }, exit: { $atMost: 0, $atLeast: 0 } } },
    { data: { changes: [1, { $atLeast: 2 }], other: { $absent: true } } },
    { data: { text: { $ends: 'two' } } },
  ];
  const others: unknown[] = [
    { kind: 'start' },
    { data: { exit: '0' } },
    { data: { exit: null } },
    { data: { text: { $contains: ['one', 'three'] } } },
    { data: { text: { $lacks: 'two' } } },
    { data: { changes: [1] } },
    { data: { changes: [2, 1] } },
    { data: { changes: { $size: 1 } } },
    { data: { text: { $absent: true } } },
    { data: { other: { $lacks: 'x' } } },
    { data: { exit: { $atLeast: 1 } } },
    { other: {} },
  ];
  test('what fits', () => {
    for (const pattern of fits) assert.equal(mismatch(pattern, event), undefined, JSON.stringify(pattern));
  });
  test('what doesn’t', () => {
    for (const pattern of others) assert.notEqual(mismatch(pattern, event), undefined, JSON.stringify(pattern));
  });
  test('a saying that nobody knows is refused', () => {
    assert.throws(() => mismatch({ $contain: 'x' }, 'x'), /none of/);
  });
  test('order counts, and each event only once', () => {
    const [a, b] = [{ kind: 'a' }, { kind: 'b' }];
    assert.equal(missingInOrder([a, b], [a, a, b]), undefined);
    assert.match(missingInOrder([a, b], [b, a]) ?? '', /number 2/);
    assert.match(missingInOrder([a, a], [a]) ?? '', /number 2/);
  });
});

test('outcome, exit code and error code must be documented together', () => {
  assert.deepEqual(endingProblems(0, 'completed', undefined), []);
  assert.deepEqual(endingProblems(143, 'cancelled', undefined), []);
  assert.notDeepEqual(endingProblems(0, 'provider', undefined), []);
  assert.notDeepEqual(endingProblems(7, 'provider', 'no-such-code'), []);
  assert.notDeepEqual(endingProblems(1, 'failed', undefined), []);
});

test('files are compared byte by byte, with links, kinds and rights', () => {
  const file = (bytes: string, mode = 0o644) => ({ kind: 'file' as const, bytes: Buffer.from(bytes, 'latin1'), mode });
  const tree = (entries: { [path: string]: Tree extends Map<string, infer E> ? E : never }): Tree =>
    new Map(Object.entries(entries));
  const before = tree({ a: file('caf\u00e9'), l: { kind: 'link', to: 'a' }, p: { kind: 'other' } });
  const same = tree({ a: file('caf\u00e9'), l: { kind: 'link', to: 'a' }, p: { kind: 'other' } });
  assert.deepEqual(treeProblems(before, same, {}), []);
  assert.deepEqual(treeProblems(before, same, { a: { replaced: [] }, l: { is: { link: 'a' } } }), []);
  assert.equal(treeProblems(before, tree({ a: file('cafe'), l: file('x'), p: file('') }), {}).length, 3);
  assert.equal(treeProblems(before, tree({ ...Object.fromEntries(same), a: file('caf\u00e9', 0o755) }), {}).length, 1);
  assert.equal(treeProblems(before, tree({}), {}).length, 3);
  assert.deepEqual(bytesOf({ lines: 3, line: '{n}', ends: ['\r\n', '\n'] }), Buffer.from('1\r\n2\n3\r\n'));
  assert.deepEqual(bytesOf({ hex: 'e9 00' }), Buffer.from([0xe9, 0]));
  assert.throws(() => bytesOf({ bytes: '€' }), /One character a byte/);
});
