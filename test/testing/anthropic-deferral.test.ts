/** Deferred tools of the Messages API: what a provider refuses, and what its cache makes of them. */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type Anthropic from '@anthropic-ai/sdk';
import { post } from './support/raw-client.ts';
import { assistant, call, mark, result, talk, tool, user, type Json } from './support/request-parts.ts';
import { officialClient, serve } from './support/running.ts';

const later = (name: string, more: Json = {}): Json => tool(name, { type: 'object' }, { defer_loading: true, ...more });
const reference = (name: string): Json => ({ type: 'tool_reference', tool_name: name });
const found = (content: Json[], more: Json = {}): Json =>
  talk(user('find'), assistant([call('t1')]), user([result('t1', { content, ...more })]));
const tools = [tool('read'), later('issue'), later('deploy')];

async function ask(context: TestContext, ...bodies: Json[]) {
  const server = await serve(context, { turns: [{ text: 'fine', repeat: 'forever' }], position: 'count' });
  const answers: string[] = [];
  for (const body of bodies) answers.push((await post(server.url, { model: 'm', max_tokens: 9, tools, ...body })).text);
  return { server, answers };
}

describe('the strict mode of the Messages API knows deferred tools', () => {
  const accepted: [string, Json][] = [
    ['beside others', talk(user('hello'))],
    [
      'said not to be deferred',
      { tools: [tool('read', {}, { input_schema: { type: 'object' }, defer_loading: false })], ...talk(user('a')) },
    ],
    ['referred to', found([reference('issue'), reference('deploy')])],
    ['a reference to one that isn’t deferred', found([reference('read')])],
    ['a reference with a mark', found([{ ...reference('issue'), ...mark() }])],
    [
      'a mark on a tool beside them',
      { tools: [tool('read', { type: 'object' }, mark()), later('issue')], ...talk(user('a')) },
    ],
  ];
  for (const [name, body] of accepted) {
    test(`${name}: accepted`, async (context) => {
      const { server } = await ask(context, body);
      assert.deepEqual(server.refusals, []);
    });
  }

  const refused: [string, Json, string, RegExp][] = [
    [
      'all of them',
      { tools: [later('issue')], ...talk(user('a')) },
      'tools',
      /At least one tool must have defer_loading=false/,
    ],
    [
      'with a mark',
      { tools: [tool('read'), later('issue', mark())], ...talk(user('a')) },
      'marks',
      /'issue' cannot have both defer_loading=true and cache_control/,
    ],
    [
      'by a word',
      { tools: [tool('read'), tool('issue', { type: 'object' }, { defer_loading: 'yes' })], ...talk(user('a')) },
      'tools',
      /valid boolean/,
    ],
    [
      'a reference to nothing',
      found([reference('isue')]),
      'tools',
      /Tool reference 'isue' not found in available tools/,
    ],
    [
      'a reference beside text',
      found([{ type: 'text', text: 'here' }, reference('issue')]),
      'input',
      /cannot be mixed/,
    ],
    [
      'a reference in an error',
      found([reference('issue')], { is_error: true }),
      'input',
      /must be type "text" if "is_error" is true/,
    ],
    [
      'a reference with more in it',
      found([{ ...reference('issue'), input_schema: {} }]),
      'keys',
      /input_schema: Extra inputs/,
    ],
  ];
  for (const [name, body, rule, message] of refused) {
    test(`${name}: refused`, async (context) => {
      const { server, answers } = await ask(context, body);
      assert.deepEqual(
        server.refusals.map((refusal) => refusal.rule),
        [rule],
      );
      assert.match((JSON.parse(answers[0] ?? '') as { error: { message: string } }).error.message, message);
    });
  }

  test('they are no part of the prefix: another one breaks nothing', async (context) => {
    const more = {
      tools: [...tools, later('extra')],
      ...talk(user('find'), assistant([call('t1')]), user([result('t1')])),
    };
    const { server } = await ask(context, talk(user('find')), more);
    assert.deepEqual(server.prefixBreaks, []);
    const other = await ask(context, talk(user('find')), { ...more, tools: [...tools, tool('extra')] });
    assert.equal(other.server.prefixBreaks.length, 1, 'one that is told at once breaks all that comes after it');
  });

  test('they cost where a reference to them stands, and not before', async (context) => {
    const server = await serve(context, { turns: [] });
    const client = officialClient(server);
    const large = later('large', { description: 'x'.repeat(4_000) });
    const count = async (list: Json[], body: Json): Promise<number> => {
      const params = { model: 'm', tools: list, ...body } as unknown as Anthropic.MessageCountTokensParams;
      return (await client.messages.countTokens(params)).input_tokens;
    };
    const plain = await count([tool('read')], found([{ type: 'text', text: 'x' }]));
    const unseen = await count([tool('read'), large], found([{ type: 'text', text: 'x' }]));
    const seen = await count([tool('read'), large], found([reference('large')]));
    assert.equal(unseen, plain);
    assert.ok(seen > plain + 900, `${seen} and ${plain}`);
  });
});
