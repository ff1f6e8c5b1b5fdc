import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, FinishReason, Type, type Content, type GenerateContentParameters } from '@google/genai';
import { ask, chunksIn, googleClient, partsOf, reasonsOf, saidIn, streamed } from './support/gemini-client.ts';
import { hello, model, talk, user } from './support/gemini-parts.ts';
import { post } from './support/raw-client.ts';
import { serve } from './support/running.ts';

const declarations = [
  {
    name: 'read',
    description: 'Reads a file.',
    parameters: { type: Type.OBJECT, properties: { path: { type: Type.STRING } }, required: ['path'] },
  },
];
const asking: GenerateContentParameters = {
  model: 'model-a',
  contents: 'hello',
  config: { systemInstruction: 'Be brief.', maxOutputTokens: 500, tools: [{ functionDeclarations: declarations }] },
};

test('the official client reads a streamed reply: thoughts, text, parallel calls, stop, usage', async (context) => {
  const args = { path: 'a/b.ts', deep: { list: [1, null, 'é👩‍🚀'] } };
  const server = await serve(context, {
    turns: [
      {
        thinking: 'I look first, and then I look again.',
        text: ['Réading ', 'now 👩‍🚀'],
        calls: [
          { name: 'read', arguments: args },
          { name: 'read', arguments: { path: 'c' } },
        ],
        usage: { input: 7, cacheRead: 11, output: 17, reasoning: 5 },
      },
    ],
  });
  const chunks = await streamed(googleClient(server).models.generateContentStream(asking));
  const parts = partsOf(chunks);
  assert.equal(saidIn(parts, true), 'I look first, and then I look again.');
  assert.equal(saidIn(parts), 'Réading now 👩‍🚀');
  assert.ok(parts.filter((part) => part.text !== undefined && !part.thought).length > 3, 'text comes in pieces');
  const calls = parts.filter((part) => part.functionCall);
  assert.deepEqual(
    calls.map((part) => part.functionCall),
    [
      { name: 'read', args },
      { name: 'read', args: { path: 'c' } },
    ],
  );
  assert.ok((calls[0]?.thoughtSignature?.length ?? 0) > 80);
  assert.equal(parts.filter((part) => part.thoughtSignature !== undefined).length, 1, 'the first call only is signed');
  assert.deepEqual(reasonsOf(chunks), [FinishReason.STOP]);
  assert.equal(chunks.at(-1)?.candidates?.[0]?.finishReason, FinishReason.STOP);
  assert.deepEqual(chunks.at(-1)?.usageMetadata, {
    promptTokenCount: 18,
    candidatesTokenCount: 12,
    totalTokenCount: 35,
    cachedContentTokenCount: 11,
    thoughtsTokenCount: 5,
  });
  const counts = chunks.map((chunk) => chunk.usageMetadata?.candidatesTokenCount ?? NaN);
  assert.deepEqual(
    counts,
    [...counts].sort((a, b) => a - b),
    'usage grows',
  );
  assert.equal(chunks[0]?.modelVersion, 'model-a');
  assert.ok(chunks.every((chunk) => chunk.responseId === chunks[0]?.responseId && chunk.responseId));
});

test('the official client reads the same reply whole', async (context) => {
  const turns = [{ thinking: 'hm', text: 'hi', calls: [{ name: 'read', arguments: { path: 'x' } }] }];
  const server = await serve(context, { turns });
  const client = googleClient(server);
  const whole = await client.models.generateContent(asking);
  const chunks = await streamed(client.models.generateContentStream(asking));
  assert.equal(saidIn(partsOf([whole])), 'hi');
  assert.deepEqual(whole.functionCalls, [{ name: 'read', args: { path: 'x' } }]);
  const calls = (parts: ReturnType<typeof partsOf>) => parts.filter((part) => part.functionCall);
  assert.deepEqual(calls(partsOf([whole])), calls(partsOf(chunks)), 'signatures included');
  assert.equal(saidIn(partsOf([whole]), true), 'hm');
  assert.equal(whole.responseId, chunks[0]?.responseId);
  assert.equal(whole.candidates?.[0]?.finishReason, FinishReason.STOP);
  assert.ok((whole.usageMetadata?.promptTokenCount ?? 0) > 20);
});

test('without calls the signature is on the last text: an empty one at the end of a stream', async (context) => {
  const server = await serve(context, { turns: [{ thinking: 'hm', text: 'hello there' }] });
  const client = googleClient(server);
  const parts = partsOf(await streamed(client.models.generateContentStream(asking)));
  assert.deepEqual(
    parts.filter((part) => part.thoughtSignature).map((part) => part.text),
    [''],
  );
  assert.equal(parts.at(-1)?.text, '');
  const whole = partsOf([await client.models.generateContent(asking)]);
  assert.deepEqual(
    whole.map((part) => [part.text, part.thoughtSignature !== undefined]),
    [
      ['hm', false],
      ['hello there', true],
    ],
  );
});

test('sealed thinking shows in a signature alone', async (context) => {
  const server = await serve(context, {
    turns: [{ blocks: [{ redacted: 'secret' }, { call: { name: 'read', id: 'own' } }] }],
  });
  const whole = await googleClient(server).models.generateContent(asking);
  const [part, ...others] = partsOf([whole]);
  assert.deepEqual(part?.functionCall, { id: 'own', name: 'read', args: {} });
  assert.ok(part?.thoughtSignature);
  assert.deepEqual(others, []);
  assert.doesNotMatch(Buffer.from(part.thoughtSignature, 'base64').toString('latin1'), /secret/);
});

test('a conversation with results goes through the official client, turn by turn', async (context) => {
  const server = await serve(context, {
    turns: [
      { thinking: 'a', calls: [{ name: 'read', arguments: { path: 'a' } }, { name: 'list' }, { name: 'read' }] },
      {
        text: 'done',
        expect: {
          results: [
            { name: 'read', contains: 'A', error: false },
            { name: 'list', contains: '{"files":["x"]}' },
            { name: 'read', error: true, contains: 'no such file' },
          ],
        },
      },
      { text: 'bye', expect: { contains: 'thanks', anywhere: 'done' } },
    ],
  });
  const client = googleClient(server);
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'hello' }] }];
  const next = async () => {
    const reply = await client.models.generateContent({ ...asking, contents });
    contents.push(reply.candidates![0]!.content!);
    return reply;
  };
  await next();
  const respond = (name: string, response: { [key: string]: unknown }) => ({ functionResponse: { name, response } });
  contents.push({
    role: 'user',
    parts: [
      respond('read', { output: 'A' }),
      respond('list', { files: ['x'] }),
      respond('read', { error: 'no such file' }),
    ],
  });
  assert.equal((await next()).text, 'done');
  contents.push({ role: 'user', parts: [{ text: 'thanks' }] });
  assert.equal((await next()).text, 'bye');
  assert.deepEqual(
    server.requests.map((request) => request.place),
    ['turn 1', 'turn 2', 'turn 3'],
  );
  assert.deepEqual(server.refusals, []);
  assert.deepEqual(server.prefixBreaks, []);
});

test('a streamed reply goes back part by part and its signatures pass', async (context) => {
  const server = await serve(context, {
    turns: [
      { thinking: 'a', text: 'I read it.', calls: [{ name: 'read' }, { name: 'read' }] },
      { thinking: 'b', text: 'done' },
      { text: 'bye' },
    ],
  });
  const client = googleClient(server);
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'hello' }] }];
  const next = async () => {
    const parts = partsOf(await streamed(client.models.generateContentStream({ ...asking, contents })));
    // Empty text is nothing to send back, unless a signature is on it.
    const kept = parts.filter((part) => part.text !== '' || part.thoughtSignature);
    contents.push({ role: 'model', parts: kept });
    return parts;
  };
  await next();
  const responses = [1, 2].map(() => ({ functionResponse: { name: 'read', response: { output: 'A' } } }));
  contents.push({ role: 'user', parts: responses });
  await next();
  contents.push({ role: 'user', parts: [{ text: 'thanks' }] });
  assert.equal(saidIn(await next()), 'bye');
  assert.deepEqual(server.refusals, []);
});

for (const [stop, word] of Object.entries({
  end: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  pause: 'STOP',
  refusal: 'SAFETY',
  overflow: 'MAX_TOKENS',
  RECITATION: 'RECITATION',
})) {
  test(`the stop ${stop} is ${word} on the wire`, async (context) => {
    const server = await serve(context, { turns: [{ text: 'x', stop, stopDetail: 'because' }] });
    const chunks = await streamed(googleClient(server).models.generateContentStream(asking));
    assert.deepEqual(reasonsOf(chunks), [word]);
    const whole = await googleClient(server).models.generateContent(asking);
    assert.deepEqual(reasonsOf([whole]), [word]);
    assert.equal(whole.promptFeedback, undefined);
    // The official client leaves the explanation out.
    const [raw] = chunksIn(`${(await ask(server.url, hello, { method: 'generateContent' })).text}\n\n`);
    assert.equal(raw?.candidates?.[0]?.finishMessage, 'because');
  });
}

test('a malformed call is an end without a call', async (context) => {
  const malformed = { name: 'read', malformed: '{"path": "a' };
  const server = await serve(context, {
    turns: [{ text: 'I read.', calls: [malformed] }],
    anyTurn: [{ when: { contains: 'cut' }, calls: [malformed], stop: 'length' }],
  });
  const whole = await googleClient(server).models.generateContent(asking);
  assert.deepEqual(partsOf([whole]), [{ text: 'I read.' }]);
  assert.equal(whole.candidates?.[0]?.finishReason, FinishReason.MALFORMED_FUNCTION_CALL);
  const [raw] = chunksIn(`${(await ask(server.url, hello, { method: 'generateContent' })).text}\n\n`);
  assert.equal(raw?.candidates?.[0]?.finishMessage, 'Malformed function call: read({"path": "a)');
  const chunks = await streamed(googleClient(server).models.generateContentStream(asking));
  assert.deepEqual(reasonsOf(chunks), ['MALFORMED_FUNCTION_CALL']);
  const cut = await googleClient(server).models.generateContent({ ...asking, contents: 'cut' });
  assert.deepEqual([reasonsOf([cut]), cut.candidates?.[0]?.content], [['MAX_TOKENS'], undefined]);
});

test('usage is what the turn says, and none is none', async (context) => {
  const server = await serve(context, {
    turns: [{ text: 'x', usage: { output: 3 } }],
    anyTurn: [{ when: { contains: 'none' }, text: 'x', usage: 'none' }],
  });
  const whole = await googleClient(server).models.generateContent(asking);
  assert.deepEqual(whole.usageMetadata, { candidatesTokenCount: 3, totalTokenCount: 3 });
  const silent = await ask(server.url, talk(user('none')));
  assert.doesNotMatch(silent.text, /usage/);
});

test('tokens are counted, alone and with everything around, and counting is no turn', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }] });
  const client = googleClient(server);
  const short = await client.models.countTokens({ model: 'model-a', contents: 'hello' });
  const long = await client.models.countTokens({ model: 'model-a', contents: 'x'.repeat(4000) });
  assert.ok(long.totalTokens! - short.totalTokens! > 990);
  const generateContentRequest = {
    model: 'models/model-a',
    ...hello,
    systemInstruction: { parts: [{ text: 'x'.repeat(4000) }] },
  };
  const around = await ask(server.url, { generateContentRequest }, { method: 'countTokens' });
  assert.ok((JSON.parse(around.text) as { totalTokens: number }).totalTokens - short.totalTokens! > 990);
  assert.equal(server.requests.length, 0);
});

test('the model is in the path, whatever version and prefix come before it', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x', repeat: 'forever' }] });
  const status = async (path: string) => (await post(server.url, hello, { path })).status;
  const paths = [
    '/v1beta/models/gemini-x:generateContent',
    '/v1/models/gemini-x:generateContent',
    '/proxy/v1beta/models/gemini-x:generateContent',
    '/a/b/v1alpha/publishers/google/models/gemini-x:generateContent?key=1',
    '/v1beta/models/gemini%2Dx:generateContent',
  ];
  for (const path of paths) assert.equal(await status(path), 200, path);
  assert.deepEqual(new Set(server.requests.map((request) => request.question.model)), new Set(['gemini-x']));
  assert.ok(server.requests.every((request) => !request.question.stream));
  for (const path of [
    '/v1beta/models',
    '/v1beta/models/a:embed',
    '/v1beta/models/a:b:generateContent',
    '/v1beta/models/:generateContent',
  ]) {
    assert.equal(await status(path), 404, path);
  }
});

test('a request in neutral words: system, tools, messages, images, limits', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x', repeat: 'forever' }] }, { strict: false });
  const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
  const sound = { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } };
  await ask(server.url, {
    systemInstruction: { parts: [{ text: 'a' }, { text: 'b' }] },
    tools: [{ functionDeclarations: [{ name: 'read' }, { name: 'list' }] }, { googleSearch: {} }],
    generationConfig: { maxOutputTokens: 77 },
    contents: [
      user([{ text: 'one' }, image]),
      user([{ text: 'two' }, sound]),
      model([{ text: 'no', thought: true }, { text: 'he' }, { text: 'llo' }]),
      model([{ functionCall: { name: 'read' } }, { functionCall: { name: 'read', id: 'own' } }]),
      user([
        { functionResponse: { id: 'own', name: 'read', response: { output: 'B' }, parts: [image] } },
        { functionResponse: { name: 'read', response: { error: 'A' } } },
        { text: 'go on' },
      ]),
    ],
  });
  const { model: name, stream, maxOutput, system, tools, messages } = server.requests[0]!.question;
  assert.deepEqual(
    { name, stream, maxOutput, system, tools },
    { name: 'model-a', stream: true, maxOutput: 77, system: 'a\nb', tools: ['read', 'list'] },
  );
  assert.deepEqual(messages, [
    { role: 'user', text: 'one\ntwo', results: [], calls: [], images: 1, blocks: 4 },
    {
      role: 'assistant',
      text: 'hello',
      results: [],
      calls: [
        { id: 'content 3 call 0', name: 'read' },
        { id: 'own', name: 'read' },
      ],
      images: 0,
      blocks: 5,
    },
    {
      role: 'user',
      text: 'go on',
      results: [
        { id: 'own', name: 'read', text: 'B', error: false },
        { id: 'content 3 call 0', name: 'read', text: 'A', error: true },
      ],
      calls: [],
      images: 1,
      blocks: 3,
    },
  ]);
});

test('requests of any shape are read, and answered where nothing is strict', async (context) => {
  const server = await serve(
    context,
    { position: 'count', turns: [{ text: 'x', repeat: 'forever' }] },
    { strict: false },
  );
  const odd = [
    null,
    5,
    'x',
    [],
    {},
    { parts: 7 },
    { role: 'user', parts: [null, 4, { text: 5 }, { functionCall: 3 }] },
  ];
  for (const contents of [...odd, odd]) {
    const body = { contents, tools: contents, systemInstruction: contents, generationConfig: contents };
    assert.equal((await ask(server.url, body)).status, 200);
  }
  const deep = `{"a":`.repeat(20_000) + '1' + '}'.repeat(20_000);
  const response = `{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"a","response":${deep}}}]}]}`;
  assert.notEqual((await ask(server.url, response)).status, undefined, 'there is an answer');
});

test('changes of the prefix are seen part by part', async (context) => {
  const server = await serve(context, { position: 'count', turns: [{ text: 'x', repeat: 'forever' }] });
  const tools = [{ functionDeclarations: [{ name: 'read' }, { name: 'list' }] }];
  await ask(server.url, { tools, ...hello });
  await ask(server.url, { tools, ...talk(user('hello'), model('x'), user('go')) });
  assert.deepEqual(server.prefixBreaks, []);
  const changed = [{ functionDeclarations: [{ name: 'read' }, { name: 'find' }] }];
  await ask(server.url, { tools: changed, ...hello });
  assert.partialDeepStrictEqual(server.prefixBreaks, [{ request: 3, against: 2, of: 'tools', index: 1 }]);
});

test('only the right key is let in', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }] }, { key: 'right' });
  assert.equal((await googleClient(server, 'right').models.generateContent(asking)).text, 'x');
  const refused = await googleClient(server, 'wrong')
    .models.generateContent(asking)
    .catch((error: unknown) => error);
  assert.ok(refused instanceof ApiError && refused.status === 401);
  assert.match(refused.message, /UNAUTHENTICATED/);
  assert.equal(server.requests[0]?.headers['x-goog-api-key'], 'withheld');
});

test('raw chunks are sent as they are', async (context) => {
  const odd = [': comment\n\n', { later: { b: 1, a: 2 } }, 'data: {broken\n\n'];
  const server = await serve(context, { turns: [{ raw: odd }] });
  const answer = await ask(server.url, hello);
  assert.equal(answer.text, ': comment\n\ndata: {"later":{"b":1,"a":2}}\n\ndata: {broken\n\n');
});

test('parts of any kind come in their own order, and deltas have the size that is asked for', async (context) => {
  const opaque = { executableCode: { language: 'PYTHON', code: 'print(1)' } };
  const server = await serve(context, {
    turns: [{ blocks: [{ text: 'abcdefghijk' }, { opaque }, { text: 'l' }, { call: { name: 'read' } }], chunk: 4 }],
  });
  const answer = await ask(server.url, hello);
  assert.ok(answer.headers['content-type']?.startsWith('text/event-stream'));
  assert.deepEqual(partsOf(chunksIn(answer.text)), [
    { text: 'abcd' },
    { text: 'efgh' },
    { text: 'ijk' },
    opaque,
    { text: 'l' },
    { functionCall: { name: 'read', args: {} } },
    { text: '' },
  ]);
});
