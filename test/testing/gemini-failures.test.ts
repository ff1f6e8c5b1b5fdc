import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@google/genai';
import type { ScriptedFailure, Stage, Turn } from '../../src/testing/index.ts';
import { ask, chunksIn, googleClient, partsOf, reasonsOf, saidIn, streamed } from './support/gemini-client.ts';
import { hello } from './support/gemini-parts.ts';
import type { RawAnswer } from './support/raw-client.ts';
import { serve } from './support/running.ts';

const full: Turn = {
  thinking: 'thinking',
  text: 'abcdefgh',
  calls: [{ name: 'read', arguments: { path: 'a' } }, { name: 'list' }],
};
const asking = { model: 'model-a', contents: 'hello' };

/** How much of the full reply came. */
function came(answer: RawAnswer) {
  const chunks = chunksIn(answer.text).filter((chunk) => chunk.error === undefined);
  const parts = partsOf(chunks);
  return {
    thinking: saidIn(parts, true),
    text: saidIn(parts),
    calls: parts.flatMap((part) => part.functionCall?.name ?? []),
    ended: reasonsOf(chunks).length > 0,
  };
}

/** What has come when a reply ends at a stage; calls come whole. */
const until: { [S in Stage]?: ReturnType<typeof came> } = {
  'after-headers': { thinking: '', text: '', calls: [], ended: false },
  'in-thinking': { thinking: 'thin', text: '', calls: [], ended: false },
  'in-text': { thinking: 'thinking', text: 'abcd', calls: [], ended: false },
  'in-call': { thinking: 'thinking', text: 'abcdefgh', calls: ['read'], ended: false },
  'before-end': { thinking: 'thinking', text: 'abcdefgh', calls: ['read', 'list'], ended: false },
};

for (const stage of Object.keys(until) as Stage[]) {
  for (const how of ['close', 'reset', 'end'] as const) {
    test(`gemini: cut ${stage}, ${how}: what came before it has come, nothing after it`, async (context) => {
      const server = await serve(context, { turns: [{ ...full, failures: [{ cut: stage, how }] }] });
      const cut = await ask(server.url, hello);
      assert.deepEqual(came(cut), until[stage]);
      assert.equal(cut.complete, how === 'end');
      const next = await ask(server.url, hello);
      assert.ok(next.complete && came(next).ended, 'the next attempt gets the reply');
    });
  }

  test(`gemini: an error in the stream ${stage} is an event, and ends it`, async (context) => {
    const failures: ScriptedFailure[] = [{ streamError: stage, error: 'INTERNAL', message: 'oops', times: 2 }];
    const server = await serve(context, { turns: [{ ...full, failures }] });
    const answer = await ask(server.url, hello);
    assert.ok(answer.complete);
    assert.deepEqual(chunksIn(answer.text).at(-1), {
      error: { code: 500, message: 'oops', status: 'INTERNAL', details: [] },
    });
    assert.deepEqual(came(answer), until[stage]);
    const error = await streamed(googleClient(server).models.generateContentStream(asking)).catch(
      (failure: unknown) => failure,
    );
    assert.ok(error instanceof ApiError && error.status === 500, String(error));
    assert.match(error.message, /oops/);
  });
}

test('gemini: silence leaves the connection open', async (context) => {
  const server = await serve(context, { turns: [{ ...full, failures: [{ silence: 'in-text' }] }] });
  const answer = await ask(server.url, hello, {
    onText: (text, abort) => {
      if (text.includes('abcd')) abort();
    },
  });
  assert.ok(!answer.complete);
  assert.equal(came(answer).text, 'abcd');
});

test('gemini: a malformed call has its stage where its end comes', async (context) => {
  const turn: Turn = { text: 'ab', calls: [{ name: 'read', malformed: '{' }], failures: [{ cut: 'in-call' }] };
  const server = await serve(context, { turns: [turn] });
  assert.deepEqual(came(await ask(server.url, hello)), { thinking: '', text: 'ab', calls: [], ended: false });
});

for (const [status, word] of Object.entries({
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  418: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  502: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
})) {
  test(`gemini: the status ${status} is ${word} in the body`, async (context) => {
    const failures: ScriptedFailure[] = [{ status: Number(status), message: 'because', retryAfter: 21, times: 2 }];
    const server = await serve(context, { turns: [{ text: 'x', failures }] });
    for (const method of ['generateContent', 'generateContentStream'] as const) {
      const error = await googleClient(server)
        .models[method](asking)
        .catch((failure: unknown) => failure);
      assert.ok(error instanceof ApiError);
      assert.equal(error.status, Number(status));
      assert.deepEqual(JSON.parse(error.message), {
        error: { code: Number(status), message: 'because', status: word, details: [] },
      });
    }
    assert.equal((await googleClient(server).models.generateContent(asking)).text, 'x');
  });
}

test('gemini: a failure says what its body says, and when to try again', async (context) => {
  const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '21s' };
  const body = { error: { code: 429, message: 'slow', status: 'RESOURCE_EXHAUSTED', details: [info] } };
  const failures: ScriptedFailure[] = [
    { status: 429, body, retryAfter: 21 },
    { status: 429, error: 'QUOTA' },
  ];
  const server = await serve(context, { turns: [{ text: 'x', failures }] });
  const first = await ask(server.url, hello);
  assert.deepEqual(JSON.parse(first.text), body);
  assert.equal(first.headers['retry-after'], '21');
  assert.match((await ask(server.url, hello)).text, /"status":"QUOTA"/);
});

test('gemini: an error in a reply that isn’t streamed is a status', async (context) => {
  const server = await serve(context, { turns: [{ ...full, failures: [{ streamError: 'in-text' }] }] });
  const answer = await ask(server.url, hello, { method: 'generateContent' });
  assert.equal(answer.status, 529);
  assert.match(answer.text, /"status":"UNAVAILABLE"/);
});

test('gemini: an error in the stream without a word is that the server is overloaded', async (context) => {
  const failures: ScriptedFailure[] = [{ streamError: 'in-text' }, { streamError: 'in-text', error: 'odd' }];
  const server = await serve(context, { turns: [{ ...full, failures }] });
  const last = async () => chunksIn((await ask(server.url, hello)).text).at(-1)?.error;
  assert.deepEqual(await last(), { code: 503, message: 'Overloaded', status: 'UNAVAILABLE', details: [] });
  assert.deepEqual(await last(), { code: 500, message: 'Overloaded', status: 'odd', details: [] });
});
