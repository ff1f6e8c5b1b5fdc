import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Scenario } from '../../src/testing/index.ts';
import { ask, chunksIn, partsOf } from './support/gemini-client.ts';
import { call, model, response, talk, text, user } from './support/gemini-parts.ts';
import type { Json } from './support/request-parts.ts';
import { serve } from './support/running.ts';

const scenario: Scenario = {
  turns: [
    { thinking: 'first', text: 'I read.', calls: [{ name: 'read', arguments: { b: 1, a: 2 } }, { name: 'read' }] },
    { blocks: [{ redacted: 'second' }, { call: { name: 'list', id: 'own' } }] },
    { thinking: 'third', text: 'done' },
    { text: 'bye' },
  ],
};
const unchecked = { thoughtSignature: 'skip_thought_signature_validator' };

interface Replies {
  first: Json[];
  second: Json[];
}

/** What the model said in two steps, as parts to send back, and a way to send it, to the same or another server. */
async function twoSteps(context: TestContext, name = 'model-a') {
  const server = await serve(context, scenario);
  const send = async (contents: Json[], model = name, url = server.url) => {
    const answer = await ask(url, talk(...contents), { model });
    const parts = answer.status === 200 ? (partsOf(chunksIn(answer.text)) as Json[]) : [];
    const sent = parts.filter((part) => part['text'] !== '' || part['thoughtSignature'] !== undefined);
    return { status: answer.status, parts: sent, text: answer.text };
  };
  const history = ({ first, second }: Replies) => [
    user('go'),
    model(first),
    user([response('read'), response('read')]),
    model(second),
    user([response('list')]),
  ];
  const { parts: first } = await send([user('go')]);
  const { parts: second } = await send(history({ first, second: [] }).slice(0, 3));
  assert.equal(second.length, 1);
  return { send, history, replies: { first, second } };
}

test('signatures go back as they came, to the server that issued them and to one that started later', async (context) => {
  const { send, history, replies } = await twoSteps(context);
  const third = await send(history(replies));
  assert.equal(third.status, 200, third.text);
  const on = [...history(replies), model(third.parts), user('thanks')];
  assert.equal((await send(on)).status, 200);
  const later = await serve(context, scenario);
  assert.equal((await send(on, 'model-a', later.url)).status, 200);
});

const without = (part: Json): Json => {
  const { thoughtSignature: _, ...rest } = part;
  return rest;
};
const isSigned = (part: Json) => part['thoughtSignature'] !== undefined;
const signed = (parts: Json[]): Json => ({ thoughtSignature: parts.find(isSigned)!['thoughtSignature'] });
const isCall = (part: Json) => part['functionCall'] !== undefined;

const refused: { [name: string]: (replies: Replies) => Replies } = {
  'a changed signature': ({ first, second }) => ({
    first: first.map((part) => (isSigned(part) ? { ...part, thoughtSignature: 'c2lnbmVk' } : part)),
    second,
  }),
  'a signature that is no base64': ({ first, second }) => ({
    first: first.map((part) => (isSigned(part) ? { ...part, thoughtSignature: '#' } : part)),
    second,
  }),
  'a signature that is no text': ({ first, second }) => ({
    first: first.map((part) => (isSigned(part) ? { ...part, thoughtSignature: 5 } : part)),
    second,
  }),
  'the signature of another step': ({ first, second }) => ({
    first,
    second: [{ ...second[0], ...signed(first) }],
  }),
  'a signature on the call after its own': ({ first, second }) => ({
    first: [...first.filter((part) => !isCall(part)), without(first.find(isCall)!), { ...call(), ...signed(first) }],
    second,
  }),
  'a signature on the text before its call': ({ first, second }) => ({
    first: [text('I read.', signed(first)), ...first.filter(isCall).map(without)],
    second,
  }),
  'changed arguments under a signature': ({ first, second }) => ({
    first: first.map((part) => (isSigned(part) ? { ...part, functionCall: { name: 'read', args: {} } } : part)),
    second,
  }),
  'no signature in the latest step': ({ first, second }) => ({ first, second: second.map(without) }),
  'no signature in an earlier step of the turn': ({ first, second }) => ({ first: first.map(without), second }),
};
for (const [name, change] of Object.entries(refused)) {
  test(`gemini signatures: ${name} is refused`, async (context) => {
    const { send, history, replies } = await twoSteps(context);
    const answer = await send(history(change(replies)));
    assert.equal(answer.status, 400);
    assert.match(answer.text, /Thought signature is not valid|Base64 decoding failed|missing a thought_signature/);
  });
}

const accepted: { [name: string]: [(replies: Replies) => Replies, string?] } = {
  'thoughts left out': [({ first, second }) => ({ first: first.filter((part) => part['thought'] !== true), second })],
  'arguments in another order': [
    ({ first, second }) => ({
      first: first.map((part) =>
        isSigned(part) ? { ...part, functionCall: { args: { a: 2, b: 1 }, name: 'read' } } : part,
      ),
      second,
    }),
  ],
  'the word that stands for none': [
    ({ first, second }) => ({
      first: first.map((part) => (isSigned(part) ? { ...part, ...unchecked } : part)),
      second: second.map((part) => ({ ...part, ...unchecked })),
    }),
  ],
  'no signature of another model': [
    ({ first, second }) => ({ first: first.map(without), second: second.map(without) }),
    'model-b',
  ],
};
for (const [name, [change, model]] of Object.entries(accepted)) {
  test(`gemini signatures: ${name} is accepted`, async (context) => {
    const { send, history, replies } = await twoSteps(context);
    const answer = await send(history(change(replies)), model);
    assert.equal(answer.status, 200, answer.text);
  });
}

test('signatures of one model are refused for another', async (context) => {
  const { send, history, replies } = await twoSteps(context);
  assert.equal((await send(history(replies), 'model-b')).status, 400);
});

test('once the user has spoken again, steps before it need no signature', async (context) => {
  const { send, history, replies } = await twoSteps(context);
  const bare = { first: replies.first.map(without), second: replies.second.map(without) };
  assert.equal((await send([...history(bare), model('done'), user('thanks')])).status, 200);
  assert.equal((await send([...history(bare), user('and now?')])).status, 200);
});

test('a signature that came on an empty text stays on it', async (context) => {
  const { send, history, replies } = await twoSteps(context);
  const { parts } = await send(history(replies));
  assert.deepEqual(
    parts.filter(isSigned).map((part) => part['text']),
    [''],
  );
  const merged = [text('done', signed(parts))];
  assert.equal((await send([...history(replies), model(merged), user('thanks')])).status, 400);
  assert.equal(
    (await send([...history(replies), model([text('done')]), user('thanks')])).status,
    200,
    'or is left out',
  );
});

test('models of the third generation sign every call, and each step must have its signature', async (context) => {
  const name = 'gemini-3-pro';
  const turns = [{ calls: [{ name: 'read' }, { name: 'list' }] }, { text: 'done' }];
  const server = await serve(context, { turns });
  const answer = await ask(server.url, talk(user('go')), { model: name });
  const parts = (partsOf(chunksIn(answer.text)) as Json[]).filter(isCall);
  assert.deepEqual(parts.map(isSigned), [true, false]);
  const status = async (said: Json[], model_ = name) => {
    const contents = [user('go'), model(said), user([response('read'), response('list')])];
    return (await ask(server.url, talk(...contents), { model: model_ })).status;
  };
  assert.equal(await status(parts), 200);
  assert.equal(await status(parts.map(without)), 400);
  assert.equal(await status([{ ...call('read'), ...unchecked }, call('list')]), 200);
  assert.equal(await status([call('read'), { ...call('list'), ...unchecked }]), 400, 'the first call is to have it');
  assert.equal(await status(parts.map(without), 'gemini-2.5-pro'), 200);
});

test('a call that came again without thinking may go back without a signature', async (context) => {
  const calls = [{ name: 'read' }];
  const server = await serve(context, {
    turns: [{ calls, failures: [{ reply: { thinking: 'hm', calls } }] }, { text: 'done' }],
  });
  const status = async () => (await ask(server.url, talk(user('go'), model([call()]), user([response()])))).status;
  await ask(server.url, talk(user('go')));
  assert.equal(await status(), 400);
  await ask(server.url, talk(user('go')));
  assert.equal(await status(), 200);
});

test('signatures in raw chunks and verbatim parts count as issued, where they were', async (context) => {
  const recorded = { functionCall: { name: 'read', args: {} }, thoughtSignature: 'cmVjb3JkZWQ=' };
  const chunk = { candidates: [{ content: { parts: [recorded], role: 'model' }, finishReason: 'STOP' }] };
  for (const turn of [
    { raw: [chunk] },
    { raw: [`data: ${JSON.stringify(chunk)}\n\n`, 'data: {broken\n\n'] },
    { blocks: [{ opaque: recorded }] },
  ]) {
    const server = await serve(context, { turns: [turn, { text: 'done' }] });
    await ask(server.url, talk(user('go')));
    const status = async (part: Json, model_ = 'model-a') =>
      (await ask(server.url, talk(user('go'), model([part]), user([response()])), { model: model_ })).status;
    assert.equal(await status(recorded), 200);
    assert.equal(await status(recorded, 'model-b'), 400);
    assert.equal(await status(without(recorded)), 400);
    assert.equal(await status({ ...call('read', {}, { args: { a: 1 } }), ...signed([recorded]) }), 400);
  }
});
