import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Event } from '../../src/core/index.ts';
import { exportFormats, loadExports, type ExportFormat } from '../../src/observe/index.ts';
import { assertAtif } from './atif-rules.ts';
import { events, texts } from './exported.ts';

const { exporters, trajectoryOf } = await loadExports();

function exported(format: ExportFormat, of: readonly Event[] = events): string {
  return [...exporters[format](trajectoryOf({ session: 's-1', title: texts.task.split('\n')[0]! }, of))].join('');
}

type Line = { [key: string]: unknown };
const linesOf = (format: ExportFormat, of?: readonly Event[]): Line[] =>
  exported(format, of)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** Every text in a value, whatever holds it. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe('formats that are data hold', () => {
  const spoken = [texts.answer, texts.end, texts.result, 'Edited.', 'npm test'];
  const heard = [texts.task, texts.steer, texts.told];
  const complete = [...spoken, ...heard, texts.thinking, texts.summary];
  const held: { [format in ExportFormat]?: string[] } = {
    json: complete,
    atif: complete,
    claude: complete,
    pi: complete,
    gemini: [...spoken, ...heard],
    codex: [...spoken, texts.thinking],
    opencode: [...spoken, texts.thinking],
  };
  for (const [format, expected] of Object.entries(held)) {
    test(`${format}: all texts, calls and results that it has a place for`, () => {
      const found = linesOf(format as ExportFormat).flatMap(textsIn);
      for (const text of expected) assert.ok(found.includes(text), `${format} lacks ${JSON.stringify(text)}`);
      assert.ok(!found.includes('of-the-maker'), 'what only the provider can read stays in the log');
    });
  }

  test('calls by ids that name one call only', () => {
    const { steps } = assertAtif(exported('atif'));
    const ids = steps.flatMap((step) => step.tool_calls ?? []).map((call) => call.tool_call_id);
    assert.deepEqual(ids, ['c1', 'r1/1', 'c9']);
  });
});

describe('ATIF', () => {
  test('a compaction is a step of the system, what wasn’t reported is absent', () => {
    const { steps, final_metrics: totals } = assertAtif(exported('atif'));
    assert.deepEqual(
      steps.map(({ source }) => source),
      ['user', 'agent', 'user', 'system', 'system', 'agent'],
    );
    assert.deepEqual(totals, {
      total_prompt_tokens: 35,
      total_completion_tokens: 10,
      total_cached_tokens: 5,
      total_cost_usd: 0.75,
      total_steps: 6,
    });
    const silent = events.map((event) => {
      if (event.kind !== 'reply') return event;
      const { usage: _, cost: __, ...data } = event.data;
      return { ...event, data };
    });
    const bare = assertAtif(exported('atif', silent));
    assert.deepEqual(bare.final_metrics, { total_steps: 6 });
    assert.ok(bare.steps.every((step) => step.metrics === undefined));
  });

  test('what a fork took over is copied context, and a session without a word is whole', () => {
    const fork = { id: 'h0', parent: 'z0', at: 1, kind: 'head', data: { from: 'z0', why: 'fork' } } as const;
    const said = { id: 'i9', parent: 'h0', at: 2, kind: 'input', data: { from: 'user', text: 'go on' } } as const;
    const { steps } = assertAtif(exported('atif', [...events, fork, said]));
    assert.deepEqual(
      steps.map((step) => step['is_copied_context'] === true),
      [true, true, true, true, true, true, false],
    );
    assert.deepEqual(assertAtif(exported('atif', events.slice(0, 1))).steps, []);
  });
});

describe('lines of other harnesses', () => {
  test('begin and end as theirs do', () => {
    const ends = exportFormats
      .filter((format) => ['claude', 'codex', 'opencode', 'pi', 'gemini'].includes(format))
      .map((format) => {
        const lines = linesOf(format);
        return [format, lines[0]!['type'], lines.at(-1)!['type']].join(' ');
      });
    assert.deepEqual(ends, [
      'claude system result',
      'codex thread.started turn.failed',
      'opencode step_start error',
      'pi session agent_end',
      'gemini init result',
    ]);
  });

  test('say how it went', () => {
    const last = (format: ExportFormat) => linesOf(format).at(-1)!;
    assert.deepEqual([last('claude')['subtype'], last('claude')['is_error']], ['error_max_turns', true]);
    assert.equal(last('gemini')['status'], 'error');
    const done = [...events.slice(0, -1), { ...events.at(-1)!, data: { reason: 'completed', detail: '' } } as Event];
    assert.equal(linesOf('claude', done).at(-1)!['subtype'], 'success');
    assert.equal(linesOf('codex', done).at(-1)!['type'], 'turn.completed');
    assert.equal(linesOf('opencode', done).at(-1)!['type'], 'step_finish');
    assert.equal(linesOf('gemini', done).at(-1)!['status'], 'success');
  });

  test('a call without a result has none there either', () => {
    const answered = (format: ExportFormat) => exported(format).match(/"tool_result"|"tool_execution_end"/g)?.length;
    assert.deepEqual([answered('claude'), answered('gemini'), answered('pi')], [2, 2, 2]);
    const items = linesOf('codex').flatMap(({ item }) => (item === undefined ? [] : [item as Line]));
    assert.deepEqual(
      items.map(({ type, status }) => [type, status]),
      [
        ['reasoning', undefined],
        ['agent_message', undefined],
        ['command_execution', 'failed'],
        ['mcp_tool_call', 'completed'],
        ['file_change', 'completed'],
        ['agent_message', undefined],
        ['mcp_tool_call', 'in_progress'],
      ],
    );
  });
});

describe('documents', () => {
  test('HTML holds everything, and nothing of it is markup', () => {
    const page = exported('html');
    assert.doesNotMatch(page, /<script|<b>|<img|<link|src=|href=|javascript:/i);
    assert.match(page, /Content-Security-Policy" content="default-src 'none'/);
    assert.ok(page.includes('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;'));
    assert.ok(page.includes('&lt;/pre&gt;&lt;b&gt;bold'));
    const opened = page.match(/<(details|pre|section|div)[ >]/g)?.length;
    const closed = page.match(/<\/(details|pre|section|div)>/g)?.length;
    assert.equal(opened, closed);
    for (const text of [texts.end, texts.summary, texts.told, 'npm test', 'shell: error', 'read: no result'])
      assert.ok(page.includes(text), text);
  });

  test('Markdown holds everything, and no result closes its fence', () => {
    const document = exported('markdown');
    assert.ok(
      document.includes(`\`\`\`\`\`\n${texts.result}\n\`\`\`\`\`\n`),
      'the fence is longer than any in the text',
    );
    assert.ok(document.includes('> # not a heading'));
    for (const text of [texts.answer, texts.end, texts.summary, texts.told, '"command": "npm test"'])
      assert.ok(document.includes(text), text);
    assert.equal(document.match(/<details>/g)?.length, 4);
  });

  test('JSON names the step above each, so that branches can be told', () => {
    const other = {
      id: 'i7',
      parent: 'r1',
      at: 9,
      kind: 'input',
      data: { from: 'user', text: 'another way' },
    } as const;
    const root = JSON.parse(exported('json', [...events, other])) as { steps: { id: string; parent: string }[] };
    assert.deepEqual(
      root.steps.map(({ id, parent }) => [id, parent]),
      [
        ['i0', null],
        ['r1', 'i0'],
        ['i1', 'r1'],
        ['v0', 'i1'],
        ['v0/told', 'v0'],
        ['k0', 'v0/told'],
        ['r2', 'k0'],
        ['z0', 'r2'],
        ['i7', 'r1'],
      ],
    );
  });
});
