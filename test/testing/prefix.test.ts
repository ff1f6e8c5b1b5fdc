import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { post } from './support/raw-client.ts';
import { assistant, mark, talk, text, tool, user, type Json } from './support/request-parts.ts';
import { serve } from './support/running.ts';

async function breaksAfter(context: TestContext, ...bodies: Json[]) {
  const server = await serve(context, { turns: [{ text: 'x', repeat: 'forever' }] });
  for (const body of bodies) {
    const answer = await post(server.url, {
      model: 'm',
      max_tokens: 9,
      tools: [tool('a'), tool('b')],
      system: [text('s1'), text('s2')],
      ...body,
    });
    assert.equal(answer.status, 200, answer.text);
  }
  return server.prefixBreaks;
}

const first = talk(user('a'));
const second = talk(user('a'), assistant('b'), user('c'));

test('a request that extends the one before breaks nothing', async (context) => {
  const third = talk(user('a'), assistant('b'), user('c'), assistant([text('d')]), user('e'));
  assert.deepEqual(await breaksAfter(context, first, second, third), []);
});

test('cache marks, limits and the shape of content break nothing', async (context) => {
  const system = [text('s1'), text('s2', mark())];
  const marked = { system, ...talk(user([text('a', mark())]), assistant('b'), user([text('c')])), max_tokens: 5 };
  const moved = talk(user('a'), assistant('b'), user([text('c', mark())]));
  assert.deepEqual(await breaksAfter(context, first, second, marked, moved, second), []);
});

test('the same request again breaks nothing', async (context) => {
  assert.deepEqual(await breaksAfter(context, second, second), []);
});

test('another conversation breaks nothing, and each is compared with its own', async (context) => {
  const other = talk(user('z'), assistant('y'), user('x'));
  assert.deepEqual(await breaksAfter(context, first, talk(user('z')), second, other), []);
});

test('a break says where it is, what was there and what is', async (context) => {
  const [tools] = await breaksAfter(context, first, { ...second, tools: [tool('a'), tool('c')] });
  assert.partialDeepStrictEqual(tools, { request: 2, against: 1, of: 'tools', index: 1 });
  assert.match(tools?.was ?? '', /"name":"b"/);
  assert.match(tools?.is ?? '', /"name":"c"/);
  const [system] = await breaksAfter(context, first, { ...second, system: [text('s1'), text('now 12:01')] });
  assert.partialDeepStrictEqual(system, { of: 'system', index: 1 });
  const [messages] = await breaksAfter(context, second, talk(user('a'), assistant('B'), user('c')));
  assert.partialDeepStrictEqual(messages, { of: 'messages', index: 1 });
});

test('a changed beginning of a conversation that goes on is a break', async (context) => {
  const [found] = await breaksAfter(context, first, talk(user('A'), assistant('b'), user('c')));
  assert.partialDeepStrictEqual(found, { request: 2, against: 1, of: 'messages', index: 0, lost: 8 });
  assert.ok((found?.kept ?? 0) > 10);
});

test('a conversation that lost its end is a break', async (context) => {
  const [found] = await breaksAfter(context, second, first);
  assert.partialDeepStrictEqual(found, { of: 'messages', index: 1 });
  assert.equal(found?.is, undefined);
});
