import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Decoded } from '../../src/model/index.ts';
import { serveRecording } from '../../src/testing/index.ts';
import { compareReading, linesOf, playRecordings, type Reading } from '../../src/testing/conformance/index.ts';
import { post } from './support/raw-client.ts';
import {
  anthropic,
  anthropicText,
  chat,
  folderOf,
  framed,
  gemini,
  lines,
  recordings,
  responses,
} from './support/recordings.ts';
import { variants } from './support/recording-variants.ts';
import { serve } from './support/running.ts';

/** Plays files; gives the verdicts by name. */
async function verdicts(context: TestContext, files: { [name: string]: string }) {
  const report = await playRecordings(await folderOf(context, files));
  return Object.fromEntries(report.files.map(({ file, ...rest }) => [file, rest]));
}

/** Plays one file and gives its report. */
async function only(context: TestContext, name: string, content: string, more: { [name: string]: string } = {}) {
  const found = (await verdicts(context, { [name]: content, ...more }))[name];
  assert.ok(found);
  return found;
}

const exact = (wire: string, replies = 1) => ({ wire, replies, verdict: 'exact', differences: [] });

const wires: { [folder: string]: string } = {
  'anthropic-messages': 'anthropic',
  gemini: 'gemini',
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
};

describe('decoders read what the reference reads', () => {
  for (const [folder, all] of Object.entries(recordings)) {
    const wire = wires[folder]!;
    for (const [index, events] of all.entries()) {
      test(`${folder} ${index + 1}, in every form`, async (context) => {
        const found = await verdicts(context, {
          [`${folder}/lines.chunks.txt`]: lines(events),
          [`${folder}/plain.txt`]: lines(events).trimEnd().replaceAll('\n', '\r\n'),
          [`${folder}/deep/er/framed.sse`]: framed(events),
          [`${folder}/crlf.sse`]: framed(events, '\r\n'),
          'guessed.txt': lines(events),
          'guessed.sse': framed(events),
        });
        assert.equal(Object.keys(found).length, 6);
        for (const [name, report] of Object.entries(found)) assert.deepEqual(report, exact(wire), name);
      });

      test(`${folder} ${index + 1}, without its end, is a failure to both`, async (context) => {
        const end = folder === 'openai-chat' ? -2 : -1;
        for (const kept of [events.slice(0, end), events.slice(0, 2), []]) {
          assert.deepEqual(await only(context, `${folder}/cut.txt`, lines(kept)), exact(wire));
        }
      });
    }
  }

  for (const [folder, all] of Object.entries(variants)) {
    for (const [name, events] of Object.entries(all)) {
      test(`${folder}: ${name}`, async (context) => {
        assert.deepEqual(await only(context, `${folder}/a.txt`, lines(events)), exact(wires[folder]!));
      });
    }
  }

  test('an error in a list is one too', async (context) => {
    const error = { error: { code: 503, message: 'no', status: 'UNAVAILABLE' } };
    const text = `${framed(gemini.slice(0, 2))}data: ${JSON.stringify([error])}\n\n`;
    assert.deepEqual(await only(context, 'gemini/a.sse', text), exact('gemini'));
  });

  test('the last event of another protocol is none of its own, or an end', async (context) => {
    const open = chat.slice(0, 4);
    const found = await verdicts(context, {
      'openai-chat/a.txt': `${lines(open)}[DONE]\n`,
      'openai-chat/b.sse': `${framed(chat)}data: [DONE]\n\n`,
      'openai-responses/a.sse': `${framed(responses)}data: [DONE]\n\n`,
    });
    assert.deepEqual(
      Object.values(found).map(({ verdict, reason }) => [verdict, reason]),
      Array.from({ length: 3 }, () => ['exact', undefined]),
    );
  });

  test('several replies in a recording are played one by one', async (context) => {
    const next = (events: object[], id: string) =>
      events.map((event) => JSON.parse(JSON.stringify(event).replaceAll(/"(?:one|chatcmpl-1)"/g, `"${id}"`)) as object);
    const found = await verdicts(context, {
      'anthropic-messages/a.txt': lines([...anthropic, ...anthropicText, ...anthropic]),
      'gemini/a.txt': lines([...gemini, ...next(gemini, 'two')]),
      'openai-chat/a.txt': lines([...chat, ...next(chat, 'chatcmpl-2')]),
      'openai-responses/a.sse': framed([...responses, ...responses]),
    });
    assert.deepEqual(found, {
      'anthropic-messages/a.txt': exact('anthropic', 3),
      'gemini/a.txt': exact('gemini', 2),
      'openai-chat/a.txt': exact('openai-chat', 2),
      'openai-responses/a.sse': exact('openai-responses', 2),
    });
  });

  test('an error in the stream is a failure to both', async (context) => {
    const found = await verdicts(context, {
      'a.txt': lines([...anthropic.slice(0, 5), { type: 'error', error: { type: 'overloaded_error', message: 'no' } }]),
      'b.txt': lines([...gemini.slice(0, 2), { error: { code: 503, message: 'no', status: 'UNAVAILABLE' } }]),
      'c.txt': lines([...chat.slice(0, 2), { error: { message: 'no', type: 'server_error' } }]),
      'd.txt': lines([
        responses[0]!,
        { type: 'error', code: 'insufficient_quota', message: 'no', sequence_number: 3 },
        { type: 'response.failed', response: { status: 'failed', error: { code: 'x', message: 'no' } } },
      ]),
    });
    const verdictsOnly = Object.values(found).map(({ wire, verdict }) => [wire, verdict]);
    assert.deepEqual(verdictsOnly, [
      ['anthropic', 'exact'],
      ['gemini', 'exact'],
      ['openai-chat', 'exact'],
      ['openai-responses', 'exact'],
    ]);
  });
});

describe('what can’t be played has failed, by name', () => {
  const cases: [string, { [name: string]: string }, RegExp][] = [
    ['no recording', { 'gemini/notes.txt': 'These are notes.' }, /neither one JSON event a line/],
    ['no wire', { 'a.txt': '{"hello":1}\n' }, /don’t tell the wire/],
    ['a bad expectation', { 'anthropic/a.txt': lines(anthropic), 'anthropic/a.expected.json': '{' }, /JSON/],
    [
      'an expectation of no kind',
      { 'anthropic/a.txt': lines(anthropic), 'anthropic/a.expected.json': '5' },
      /no JSON object/,
    ],
  ];
  for (const [name, files, words] of cases) {
    test(name, async (context) => {
      const [found] = Object.values(await verdicts(context, files));
      assert.equal(found?.verdict, 'failed');
      assert.match(found.reason ?? '', words);
    });
  }

  test('a reply that the decoder can’t read', async (context) => {
    const found = await only(context, 'anthropic/a.txt', lines(anthropic.slice(0, 4)), {
      'anthropic/a.expected.json': JSON.stringify({ stop: 'calls' }),
    });
    assert.equal(found.verdict, 'failed');
    assert.match(found.reason ?? '', /^stream-cut: /);
  });

  test('no recordings are none, and no folder is an error', async (context) => {
    const folder = await folderOf(context, { 'a.json': '{}' });
    assert.deepEqual(await playRecordings(folder), { files: [], totals: { exact: 0, differing: 0, failed: 0 } });
    await assert.rejects(playRecordings(join(folder, 'nowhere')), { code: 'ENOENT' });
  });

  test('a single file can be played, and its folder tells the wire', async (context) => {
    const folder = await folderOf(context, { 'anthropic/a.txt': '' });
    const { files } = await playRecordings(join(folder, 'anthropic', 'a.txt'));
    assert.deepEqual(files, [{ file: 'a.txt', ...exact('anthropic') }]);
  });
});

describe('an expectation beside a recording goes before the reference', () => {
  const parts = [{ type: 'text', text: 'done' }];
  const usage = { input: 9, cacheRead: 4, output: 7 };
  const play = (context: TestContext, expected: unknown, events: object[] = anthropicText) =>
    only(context, 'anthropic/a.chunks.txt', lines(events), { 'anthropic/a.expected.json': JSON.stringify(expected) });

  test('as the fields of a reply, or as the whole outcome', async (context) => {
    for (const expected of [
      {},
      { parts },
      { parts, stop: 'end', usage },
      { kind: 'reply', reply: { parts, stopRaw: 'end_turn' } },
    ]) {
      assert.deepEqual(await play(context, expected), exact('anthropic'));
    }
    const failure = { kind: 'failure', failure: { code: 'stream-cut' } };
    assert.deepEqual(await play(context, failure, anthropicText.slice(0, -1)), exact('anthropic'));
  });

  test('what differs is named with its place', async (context) => {
    const differences = async (expected: unknown) =>
      (await play(context, expected)).differences.map(({ what, at }) => `${what} ${at}`);
    assert.deepEqual(await differences({ parts: [{ type: 'text', text: 'Done' }] }), ['parts parts[0]']);
    assert.deepEqual(await differences({ parts: [...parts, ...parts] }), ['parts parts[1]']);
    assert.deepEqual(await differences({ stop: 'calls', usage: { output: 7 } }), ['stop stop', 'usage usage']);
    assert.deepEqual(await differences({ kind: 'failure', failure: {} }), ['outcome kind']);
    const { verdict } = await play(context, { stop: 'calls' });
    assert.equal(verdict, 'differing');
  });

  test('one for each reply', async (context) => {
    const both = [...anthropicText, ...anthropic];
    assert.deepEqual(await play(context, [{ stop: 'end' }, { stop: 'calls' }], both), exact('anthropic', 2));
    const found = await play(context, [{ stop: 'end' }, { stop: 'end' }], both);
    assert.deepEqual(found.differences, [{ what: 'stop', at: 'reply 2, stop', expected: 'end', actual: 'calls' }]);
  });
});

describe('what differs from the reference is named with its place', () => {
  const reading: Reading = {
    text: 'I read.',
    reasoning: ['hm, ', 'so'],
    calls: [
      { id: 'one', name: 'read', json: '{"b":2,"a":1}' },
      { name: 'patch', text: '*** Begin' },
    ],
    others: 0,
    stop: 'calls',
    word: 'tool_calls',
    usage: { input: 9, output: 7, cacheRead: undefined },
  };
  const reply = {
    parts: [
      { type: 'thinking' as const, text: 'hm, ' },
      { type: 'thinking' as const, text: 'so' },
      { type: 'text' as const, text: 'I read.' },
      { type: 'call' as const, id: 'one', name: 'read', arguments: { a: 1, b: 2 } },
      { type: 'call' as const, id: 'made-up', name: 'patch', arguments: { input: '*** Begin' } },
    ],
    stop: 'calls' as const,
    stopRaw: 'tool_calls',
    usage: { input: 9, output: 7, cacheRead: 0 },
  };
  const compare = (change: object, read: Partial<Reading> = {}) => {
    const verdict = compareReading({ kind: 'reply', reply: { ...reply, ...change } }, { ...reading, ...read });
    if (verdict.verdict === 'failed') return ['failed'];
    return verdict.verdict === 'exact' ? [] : verdict.differences.map(({ what, at }) => `${what} ${at}`);
  };
  const changed = (place: number, change: object) => ({
    parts: reply.parts.map((part, index) => (index === place ? { ...part, ...change } : part)),
  });

  test('nothing differs where all is the same', () => assert.deepEqual(compare({}), []));

  test('parts of the reasoning may be joined by blanks, and by nothing else', () => {
    assert.deepEqual(compare(changed(1, { text: '\n\nso' })), []);
    assert.deepEqual(compare(changed(0, { text: 'hm,' })), ['reasoning character 3']);
    assert.deepEqual(compare(changed(1, { text: 'so ' })), ['reasoning character 6']);
  });

  const cases: [string, object, string[]][] = [
    ['a character', changed(2, { text: 'I Read.' }), ['text character 2']],
    ['text that is cut', changed(2, { text: 'I read' }), ['text character 6']],
    ['reasoning', changed(1, { text: 'sO' }), ['reasoning character 5']],
    ['a call too few', { parts: reply.parts.slice(0, 4) }, ['calls number']],
    ['the name of a call', changed(3, { name: 'Read' }), ['calls call 1, name']],
    ['the id of a call', changed(3, { id: 'two' }), ['calls call 1, id']],
    ['arguments', changed(3, { arguments: { a: 1 } }), ['calls call 1, arguments']],
    ['arguments that count as malformed', changed(3, { malformed: '{' }), ['calls call 1, arguments']],
    ['the text of a call', changed(4, { arguments: { input: '' } }), ['calls call 2, arguments']],
    ['the stop', { stop: 'end' }, ['stop stop']],
    ['the word for it', { stopRaw: 'stop' }, ['stop stop']],
    ['usage', { usage: { input: 9, output: 8, reasoning: 1 } }, ['usage output', 'usage reasoning']],
    ['no usage', { usage: undefined }, ['usage input', 'usage output']],
  ];
  for (const [name, change, differences] of cases) {
    test(name, () => assert.deepEqual(compare(change), differences));
  }

  test('arguments that are no JSON object must come as they are, or mended and told', () => {
    const calls = [{ name: 'read', json: '{"a":1' }];
    const part = { type: 'call', id: 'one', name: 'read', arguments: {} };
    assert.deepEqual(compare({ parts: [...reply.parts.slice(0, 3), { ...part, malformed: '{"a":1' }] }, { calls }), []);
    assert.deepEqual(compare({ parts: [...reply.parts.slice(0, 3), part] }, { calls }), ['calls call 1, arguments']);
    const repairs = [{ call: 0, what: 'closed' }];
    assert.deepEqual(compare({ parts: [...reply.parts.slice(0, 3), part], repairs }, { calls }), []);
  });

  test('a failure is one to both, or the decoder has failed', () => {
    const failure = { class: 'broken-stream', code: 'stream-cut', message: 'cut' } as const;
    const failed: Decoded = { kind: 'failure', failure };
    assert.deepEqual(compareReading(failed, { failure: 'no end' }), { verdict: 'exact' });
    assert.deepEqual(compareReading(failed, reading), { verdict: 'failed', reason: 'stream-cut: cut' });
    assert.equal(compareReading({ kind: 'reply', reply }, { failure: 'no end' }).verdict, 'differing');
    const empty: Decoded = { kind: 'failure', failure: { ...failure, code: 'empty-reply' } };
    const silent: Reading = { ...reading, text: ' ', calls: [] };
    assert.equal(compareReading(empty, silent).verdict, 'exact');
    assert.equal(compareReading(empty, { ...silent, others: 1 }).verdict, 'failed', 'there is something in it');
    assert.equal(compareReading(empty, reading).verdict, 'failed');
  });
});

test('the report has a line for each file, one for each difference, and the totals', async (context) => {
  const folder = await folderOf(context, {
    'anthropic/a.txt': lines(anthropic),
    'anthropic/b.txt': lines(anthropicText),
    'anthropic/b.expected.json': '{"stop":"\\u001b[31m"}',
    'c.txt': 'no',
  });
  assert.deepEqual(linesOf(await playRecordings(folder)), [
    'exact      anthropic/a.txt (anthropic)',
    'differing  anthropic/b.txt (anthropic)',
    '           stop at stop: expected \\u001b[31m, decoded end',
    'failed     c.txt (unknown wire): neither one JSON event a line nor a stream of events',
    '3 recordings: 1 exact, 1 differing, 1 failed',
  ]);
});

const paths: { [folder: string]: string } = {
  'anthropic-messages': '/v1/messages',
  gemini: '/v1beta/models/m:streamGenerateContent',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
};

/** The recording as it comes from a real server. */
async function served(context: TestContext, folder: string, recording: string): Promise<string> {
  const server = await serve(context, serveRecording(recording), { strict: false });
  const answer = await post(server.url, { stream: true }, { path: paths[folder]! });
  assert.ok(answer.status === 200 && answer.complete, answer.text);
  return answer.text;
}

describe('a recording says the same when a server sends it', () => {
  for (const [folder, all] of Object.entries(recordings)) {
    test(folder, async (context) => {
      for (const events of all) {
        const text = await served(context, folder, lines(events));
        assert.deepEqual(await only(context, `${folder}/a.sse`, text), exact(wires[folder]!));
      }
    });
  }
});

const streams = fileURLToPath(new URL('../../../shared/streams', import.meta.url));

describe('recordings of real providers', { skip: existsSync(streams) ? false : 'no recorded streams here' }, () => {
  for (const path of globSync(join(streams, '*', '*.txt')).sort()) {
    const folder = basename(dirname(path));
    test(`${folder}/${basename(path)} is exact, from the file and from a server`, async (context) => {
      const { files } = await playRecordings(path);
      assert.deepEqual(files, [{ file: basename(path), ...exact(wires[folder]!, files[0]?.replies) }]);
      const text = await served(context, folder, readFileSync(path, 'utf8'));
      assert.deepEqual(await only(context, `${folder}/a.sse`, text), exact(wires[folder]!, files[0]?.replies));
    });
  }
});
