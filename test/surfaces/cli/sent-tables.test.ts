import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CacheReport, CacheRow, CaptureAudit, ContextReport } from '../../../src/harness/index.ts';
import { widthOf } from '../../../src/surfaces/cli/printable.ts';
import {
  captureLines,
  cacheLines,
  contextLines,
  instructionLines,
  plainStyle,
} from '../../../src/surfaces/cli/render/index.ts';
import { percent, tableLines } from '../../../src/surfaces/cli/render/table.ts';

const hostile = '\u001b]0;x\u0007\u202e\n';
const style = plainStyle(80);

/** Lines fit, and hold nothing that a terminal obeys. */
function areFit(lines: string[]): void {
  for (const line of lines) {
    assert.ok(widthOf(line) <= 80, `too wide: ${line}`);
    assert.doesNotMatch(line, /[\u0000-\u001f\u007f-\u009f\u202e]/);
  }
}

describe('a table', () => {
  test('has its first column on the left and figures on the right', () => {
    assert.deepEqual(
      tableLines(
        [
          ['name', 'n'],
          ['a', '1,000'],
          ['long name', '2'],
        ],
        80,
      ),
      ['name           n', 'a          1,000', 'long name      2'],
    );
  });

  test('cuts the first column so that a line fits, but never to nothing', () => {
    const rows = [
      ['name', 'figure'],
      ['a'.repeat(100), '123'],
    ];
    assert.deepEqual(tableLines(rows, 20), ['name          figure', `${'a'.repeat(11)}…     123`]);
  });

  test('is a list where its figures would leave no room for what they are of', () => {
    const rows = [
      ['name', 'figure', 'other', 'more'],
      ['a'.repeat(100), '123', '', '日本'],
      ['b', '4', '5'],
    ];
    assert.deepEqual(tableLines(rows, 19), [
      'name',
      `${'a'.repeat(18)}…\n      figure 123\n      more 日本`,
      'b\n      figure 4\n      other 5',
    ]);
    assert.deepEqual(tableLines(rows, 8)[2], 'b\n      f…\n      o…');
    assert.deepEqual(tableLines(rows, 25)[2], 'b\n      figure 4, other 5');
  });

  test('of a hundred thousand rows is one', () => {
    assert.equal(
      tableLines(
        Array.from({ length: 100_000 }, () => ['a', '1']),
        80,
      ).length,
      100_000,
    );
  });

  test('stands in columns also with wide characters', () => {
    const [first = '', second = ''] = tableLines(
      [
        ['日本', '1'],
        ['abc', '2'],
      ],
      80,
    );
    assert.equal(widthOf(first), widthOf(second));
  });

  test('shares are percents with one digit', () => assert.equal(percent(0.4567), '45.7%'));
});

const row = (data: Partial<CacheRow>): CacheRow => ({
  number: 1,
  id: 'e',
  turn: 1,
  attempt: 1,
  model: 'anthropic/claude',
  bytes: 100,
  prefix: 'first',
  outcome: 'reply',
  ...data,
});

const totals: CacheReport['totals'] = {
  requests: 2,
  extends: 0,
  broke: 1,
  unknown: 0,
  reported: { requests: 1, input: 3000, cacheRead: 1000, hits: 1 / 3 },
  lost: { tokens: 2300, cost: 0.0046, unpriced: 0 },
  cost: { known: 0.05, estimated: 0.01, unpriced: 0 },
  asides: { questions: 0, cost: 0, unpriced: 0 },
};

describe('what a cache had', () => {
  test('is told request by request, with the break below its request, and in total', () => {
    const usage = { input: 1_234, cacheRead: 0, cacheWrite: 1_100 };
    const broke = { part: 'system', at: 1_234, of: 'the system prompt', tokens: 2_300, cost: 0.0046 } as const;
    const requests = [
      row({ usage, hits: 0, cost: 0.0042 }),
      row({
        number: 2,
        turn: 2,
        attempt: 2,
        prefix: 'broke',
        before: 1,
        broke,
        outcome: 'failure',
        cost: 0.01,
        estimated: true,
      }),
    ];
    assert.deepEqual(cacheLines({ requests, totals, damaged: 0 }, style), [
      'request      turn  prefix  uncached  cached  written  hits      cost',
      'to anthropic/claude',
      '  1             1   first     1,234       0    1,100  0.0%   $0.0042',
      '  2      2, try 2   broke         -       -        -     -  ~$0.0100',
      '    broke at byte 1,234, the system prompt, ~2,300 tokens lost, at most ~$0.0046',
      '    the attempt failed',
      '',
      '2 requests: 0 extend the one before, 1 broke it',
      'cache hits: 33.3% of 3,000 input tokens, of the 1 that reported it',
      'lost to breaks: ~2,300 tokens, at most ~$0.0046',
      'cost: $0.0500 (of that ~$0.0100 estimated)',
      'without the breaks: ~$0.0454 at least',
    ]);
  });

  test('says what a compaction broke, and what was asked beside the conversation', () => {
    const broke = { part: 'messages', at: 9, of: 'message 1', tokens: 5, cost: 0.001, compaction: 'window' } as const;
    const asides = { questions: 2, cost: 0.02, unpriced: 0 };
    const lines = cacheLines(
      { requests: [row({ prefix: 'broke', broke })], totals: { ...totals, asides }, damaged: 0 },
      style,
    );
    assert.match(lines[3] ?? '', /^ +after a compaction \(window\) broke at byte 9/);
    assert.equal(lines.at(-1), 'beside the conversation: 2 questions, $0.0200');
  });

  test('calls no cost zero that nobody knows, and no known one unknown', () => {
    const last = (known: number, unpriced: number) => {
      const all = { ...totals, broke: 0, cost: { known, estimated: 0, unpriced } };
      return cacheLines({ requests: [row({})], totals: all, damaged: 0 }, style).at(-1);
    };
    assert.equal(last(0, 3), 'cost: unknown; 3 requests without a price');
    assert.equal(last(0.05, 3), 'cost: $0.0500; 3 requests without a price');
    assert.equal(last(0, 0), 'cost: $0.0000');
  });

  test('names the model again only where it changes, and why it did', () => {
    const route = { to: 'openai/x', because: 'anthropic/claude failed: rate-limited' };
    const lines = cacheLines(
      {
        requests: [
          row({}),
          row({ number: 2, prefix: 'extends', before: 1 }),
          row({ number: 3, model: 'openai/x', route }),
        ],
        totals,
        damaged: 0,
      },
      style,
    );
    assert.deepEqual(
      lines.filter((line) => line.startsWith('to ')),
      ['to anthropic/claude', 'to openai/x (anthropic/claude failed: rate-limited)'],
    );
  });

  test('says which request it extends where that isn’t the one above', () => {
    const requests = [row({ number: 5, prefix: 'extends', before: 2 })];
    assert.match(cacheLines({ requests, totals, damaged: 0 }, style).join('\n'), / extends 2 /);
  });

  test('says when nothing was asked, and what damage may hide', () => {
    assert.deepEqual(cacheLines({ requests: [], totals, damaged: 2 }, style), [
      'No request has been made.',
      '2 lines can’t be read: what was in them is missing here',
    ]);
  });

  test('holds nothing that a terminal obeys, and fits it', () => {
    const broke = { part: 'tools', at: 123_456_789, of: `the tool ${hostile.repeat(30)}`, tokens: 1, cost: 1 } as const;
    const lines = cacheLines(
      {
        requests: [
          row({
            number: 1234,
            turn: 1000,
            attempt: 12,
            prefix: 'broke',
            broke,
            outcome: 'failure',
            hits: 0.999,
            usage: { input: 100_000, cacheRead: 900_000, cacheWrite: 100_000 },
            leftOut: [{ tool: hostile, why: hostile.repeat(20) }],
            model: hostile.repeat(30),
          }),
        ],
        totals,
        damaged: 0,
      },
      style,
    );
    areFit(lines);
  });
});

const layer = (kind: string, data: object = {}) =>
  ({
    kind,
    count: 1,
    bytes: 300,
    tokens: 100,
    largest: [{ name: hostile.repeat(40), bytes: 300, tokens: 100 }],
    ...data,
  }) as never;

const context: ContextReport = {
  session: 's1',
  workspace: '/w',
  model: 'anthropic/claude',
  wire: 'anthropic',
  estimate: { by: 'assumed', bytesPerToken: 3 },
  layers: [
    layer('tools', { count: 2, largest: ['read', 'edit'].map((name) => ({ name, bytes: 150, tokens: 50 })) }),
    layer('static-prompt', { tokens: 200, bytes: 600 }),
    layer('frame', { bytes: 84, tokens: 0 }),
  ],
  total: { bytes: 984, tokens: 300 },
  window: 1000,
  reserved: 500,
  left: 200,
  instructions: { files: [], leftOut: [], bytes: 0 },
  leftOut: [],
  notes: [],
};

describe('instruction files', () => {
  test('are told with their bytes, and why others were left out; no name becomes a command of the terminal', () => {
    const file = { hash: 'h', bytes: 60_008, since: 'start' as const };
    const files = [
      { ...file, path: `a${hostile}`, shown: 32_000 },
      { ...file, path: 'lib/AGENTS.md', since: 'later' as const },
    ];
    const leftOut = [{ path: `b${hostile}`, why: `it is a copy of a${hostile}` }];
    const lines = instructionLines({ files, leftOut, bytes: 92_008 }, style);
    assert.equal(lines[0], '2 instruction files in force with 92,008 bytes, the nearest last:');
    assert.match(lines[2] ?? '', /32,000 of 60,008/);
    assert.match(lines[3] ?? '', /came in later/);
    areFit(lines.slice(0, 4));
    assert.doesNotMatch(lines.join(''), /[\u0000-\u001f\u007f]/);
    assert.deepEqual(instructionLines({ files: [], leftOut: [], bytes: 0 }, style), [
      'No instruction files are in force.',
    ]);
  });
});

describe('the next request', () => {
  test('is told layer by layer, with what is left of the window', () => {
    assert.deepEqual(contextLines(context, style), [
      'The next request of session s1, to anthropic/claude (anthropic)',
      '',
      'layer               tokens   share  window  bytes',
      'tools (2)             ~100   33.3%   10.0%    300',
      '    read               ~50   16.7%    5.0%    150',
      '    edit               ~50   16.7%    5.0%    150',
      'static prompt         ~200   66.7%   20.0%    600',
      'around them              -       -       -     84',
      'total                 ~300  100.0%   30.0%    984',
      'window               1,000',
      'kept for the reply     500           50.0%',
      'left                  ~200           20.0%',
      '',
      'Tokens (~) are estimated by an assumption, on the safe side; no reply has',
      'reported any: 3 bytes of text a token. Bytes are exact.',
    ]);
  });

  test('says what its figures go by', () => {
    const textFor = (by: ContextReport['estimate']['by']): string =>
      contextLines({ ...context, estimate: { by, bytesPerToken: 3.617 } }, plainStyle(200)).join('\n');
    assert.match(textFor('reported'), /by what the last reply reported, and what was said since: 3\.62 bytes/);
    assert.match(textFor('calibrated'), /by what earlier replies of this session reported: 3\.62 bytes/);
  });

  test('that leaves no room says by how much it is too long', () => {
    assert.match(contextLines({ ...context, left: -50 }, style).join('\n'), /left +-~50 +-5\.0%/);
  });

  test('without anything in it has no shares', () => {
    const empty = { ...context, layers: [], total: { bytes: 0, tokens: 0 } };
    assert.match(contextLines(empty, style).join('\n'), /total +~0 +0\.0% +0\.0% +0/);
  });

  test('holds nothing that a terminal obeys, and fits it', () => {
    const kinds = ['tools', 'user', 'results', 'prompt-3', `${hostile}kind`];
    const leftOut = [{ tool: hostile, why: hostile.repeat(50) }];
    const lines = contextLines(
      {
        ...context,
        layers: kinds.map((kind) => layer(kind)),
        leftOut,
        notes: [hostile.repeat(50)],
        workspace: hostile,
      },
      style,
    );
    areFit(lines);
  });
});

const sent = (number: number, data: object = {}) => ({
  number,
  file: '0001.json',
  at: 1,
  path: '/v1/messages',
  wire: 'anthropic' as const,
  model: 'claude',
  bytes: 900,
  frame: 10,
  layers: [],
  tools: { count: 0, tokens: 0 },
  system: 0,
  messages: 0,
  total: 0,
  extension: { prefix: 'first' as const },
  ...data,
});

describe('what some program sent', () => {
  const tools = (tokens: number) =>
    layer('tools', {
      count: 2,
      tokens,
      largest: ['bash', 'read'].map((name) => ({ name, bytes: 1, tokens: tokens / 2 })),
    });
  const results = layer('results', { count: 3, tokens: 80, largest: [{ name: 'bash ls', bytes: 9, tokens: 70 }] });
  const broke = { of: 'system', part: 2, name: 'cwd: /w', at: 1234, tokens: 90 } as const;

  test('is told side by side for the first and the last request, and request by request', () => {
    const audit: CaptureAudit = {
      folder: '/c',
      requests: [
        sent(1, { layers: [tools(100)], tools: { count: 2, tokens: 100 }, total: 100 }),
        { number: 2, problem: '0002.json can’t be read: gone' },
        sent(3, {
          layers: [tools(90), results],
          tools: { count: 2, tokens: 90 },
          messages: 80,
          total: 170,
          extension: { prefix: 'broke', before: 1, broke },
        }),
        sent(4, { layers: [tools(90), results], total: 170, extension: { prefix: 'extends', before: 1 } }),
        sent(5, { layers: [tools(90), results], total: 170, extension: { prefix: 'stored' } }),
      ],
    };
    assert.deepEqual(captureLines(audit, style), [
      '             request 1  request 5',
      'tools          2: ~100     2: ~90',
      '    bash           ~50        ~45',
      '    read           ~50        ~45',
      'results              -     3: ~80',
      '    bash ls          -        ~70',
      'total             ~100       ~170',
      'bytes              900        900',
      '',
      'request                             tools  system  messages  total     prefix',
      '1  claude                         2: ~100      ~0        ~0   ~100      first',
      '2  0002.json can’t be read: gone',
      '3  claude                          2: ~90      ~0       ~80   ~170      broke',
      '    not as 1 from byte 1,234, block of the system prompt 2, ~90 lost: cwd: /w',
      '4  claude                           0: ~0      ~0        ~0   ~170  extends 1',
      '5  claude                           0: ~0      ~0        ~0   ~170     stored',
      '    it goes on from a stored reply: what came before is not in it',
      '',
      'Tokens (~) are a quarter of the characters, and a fixed number for an image.',
    ]);
  });

  test('that can’t be read at all is said', () => {
    assert.deepEqual(captureLines({ folder: '/c', requests: [{ number: 1, problem: 'x' }] }, style), [
      'No request was captured.',
      '1  x',
    ]);
  });

  test('holds nothing that a terminal obeys, and fits it', () => {
    const name = hostile.repeat(30);
    const request = sent(1, {
      model: name,
      layers: [layer('tools'), layer('results')],
      extension: { prefix: 'broke', before: 1, broke: { ...broke, name } },
    });
    const lines = captureLines({ folder: name, requests: [request, { number: 2, problem: name }] }, style);
    areFit([...lines, ...captureLines({ folder: name, requests: [{ number: 2, problem: name }] }, style)]);
  });
});
