import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createVerifier } from '../../src/verify/index.ts';

/** What the verifier makes of a failing check that prints this. */
async function failing(output: string, advisory = false) {
  const verifier = createVerifier({
    workspace: '/nonexistent',
    runner: {
      run: () =>
        Promise.resolve({
          exit: 1,
          timedOut: false,
          cancelled: false,
          head: output,
          tail: '',
          omitted: 0,
          bytes: Buffer.byteLength(output),
          elapsed: 1,
        }),
    },
    git: { run: () => Promise.reject(new Error('no repository')) },
  });
  const check = { command: 'npm test', from: 'user' as const, timeout: 1000, definers: [], advisory };
  return verifier.check(check, new AbortController().signal, () => undefined);
}

/** What the runners print, and what of it is a failure. Written after real runs of each. */
const outputs: { [runner: string]: [output: string, findings: object[]] } = {
  'node:test (spec)': [
    [
      '✖ sums (1.8ms)',
      '  AssertionError [ERR_ASSERTION]: 2 == 3',
      '      at TestContext.<anonymous> (file:///w/a.test.mjs:2:29)',
      '✔ ok (8.4ms)',
      'ℹ fail 1',
      '',
      '✖ failing tests:',
      '',
      'test at a.test.mjs:2:1',
      '✖ sums (1.836032ms)',
      '  AssertionError [ERR_ASSERTION]: 2 == 3',
      '      at TestContext.<anonymous> (file:///w/a.test.mjs:2:29)',
    ].join('\n'),
    [{ file: 'a.test.mjs', line: 2, column: 1, text: 'sums: AssertionError [ERR_ASSERTION]: 2 == 3' }],
  ],
  'node:test (tap)': [
    [
      '# Subtest: sums',
      'not ok 1 - sums',
      '  ---',
      '  duration_ms: 7.9',
      "  location: '/w/a.test.mjs:2:1'",
      "  failureType: 'testCodeFailure'",
      "  error: '2 == 3'",
      '  ...',
      'ok 2 - fine',
    ].join('\n'),
    [{ file: '/w/a.test.mjs', line: 2, column: 1, text: 'sums: 2 == 3' }],
  ],
  vitest: [
    [
      ' FAIL  src/sum.test.ts > sum > adds',
      'AssertionError: expected 3 to be 4 // Object.is equality',
      '',
      '- Expected',
      '+ Received',
      '',
      ' ❯ src/sum.test.ts:5:20',
      '      3| test("adds", () => {',
    ].join('\n'),
    [
      {
        file: 'src/sum.test.ts',
        line: 5,
        column: 20,
        text: 'src/sum.test.ts > sum > adds: AssertionError: expected 3 to be 4 // Object.is equality',
      },
    ],
  ],
  jest: [
    [
      'FAIL src/sum.test.js',
      '  ● sum › adds',
      '',
      '    expect(received).toBe(expected) // Object.is equality',
      '',
      '      at toBe (node_modules/expect/build/index.js:1:2)',
      '      at Object.<anonymous> (src/sum.test.js:5:20)',
    ].join('\n'),
    [
      {
        file: 'src/sum.test.js',
        line: 5,
        column: 20,
        text: 'sum › adds: expect(received).toBe(expected) // Object.is equality',
      },
    ],
  ],
  pytest: [
    [
      '=================================== FAILURES ===================================',
      '___________________________________ test_sum ___________________________________',
      '',
      '    def test_sum():',
      '>       assert f() == {"a": 2}',
      "E       AssertionError: assert {'a': 1} == {'a': 2}",
      'E         Differing items:',
      '',
      'test_a.py:4: AssertionError',
      '=========================== short test summary info ============================',
      "FAILED test_a.py::test_sum - AssertionError: assert {'a': 1} == {'a': 2}",
      '1 failed in 3.45s',
    ].join('\n'),
    [{ file: 'test_a.py', line: 4, text: "test_sum: AssertionError: assert {'a': 1} == {'a': 2}" }],
  ],
  'pytest -q --tb=no': [
    'FAILED test_a.py::TestB::test_raise - ValueError: invalid literal\n1 failed in 3.45s\n',
    [{ file: 'test_a.py', text: 'TestB::test_raise: ValueError: invalid literal' }],
  ],
  unittest: [
    [
      'FAIL: test_a (__main__.A.test_a)',
      'Traceback (most recent call last):',
      '  File "/usr/lib/python3/unittest/case.py", line 60, in run',
      '  File "/w/t.py", line 3, in test_a',
      'AssertionError: 1 != 2',
      '',
      'FAILED (failures=1)',
    ].join('\n'),
    [{ file: '/w/t.py', line: 3, text: 'AssertionError: 1 != 2' }],
  ],
  tsc: [
    "src/x.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\n",
    [
      {
        file: 'src/x.ts',
        line: 1,
        column: 7,
        text: "error TS2322: Type 'string' is not assignable to type 'number'.",
      },
    ],
  ],
  'tsc --pretty': [
    "\u001b[96msrc/x.ts\u001b[0m:\u001b[93m1\u001b[0m:\u001b[93m7\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2322: \u001b[0mType 'string'.\n",
    [{ file: 'src/x.ts', line: 1, column: 7, text: "error TS2322: Type 'string'." }],
  ],
  eslint: [
    '/w/src/a.js\n  1:7  warning  unused  no-unused-vars\n  2:1  error  Unexpected debugger  no-debugger\n\n✖ 2 problems\n',
    [{ file: '/w/src/a.js', line: 2, column: 1, text: 'Unexpected debugger  no-debugger' }],
  ],
  oxlint: [
    "  ! eslint(no-unused-vars): 'a' is unused\n   ,-[x.ts:1:7]\n\n  x eslint(no-debugger): `debugger` is not allowed\n   ,-[x.ts:2:1]\n 2 | debugger;\n",
    [{ file: 'x.ts', line: 2, column: 1, text: 'eslint(no-debugger): `debugger` is not allowed' }],
  ],
  'go test': [
    '--- FAIL: TestSum (0.00s)\n    sum_test.go:9: got 3, want 4\nFAIL\nexit status 1\n',
    [{ file: 'sum_test.go', line: 9, text: 'got 3, want 4' }],
  ],
  'go build': [
    '# example.com/x\n./main.go:4:2: undefined: foo\n',
    [{ file: './main.go', line: 4, column: 2, text: 'undefined: foo' }],
  ],
  'cargo test': [
    "---- a stdout ----\n\nthread 'a' (30752) panicked at src/lib.rs:3:5:\nassertion `left == right` failed\n  left: 1\n right: 2\n",
    [{ file: 'src/lib.rs', line: 3, column: 5, text: 'a: assertion `left == right` failed' }],
  ],
  rustc: [
    'error[E0308]: mismatched types\n --> src/main.rs:1:26\n  |\n\nerror: could not compile `x` (bin "x") due to 1 previous error\n',
    [{ file: 'src/main.rs', line: 1, column: 26, text: 'error[E0308]: mismatched types' }],
  ],
  'junit xml': [
    '<testsuite><testcase classname="a" name="ok" file="a.py" line="1"/>\n<testcase classname="a" name="sums" file="a.py" line="4">\n<failure message="1 is not 2">more</failure></testcase></testsuite>\n',
    [{ file: 'a.py', line: 4, text: 'sums: 1 is not 2' }],
  ],
  gcc: [
    "main.c:3:5: warning: unused\nmain.c:4:9: error: expected ';'\n",
    [{ file: 'main.c', line: 4, column: 9, text: "error: expected ';'" }],
  ],
  ruff: [
    'a.py:1:8: F401 `os` imported but unused\n',
    [{ file: 'a.py', line: 1, column: 8, text: 'F401 `os` imported but unused' }],
  ],
};

describe('failing output is cut to what matters', () => {
  for (const [runner, [output, findings]] of Object.entries(outputs)) {
    test(`of ${runner}`, async () => {
      const noise = 'noise of what went well\n'.repeat(200);
      const evidence = await failing(`${noise}${output}`);
      assert.deepEqual(evidence.findings, findings);
      const shown = evidence.shown ?? '';
      for (const { file, line, text } of findings as { file: string; line?: number; text: string }[]) {
        assert.ok(shown.includes(`- ${file}${line === undefined ? '' : `:${line}`}`), shown);
        assert.ok(shown.includes(text), shown);
      }
      assert.ok(shown.length < 3000, String(shown.length));
      assert.ok(shown.split('noise').length < 12, shown);
    });
  }

  test('what nobody knows is shown as it is', async () => {
    const evidence = await failing('something went wrong\nat line 3\n');
    assert.equal(evidence.findings, undefined);
    assert.match(evidence.shown ?? '', /\nsomething went wrong\nat line 3\n/);
  });

  test('many failures are listed as far as there is room, and counted', async () => {
    const evidence = await failing(
      Array.from({ length: 500 }, (_, index) => `src/x.ts(${index + 1},7): error TS2322: ${'y'.repeat(200)}`).join(
        '\n',
      ),
    );
    assert.equal(evidence.findings?.length, 20);
    assert.match(evidence.shown ?? '', /\n- and 48\d more\n/);
    assert.ok((evidence.shown ?? '').length < 7000);
  });

  test('a line without end, or made to be slow, costs no time', async () => {
    for (const line of [
      'x'.repeat(1_000_000),
      ' '.repeat(500_000),
      'a:1:'.repeat(100_000),
      '<testcase '.repeat(50_000),
    ]) {
      const before = performance.now();
      await failing(line);
      assert.ok(performance.now() - before < 2000);
    }
  });

  test('an advisory check asks for less', async () => {
    assert.match((await failing('x\n', true)).shown ?? '', /advisory/);
    assert.doesNotMatch((await failing('x\n')).shown ?? '', /advisory/);
  });

  test('what failed is also found where the runner has left it out', async () => {
    const whole = `${'fine\n'.repeat(9000)}src/x.ts(1,7): error TS1: middle\n${'fine\n'.repeat(9000)}`;
    const verifier = createVerifier({
      workspace: '/nonexistent',
      runner: {
        run: () =>
          Promise.resolve({
            exit: 1,
            timedOut: false,
            cancelled: false,
            head: 'fine\n',
            tail: 'fine\n',
            omitted: whole.length - 10,
            bytes: whole.length,
            blob: 'e'.repeat(64),
            elapsed: 1,
          }),
      },
      git: { run: () => Promise.reject(new Error('no repository')) },
      load: (blob) => Promise.resolve(blob === 'e'.repeat(64) ? Buffer.from(whole) : undefined),
    });
    const check = { command: 'tsc', from: 'user' as const, timeout: 1000, definers: [] };
    const { findings } = await verifier.check(check, new AbortController().signal, () => undefined);
    assert.deepEqual(findings, [{ file: 'src/x.ts', line: 1, column: 7, text: 'error TS1: middle' }]);
  });
});
