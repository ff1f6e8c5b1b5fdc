import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openRecordingFolder, readRecording } from '../../src/model/cassettes/index.ts';
import { answer, request, serve, setup, sse, Story, streamHead, textReply } from './loopback.ts';
import { filesIn, recorded, recorder, temporaryFolder } from './tapes.ts';

/** The key that the rig sends in a header. */
const key = 'top.secret/0123456789';

function storyOf(text: string): Story {
  const story = new Story();
  story.say(text);
  return story;
}

/** The events of a reply whose text comes in these pieces. */
function replyIn(pieces: string[]): object[] {
  const [start, open, , close, ...rest] = textReply('');
  const deltas = pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }));
  return [start!, open!, ...deltas, close!, ...rest];
}

describe('a cassette', () => {
  test('holds what playing it back needs, for its owner alone', async (t) => {
    const folder = join(temporaryFolder(t), 'new', 'tapes');
    let time = 1_000;
    await recorded(t, (_, response) => answer(response, textReply('Hello')), storyOf('hello'), {
      folder,
      clock: () => (time += 5),
    });
    assert.deepEqual(readdirSync(folder), ['0001.json']);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, '0001.json')).mode & 0o777, 0o600);
    const [cassette] = await readRecording(folder);
    assert.ok(cassette);
    const { provider, wire, model, settings, abilities, window, maxOutput, rates } = setup();
    const { target, request: sent, response, end } = cassette;
    assert.deepEqual(target.rates, rates);
    assert.deepEqual(
      [target.provider, target.wire, target.model, target.settings, target.abilities, target.window, target.maxOutput],
      [provider, wire, model, settings, abilities, window, maxOutput],
    );
    assert.equal(sent.path, '/v1/messages');
    assert.match(sent.body, /^\{"model":"test-model".*"hello"/);
    assert.ok(response);
    assert.equal(response.status, 200);
    assert.deepEqual(response.headers, { 'content-type': 'text/event-stream', 'request-id': 'req_1' });
    assert.equal(Buffer.concat(response.pieces.map(({ bytes }) => bytes)).toString(), sse(textReply('Hello')));
    assert.ok(response.pieces.every(({ at }) => at >= response.at && at <= end.at));
    assert.equal(end.kind, 'enough');
  });

  test('holds no header of the request and none of the account', async (t) => {
    const folder = temporaryFolder(t);
    await recorded(
      t,
      (_, response) => {
        response.setHeader('anthropic-organization-id', 'org-42');
        response.setHeader('set-cookie', 'session=4711');
        answer(response, textReply('Hello'));
      },
      storyOf('hello'),
      { folder },
    );
    const [{ text } = { text: '' }] = filesIn(folder);
    assert.doesNotMatch(text, /x-api-key|anthropic-version|org-42|4711|host/i);
  });

  test('holds what came in pieces, and when, also where a piece ends in a character', async (t) => {
    const folder = temporaryFolder(t);
    const bytes = Buffer.from(sse(replyIn(['Grüße 🙂'])));
    const middle = bytes.indexOf(Buffer.from('🙂')) + 2;
    await recorded(
      t,
      (_, response) => {
        streamHead(response);
        response.write(bytes.subarray(0, middle), () => setTimeout(() => response.end(bytes.subarray(middle)), 20));
      },
      storyOf('hello'),
      { folder, clock: () => performance.now() },
    );
    const [cassette] = await readRecording(folder);
    const pieces = cassette?.response?.pieces ?? [];
    assert.deepEqual(Buffer.concat(pieces.map((piece) => piece.bytes)), bytes);
    assert.ok(pieces.length >= 2);
    assert.ok((pieces.at(-1)?.at ?? 0) > (pieces[0]?.at ?? 0));
  });

  const broken: [name: string, handler: Parameters<typeof serve>[1], end: object][] = [
    [
      'is cut',
      (_, response) => {
        streamHead(response);
        response.write(sse(textReply('Hello').slice(0, 3)), () => response.destroy());
      },
      { kind: 'broken', problem: 'lost', sent: true },
    ],
    [
      'is reset before the headers',
      (_, __, socket) => socket.resetAndDestroy(),
      { kind: 'broken', problem: 'lost', sent: true },
    ],
    [
      'falls silent',
      (_, response) => {
        streamHead(response);
        response.write(sse(textReply('Hello').slice(0, 3)));
      },
      { kind: 'broken', problem: 'silence-timeout', sent: true },
    ],
    [
      'is refused',
      (_, response) => {
        response.writeHead(529, { 'content-type': 'application/json', 'retry-after': '7' });
        response.end('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}');
      },
      { kind: 'ended' },
    ],
  ];
  for (const [name, handler, expected] of broken) {
    test(`tells how an exchange broke that ${name}`, async (t) => {
      const folder = temporaryFolder(t);
      await recorded(t, handler, storyOf('hello'), { folder, timeouts: { silence: 50, stale: 0 } });
      const [cassette] = await readRecording(folder);
      const { at: _, ...end } = cassette?.end ?? { at: 0 };
      const { message: __, ...told } = end as { message?: string };
      assert.deepEqual(told, expected);
      if (name === 'is refused') assert.equal(cassette?.response?.headers['retry-after'], '7');
    });
  }

  test('is made of an exchange that was never answered', async (t) => {
    const folder = temporaryFolder(t);
    const server = await serve(t, () => undefined);
    server.server.close();
    await request(await recorder(t, server.url, { folder }), storyOf('hello'));
    const [cassette] = await readRecording(folder);
    assert.equal(cassette?.response, undefined);
    assert.ok(cassette?.end.kind === 'broken' && cassette.end.problem === 'refused' && !cassette.end.sent);
  });
});

describe('secrets', () => {
  const replies: [string, string[]][] = [
    ['in one piece', [`The key is ${key}.`]],
    ['torn over the events of the stream', ['The key is top.sec', 'ret/0123', '456789.']],
    ['letter by letter', `The key is ${key}.`.split('')],
  ];
  for (const [name, pieces] of replies) {
    test(`of the headers are nowhere in a cassette, ${name}`, async (t) => {
      const folder = temporaryFolder(t);
      const story = storyOf(`my key is ${key}, and "${key}" in JSON: ${JSON.stringify({ key })}`);
      await recorded(t, (_, response) => answer(response, replyIn(pieces)), story, { folder });
      const [cassette] = await readRecording(folder);
      const body = Buffer.concat(cassette?.response?.pieces.map(({ bytes }) => bytes) ?? []).toString();
      const said = [...body.matchAll(/"text_delta","text":"([^"]*)"/g)].map((match) => match[1]).join('');
      assert.equal(said, 'The key is [key].');
      const [{ text } = { text: '' }] = filesIn(folder);
      assert.ok(!text.includes(key) && !text.includes('0123456789'));
      assert.match(cassette?.request.body ?? '', /my key is \[key\], and \\"\[key\]\\" in JSON/);
    });
  }

  test('are found whatever block their pieces are said to be of, as keys, and as addresses and JSON write them', async (t) => {
    const torn = ['The key is top.', 'secret/', '01234', '56789.'];
    const delta = (text: string, more: object) => ({
      type: 'content_block_delta',
      delta: { type: 'text_delta', text },
      ...more,
    });
    const forms: { [name: string]: object[] } = {
      'blocks that change': torn.map((text, index) => delta(text, { index })),
      'blocks that are missing now and then': torn.map((text, index) =>
        delta(text, index % 2 === 0 ? { index: 0 } : {}),
      ),
      'ids that change': torn.map((piece, index) => ({ type: 'x', item_id: `m${index}`, delta: piece })),
      'parts of one list': [{ candidates: [{ content: { parts: torn.map((text) => ({ text })) } }] }],
      'a beginning elsewhere': torn.map((text, index) =>
        index === 0 ? { content_block: { text } } : delta(text, { index: 0 }),
      ),
      keys: [{ input: { [key]: 1, deep: [{ [`a ${key}`]: key }] } }],
      'escaped slashes': [delta('{"a":"top.secret\\/0123', { index: 0 }), delta('456789"}', { index: 0 })],
      addresses: [delta(`https://x/?a=${encodeURIComponent(key)}`, { index: 0 })],
    };
    for (const [name, events] of Object.entries(forms)) {
      const folder = temporaryFolder(t);
      await recorded(t, (_, response) => answer(response, [...events, ...textReply('Done')]), storyOf('hello'), {
        folder,
      });
      const [{ text } = { text: '' }] = filesIn(folder);
      assert.match(text, /\[key\]/, name);
      assert.doesNotMatch(text, /top\.|secret[/%\\]|01234|56789/, name);
    }
  });

  test('that pieces of the connection tear are found', async (t) => {
    const folder = temporaryFolder(t);
    const bytes = Buffer.from(sse(replyIn([`The key is ${key}.`])));
    const middle = bytes.indexOf(key) + 9;
    const server = await serve(t, (_, response) => {
      streamHead(response);
      response.write(bytes.subarray(0, middle), () => setTimeout(() => response.end(bytes.subarray(middle)), 20));
    });
    await request(await recorder(t, server.url, { folder }), storyOf('hello'));
    const [cassette] = await readRecording(folder);
    const pieces = cassette?.response?.pieces ?? [];
    assert.ok(pieces.length >= 2);
    assert.match(Buffer.concat(pieces.map((piece) => piece.bytes)).toString(), /"The key is \[key\]\."/);
    assert.ok(!filesIn(folder).some(({ text }) => text.includes('top.secret') || text.includes('0123456789')));
  });

  test('are known by their shape, and words of a program are not taken for them', async (t) => {
    const folder = temporaryFolder(t);
    const secret = [
      'sk-ant-api03-abcdefgh',
      'AIzaSyA1234567890abcdefghijk',
      'ghp_0123456789abcdefghijABCDEFGHIJ',
      'AKIAIOSFODNN7EXAMPLE',
      '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----',
    ];
    const plain = ['key_derivation_function', 'pk-user-profile', 'task-12345678', 'sk-learn-example'];
    const said = [...secret, ...plain].join(' | ');
    await recorded(t, (_, response) => answer(response, replyIn([said])), storyOf(said), { folder });
    const [{ text } = { text: '' }] = filesIn(folder);
    for (const each of secret) assert.ok(!text.includes(JSON.stringify(each).slice(1, -1)), each);
    for (const each of plain) assert.equal(text.split(each).length, 3, each);
  });

  test('in a refusal and in the words of a broken connection are replaced', async (t) => {
    const folder = temporaryFolder(t);
    await recorded(
      t,
      (_, response) => {
        response.writeHead(401, { 'content-type': 'application/json', 'x-request-id': key });
        response.end(JSON.stringify({ error: { type: 'authentication_error', message: `no such key: ${key}` } }));
      },
      storyOf('hello'),
      { folder },
    );
    const [{ text } = { text: '' }] = filesIn(folder);
    assert.match(text, /no such key: \[key\]/);
    assert.ok(!text.includes(key));
  });

  test('in the address are replaced', async (t) => {
    const folder = temporaryFolder(t);
    const server = await serve(t, (_, response) => answer(response, textReply('Hello')));
    await request(await recorder(t, `${server.url}/x?key=an%20odd+one&v=1`, { folder }), storyOf('hello'));
    assert.match(server.received[0]?.path ?? '', /odd/);
    const [cassette] = await readRecording(folder);
    assert.doesNotMatch(cassette?.request.path ?? '', /odd/);
    assert.match(cassette?.request.path ?? '', /^\/x\/v1\/messages\?key=.*v=1/);
  });
});

describe('the folder of a recording', () => {
  const hello = (_: unknown, response: Parameters<typeof answer>[0]) => answer(response, textReply('Hello'));

  test('takes one session: a new one is refused, one that goes on adds to it', async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    await recorded(t, hello, storyOf('one'), { folder });
    await assert.rejects(openRecordingFolder(folder, false), { code: 'usage-arguments' });
    await recorded(t, hello, storyOf('two'), { folder, goesOn: true });
    assert.deepEqual(readdirSync(folder).toSorted(), ['0001.json', '0002.json', 'notes.txt']);
    assert.deepEqual(
      (await readRecording(folder)).map(({ number }) => number),
      [1, 2],
    );
  });

  test('that can’t be made is told before anything is sent', async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'file'), '');
    await assert.rejects(openRecordingFolder(join(folder, 'file'), false), { code: 'cassette-unwritable' });
    await assert.rejects(openRecordingFolder(join(folder, 'file', 'below'), false), { code: 'cassette-unwritable' });
  });

  test('that is gone in the middle ends the run: what was to be recorded is not', async (t) => {
    const folder = join(temporaryFolder(t), 'tapes');
    const server = await serve(t, hello);
    const own = await recorder(t, server.url, { folder });
    await request(own, storyOf('one'));
    rmSync(folder, { recursive: true });
    await assert.rejects(request(own, storyOf('two')), { code: 'cassette-unwritable' });
  });

  test('never has a cassette of another session written over, and nothing half-written', async (t) => {
    const folder = temporaryFolder(t);
    const server = await serve(t, hello);
    const [first, second] = [await recorder(t, server.url, { folder }), await recorder(t, server.url, { folder })];
    await request(first, storyOf('one'));
    const [before] = filesIn(folder);
    await assert.rejects(request(second, storyOf('two')), /another session records into the same folder/);
    assert.deepEqual(filesIn(folder), [before]);
  });

  test('keeps its own mode when it was there before', async (t) => {
    const folder = join(temporaryFolder(t), 'shared');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    await recorded(t, hello, storyOf('one'), { folder });
    assert.equal(statSync(folder).mode & 0o777, 0o755);
  });
});
