import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { applyEdits, openDocument } from '../../src/tools/edits/index.ts';

/** Why a text isn't found in a file, and where it nearly stands. */
async function missing(file: string, old: string): Promise<{ lines: string[]; near: [number, number] | undefined }> {
  const document = await openDocument(Buffer.from(file));
  assert.ok(!('problem' in document));
  const result = applyEdits(document, [{ old, new: `${old}!`, all: false }]);
  assert.ok('problem' in result, 'it was found');
  const [preface, ...lines] = result.problem.split('\n');
  assert.match(preface ?? '', /^`old` isn’t in the file as it is now; nothing was changed\./);
  return { lines: lines.length > 0 ? lines : [preface ?? ''], near: result.near };
}

const gems = Array.from({ length: 25 }, (_, index) => `gem 'g${index}', '~> ${index}.0'\n`).join('');
const quoted = 'He said “hello” — it’s fine…\n';
const python = 'def f():\n    if x:\n\treturn 1  \n    y\n';

describe('what differs is named, with its place and what stands there', () => {
  const cases: [name: string, file: string, old: string, lines: string[]][] = [
    [
      'a blank too many',
      gems,
      "gem 'g7',  '~> 7.0'",
      [
        'line 8. It differs in blanks:',
        "8\tgem 'g7', '~> 7.0'",
        '10 the file has a space (U+0020), `old` has 2 spaces',
      ],
    ],
    [
      'a tab for a blank',
      gems,
      "gem\t'g3'",
      [
        'line 4. It differs in blanks:',
        "4\tgem 'g3', '~> 3.0'",
        '4 the file has a space (U+0020), `old` has a tab (U+0009)',
      ],
    ],
    [
      'a no-break space',
      'a\u00a0b c\n',
      'a b c',
      [
        'line 1. It differs in blanks:',
        '1\ta\u00a0b c',
        '2 the file has a no-break space (U+00A0), `old` has a space (U+0020)',
      ],
    ],
    [
      'indentation',
      python,
      '        if x:',
      ['line 2. It differs in indentation:', '2\t    if x:', '1 the file has 4 spaces, `old` has 8 spaces'],
    ],
    [
      'a tab and a blank for three blanks, and no blank line',
      'a {\n\t b\n}\n',
      'a {\n   b\n}',
      ['lines 1-3. It differs in indentation:', '2\t\t b', '1 the file has a tab, a space, `old` has 3 spaces'],
    ],
    [
      'blanks at the end of a line',
      'trailing  \nnext\n',
      'trailing\nnext',
      [
        'lines 1-2. It differs in blanks at the end of a line:',
        '1\ttrailing  ',
        '9 the file has 2 spaces, `old` has nothing',
      ],
    ],
    [
      'blanks at the end of the last line',
      'trailing \n',
      'trailing\n',
      [
        'line 1. It differs in blanks at the end of a line:',
        '1\ttrailing ',
        '9 the file has a space (U+0020), `old` has nothing',
      ],
    ],
    [
      'an empty line less',
      'one\n\n\ntwo\n',
      'one\n\ntwo',
      ['lines 1-4. It differs in line breaks:', '1\tone', '4 the file has 3 line breaks, `old` has 2 line breaks'],
    ],
    [
      'an empty line more',
      'one\ntwo\n',
      'one\n\ntwo',
      [
        'lines 1-2. It differs in line breaks:',
        '1\tone',
        '4 the file has a line break (U+000A), `old` has 2 line breaks',
      ],
    ],
    [
      'no line end at the end of the file',
      'one\ntwo',
      'two\n',
      ['line 2. It differs in line breaks:', '2\ttwo', '4 the file has nothing, `old` has a line break (U+000A)'],
    ],
    [
      'quotes',
      quoted,
      'said "hello"',
      ['line 1. It differs in quotes:', `1\t${quoted.trim()}`, '9 the file has “ (U+201C), `old` has " (U+0022)'],
    ],
    [
      'quotes of the other kind',
      gems,
      'gem "g9"',
      ['line 10. It differs in quotes:', "10\tgem 'g9', '~> 9.0'", '5 the file has \' (U+0027), `old` has " (U+0022)'],
    ],
    [
      'dashes',
      'a – b\n',
      'a - b',
      ['line 1. It differs in dashes:', '1\ta – b', '3 the file has – (U+2013), `old` has - (U+002D)'],
    ],
    [
      'dots',
      quoted,
      'fine...',
      ['line 1. It differs in dots:', `1\t${quoted.trim()}`, '28 the file has … (U+2026), `old` has “...”'],
    ],
    [
      'an escape for a line break',
      gems,
      "gem 'g3', '~> 3.0'\\ngem",
      [
        'lines 4-5. It differs in an escape:',
        "4\tgem 'g3', '~> 3.0'",
        '19 the file has a line break (U+000A), `old` has “\\n”',
      ],
    ],
    [
      'a line break for an escape',
      'p("a\\nb")\n',
      'p("a\nb")',
      ['line 1. It differs in an escape:', '1\tp("a\\nb")', '5 the file has “\\n”, `old` has a line break (U+000A)'],
    ],
    [
      'an escape for a tab',
      'x = "a\tb"\n',
      'x = "a\\tb"',
      ['line 1. It differs in an escape:', '1\tx = "a\tb"', '7 the file has a tab (U+0009), `old` has “\\t”'],
    ],
    [
      'a backslash too many',
      'x = "a"\n',
      'x = \\"a\\"',
      ['line 1. It differs in an escape:', '1\tx = "a"', '4 the file has a space (U+0020), `old` has “ \\”'],
    ],
    [
      'a character that can’t be seen, in the file',
      'a\u200bb c\n',
      'ab c',
      [
        'line 1. It differs in an invisible character:',
        '1\ta\u200bb c',
        '2 the file has \u200b (U+200B), `old` has nothing',
      ],
    ],
    [
      'a character that can’t be seen, in the text',
      'ab c\n',
      '\ufeffab c',
      ['line 1. It differs in an invisible character:', '1\tab c', '1 the file has nothing, `old` has \ufeff (U+FEFF)'],
    ],
    [
      'an accent composed otherwise',
      'caf\u00e9 x\n',
      'cafe\u0301 x',
      [
        'line 1. It differs in composed characters (Unicode normalisation):',
        '1\tcaf\u00e9 x',
        '4 the file has \u00e9 (U+00E9), `old` has e\u0301 (U+0065 U+0301)',
      ],
    ],
    [
      'letter case',
      gems,
      "Gem 'g3'",
      [
        'line 4. It differs in letter case:',
        "4\tgem 'g3', '~> 3.0'",
        '1 the file has g (U+0067), `old` has G (U+0047)',
      ],
    ],
    [
      'a second line that is another',
      gems,
      "gem 'g3', '~> 3.0'\ngem 'g4', '~> 9.0'",
      ['lines 4-5. It differs:', "5\tgem 'g4', '~> 4.0'", '15 the file has 4 (U+0034), `old` has 9 (U+0039)'],
    ],
    [
      'a line that goes on',
      'abcdef\n',
      'abcdef g',
      ['line 1. It differs:', '1\tabcdef', '7 the file has the end of the line, `old` has a space (U+0020)'],
    ],
  ];
  for (const [name, file, old, [head = '', line, column = '']] of cases) {
    test(name, async () => {
      const { lines } = await missing(file, old);
      assert.deepEqual(lines, [`The nearest place is ${head}`, line, `  at column ${column}`]);
    });
  }

  const kinds: [name: string, file: string, old: string, kinds: string][] = [
    ['at the start of the file', '\tx = 1\n', '  x = 1', 'indentation'],
    ['after a line break', 'y\n\t\tx = 1\n', '\n\tx = 1', 'indentation'],
    ['not asked for in front', '\t  say “x”\n', '  say "x"', 'quotes'],
    ['not asked for behind', 'say “x” \t\n', 'say "x" ', 'quotes'],
    ['behind it, more text following', 'say “x” y\n', 'say "x"  ', 'quotes, blanks'],
    ['of another number, more text following', 'say x y\n', 'say  x', 'blanks'],
    ['before several line ends', 'trailing  \n\n\nnext\n', 'trailing\n', 'blanks at the end of a line'],
    ['in a line that is empty otherwise', 'a\n \nb\n', 'a\n\nb', 'blanks at the end of a line'],
    ['line breaks asked for in front', 'y\nx = 1\n', '\n\nx = 1', 'line breaks'],
    ['line breaks not asked for in front', 'y\n\n\nsay “x”\n', '\nsay "x"', 'quotes'],
  ];
  for (const [name, file, old, kind] of kinds) {
    test(`blanks ${name}`, async () => {
      const { lines } = await missing(file, old);
      assert.match(lines[0] ?? '', new RegExp(`It differs in ${kind}:$`));
    });
  }

  test('each kind is shown once, three at most, and all are named', async () => {
    const { lines, near } = await missing(`x\n${quoted}  y\n`, 'He Said "hello" - it\'s\tfine\u2026\n\ty');
    assert.equal(
      lines[0],
      'The nearest place is lines 2-3. It differs in letter case, quotes, dashes, blanks, indentation:',
    );
    assert.deepEqual(
      lines.slice(1).filter((line) => line.startsWith(' ')),
      [
        '  at column 4 the file has s (U+0073), `old` has S (U+0053)',
        '  at column 9 the file has “ (U+201C), `old` has " (U+0022)',
        '  at column 17 the file has — (U+2014), `old` has - (U+002D)',
      ],
    );
    assert.deepEqual(near, [2, 3]);
  });

  test('a character of several parts is compared as a whole', async () => {
    // A letter with a mark that has no composed form, dots, and a capital that is two characters as a small one.
    assert.deepEqual((await missing('x\u0304y\n', 'x\u0304 y')).lines.slice(1), [
      '1\tx\u0304y',
      '  at column 3 the file has nothing, `old` has a space (U+0020)',
    ]);
    assert.match((await missing('the value x\u0304 of it\n', 'the value x of it')).lines.join('\n'), /It differs:/);
    assert.match((await missing('wait… for it\n', 'wait.. for it')).lines.join('\n'), /It differs:/);
    assert.match((await missing('a\u0130 b\n', 'ai\u0307 \tb')).lines.join('\n'), /It differs in letter case, blanks:/);
    assert.match((await missing('ab “c”\n', 'b "c')).lines.join('\n'), /column 4 the file has “/);
  });

  test('marks and backslashes alone look like nothing else', async () => {
    assert.doesNotMatch((await missing('value x\u0304 of “it”\n', '\u0304 of "it"')).lines.join('\n'), /differs in/);
    assert.match((await missing('\\\\ \n', '\\\\\\')).lines.join('\n'), /It differs:/);
  });

  test('long and mixed stretches are named in short', async () => {
    const named = async (there: string, wanted: string) =>
      (await missing(`a${there}b\n`, `a${wanted}b`)).lines[2] ?? '';
    assert.match(await named('\t \t ', ' '), /has a tab, a space, a tab, a space, `old` has a space \(U\+0020\)$/);
    assert.match(await named('\t \t \t', ' '), /has a tab, a space, a tab, a space, \.\.\., `old` has/);
    assert.match(await named('\\'.repeat(40), ''), /has “\\{40}”, `old` has nothing$/);
    assert.match(await named('\\'.repeat(41), ''), /has “\\{40}\.\.\.”, `old` has nothing$/);
    assert.match(await named('', '\t\\\n'), /has nothing, `old` has “⇥\\⏎”$/);
  });

  test('the place of indentation is found behind blanks of the line above', async () => {
    assert.deepEqual((await missing('y  \n\t\tx = 1\n', '  x = 1')).lines, [
      'The nearest place is line 2. It differs in indentation:',
      '2\t\t\tx = 1',
      '  at column 1 the file has 2 tabs, `old` has 2 spaces',
    ]);
  });

  test('what stands behind is described up to the next character', async () => {
    assert.deepEqual((await missing('say “x” y\n', 'say “x”  ')).lines.slice(1), [
      '1\tsay “x” y',
      '  at column 8 the file has a space (U+0020), `old` has 2 spaces',
    ]);
  });

  test('the nearest of several is taken', async () => {
    const { near } = await missing('foo(a, b, c)\nfoo(a, b, d)\nbar\nfoo(a,  b, d)\nbaz\n', 'foo(a,\tb, d)\nbaz');
    assert.deepEqual(near, [4, 5]);
  });

  test('a long line is cut', async () => {
    const { lines } = await missing(`${'a '.repeat(300)}“x”\n`, 'a "x"');
    assert.match(lines[1] ?? '', /^1\t(a ){100} ?\[\.\.\. 403 more characters in this line\]$/);
    assert.match(lines[2] ?? '', /at column 601 the file has “/);
  });

  test('a file with CRLF is compared by its lines', async () => {
    const { lines } = await missing('a\r\nb\r\n', 'a \nb');
    assert.deepEqual(lines, [
      'The nearest place is lines 1-2. It differs in blanks at the end of a line:',
      '1\ta',
      '  at column 2 the file has nothing, `old` has a space (U+0020)',
    ]);
  });
});

describe('the nearest place', () => {
  const nearOf = async (file: string, old: string) => (await missing(file, old)).near;

  test('is where most of the lines stand, though the longest stands nowhere', async () => {
    const decoys = 'alpha();\nsomething else\n'.repeat(40);
    const file = `${decoys}alpha();\nother stuff;\nbeta();\ngamma();\n`;
    const old = 'alpha();\nthis(line, is, the, longest).and.stands(nowhere, at, all);\nbeta();\ngamma();';
    assert.deepEqual(await nearOf(file, old), [81, 84]);
    assert.deepEqual((await missing(file, old)).lines.slice(1, 2), ['82\tother stuff;']);
  });

  test('is the first of equal ones', async () => {
    assert.deepEqual(await nearOf('foo( 1 )\nbar\n\n\n\n\n\n'.repeat(40), 'foo(1)'), [1, 1]);
  });

  test('is the likest, not the first with a line of it', async () => {
    const file = `nothing\nreturn total;\n${'\n'.repeat(9)}const total = sum(item);\nreturn totals;\n`;
    assert.deepEqual(await nearOf(file, 'const total = sum(items);\nreturn total;'), [12, 13]);
  });

  test('is one that only looks alike, though another has more of its letters', async () => {
    const file = `say "hello" to thee\n${'\n'.repeat(9)}say “hello” to them\n`;
    const { lines } = await missing(file, 'say "hello" to them');
    assert.equal(lines[0], 'The nearest place is line 11. It differs in quotes:');
  });

  test('is found by the longest line, wherever in the text that is', async () => {
    const file = `a\nb\nconst total = compute(items, 11);\nc\nd\n`;
    assert.deepEqual(await nearOf(file, 'x\nconst total = compute(items, 10);\ny'), [2, 4]);
    const indented = `${' '.repeat(60)}q\nconst total = compute(items, 10);`;
    assert.deepEqual(await nearOf(file, indented), [2, 3]);
  });

  test('is the likest of many', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `const value${index} = load(${index});\n`).join('');
    assert.deepEqual(
      await nearOf(`${lines}const other = load(value, 61);\n`, 'const other = load(value, 62);'),
      [61, 61],
    );
  });

  test('is shown by lines inside the file before those outside, three at most', async () => {
    const { lines } = await missing(
      'const total = compute(items, 11);\nend\n',
      'header line\nconst total = compute(items, 10);',
    );
    assert.deepEqual(lines, [
      'The nearest place is line 1. It differs:',
      '1\tconst total = compute(items, 11);',
      '  at column 31 the file has 1 (U+0031), `old` has 0 (U+0030)',
      '  outside the file, `old` has: header line',
    ]);
    const many = await missing('one 1\ntwo 2\nthree 3\nfour 4\nfive 5\n', 'one 6\ntwo 6\nthree 6\nfour 6\nfive 6');
    assert.deepEqual(
      many.lines.filter((line) => /^\d/.test(line)),
      ['1\tone 1', '2\ttwo 2', '3\tthree 3'],
    );
  });
});

describe('other hints', () => {
  const only = async (file: string, old: string): Promise<string> => (await missing(file, old)).lines.join('\n');

  test('line numbers that read shows', async () => {
    assert.match(
      await only(gems, "4\tgem 'g3', '~> 3.0'\n5\tgem 'g4', '~> 4.0'"),
      /has the line numbers that read shows: leave them out/,
    );
    assert.match(await only(gems, " 14\tgem 'g13', '~> 13.0'"), /has the line numbers/);
    // Where only one line has a number, or something else stands before it, that isn't it.
    for (const old of ["foo 4\tgem 'g3', '~> 3.0'", "v4\tgem 'g3', '~> 3.0'", "4 gem 'g3', '~> 3.0'"]) {
      assert.doesNotMatch(await only(gems, old), /line numbers/, old);
    }
    assert.doesNotMatch(await only('x = undefined;\n', 'y = 1;'), /line numbers/);
    assert.match(await only(gems, "4\tgem 'g3', '~> 3.0'\ngem 'g4', '~> 4.0'"), /The nearest place is/);
  });

  test('CRLF where the file has LF', async () => {
    assert.match(
      await only('x\na\nb\n', 'a\r\nb\r\n'),
      /The nearest place is lines 2-3\. Only line ends differ: use LF in `old`, it stands for CRLF too\./,
    );
  });

  test('an empty file, and nothing that is like it', async () => {
    assert.match(await only('', 'a'), /The file is empty\.$/);
    assert.match(await only(gems, 'zzzzzzzz'), /No line there is like one of it\. Read the file again\.$/);
    assert.match(await only('a\n', '   '), /No line there is like one of it/);
    assert.match(await only('a\n', ' \n \n'), /No line there is like one of it/);
  });

  test('a line end after a text that is too long to be compared', async () => {
    const long = 'abc '.repeat(15_000);
    assert.match(await only(long, `${long}\n`), /The nearest place is line 1\. Only the line end after it differs\.$/);
  });

  test('marks of a patch that were never in the file', async () => {
    assert.match(
      await only(gems, "<<<<<<< SEARCH\ngem 'g24', '~> 24.0'\n=======\n"),
      /outside the file, `old` has: =======/,
    );
    assert.match(await only('a\nb\n', '<<<<<<< SEARCH\nx\n'), /No line there is like one of it/);
  });

  test('the last lines of a text that lie behind the file', async () => {
    assert.match(
      await only('one\ntwo words\n', 'two words\nand more\n'),
      /The nearest place is line 2\. It differs:\n  outside the file, `old` has: and more/,
    );
  });
});

test('any two texts have an explanation of a few lines', async () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    'é',
    'e\u0301',
    ' ',
    '\t',
    '\n',
    '\\n',
    '\\',
    '“',
    '"',
    '—',
    '-',
    '...',
    '…',
    '\u200b',
    '\u0301',
    'ﬁ',
    'İ',
    '\r',
  );
  const text = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(text, text, async (file, old) => {
      const document = await openDocument(Buffer.from(file));
      if ('problem' in document || old === '') return;
      const result = applyEdits(document, [{ old, new: `${old}x`, all: true }]);
      if (!('problem' in result)) return;
      assert.ok(result.problem.split('\n').length <= 8, result.problem);
      assert.doesNotMatch(result.problem, /undefined|NaN|line 0|-1\b/);
      const { near } = result;
      if (near !== undefined)
        assert.ok(near[0] >= 1 && near[1] >= near[0] && near[1] <= file.split('\n').length, JSON.stringify(near));
    }),
    { numRuns: 800 },
  );
});
