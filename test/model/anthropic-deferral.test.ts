/** Deferred tools on the wire of Anthropic: kept out of sight by the provider itself, found by references. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Anthropic from '@anthropic-ai/sdk';
import type { Abilities, JsonObject, Message, ResultPart, ToolSpec } from '../../src/core/index.ts';
import { loadWire } from '../../src/model/index.ts';
import { startModelServer } from '../../src/testing/index.ts';
import { bodyText, orderFor, type Changes } from './orders.ts';

const wire = await loadWire('anthropic');
const source = { provider: 'anthropic', wire: 'anthropic', model: 'claude-test-1' };
const spec = (name: string, deferred?: true): ToolSpec => ({
  name,
  description: `Does ${name}.`,
  input: { type: 'object', properties: {} },
  ...(deferred !== undefined && { deferred }),
});
const tools = [spec('find_tools'), spec('use_tool'), spec('deploy', true), spec('issue', true)];
const searching = { toolSearch: true } as Partial<Abilities>;

type Body = Pick<Anthropic.MessageCreateParams, 'messages'> & { tools: Anthropic.Tool[] };

const orderOf = (messages: Message[], changes: Changes = {}) => orderFor(wire, messages, { source, tools, ...changes });
const encode = (messages: Message[], changes: Changes = {}): Body =>
  JSON.parse(bodyText(wire, orderOf(messages, { abilities: searching, ...changes }))) as Body;

const textOnly = 'issue: ...';
const hello: Message = { role: 'user', parts: [{ type: 'text', text: 'hello' }] };

/** A search and its result, by which these tools were found. */
function search(found: string[] | undefined, more: Partial<ResultPart> = {}): Message[] {
  const call = { type: 'call' as const, id: 'c1', name: 'find_tools', arguments: { query: 'x' } };
  const plain = { type: 'result' as const, id: 'c1', name: 'find_tools', text: textOnly, error: false, ...more };
  const result = { ...plain, ...(found !== undefined && { found }) };
  return [hello, { role: 'assistant', parts: [call], source }, { role: 'user', parts: [result] }];
}

/** The content of the result of the search. */
function resultIn({ messages }: Body): unknown {
  const [block] = messages.at(-1)!.content as Anthropic.ToolResultBlockParam[];
  return block?.content;
}

const references = [{ type: 'tool_reference', tool_name: 'issue' }];

describe('a model that finds deferred tools by the wire’s own means', () => {
  test('is given them all, the deferred ones marked and behind the cache mark', () => {
    const { tools: sent } = encode([hello]);
    assert.deepEqual(
      sent.map(({ name, defer_loading: deferred, cache_control: mark }) => [name, deferred, mark !== undefined]),
      [
        ['find_tools', undefined, false],
        ['use_tool', undefined, true],
        ['deploy', true, false],
        ['issue', true, false],
      ],
    );
    assert.deepEqual(sent[3]?.input_schema, { type: 'object', properties: {} });
  });

  test('wherever they stand in the list, they come last', () => {
    const { tools: sent } = encode([hello], { tools: [spec('deploy', true), spec('use_tool')] });
    assert.deepEqual(
      sent.map(({ name }) => name),
      ['use_tool', 'deploy'],
    );
  });

  test('sees what was found by references, and nothing beside them', () => {
    assert.deepEqual(resultIn(encode(search(['issue']))), references);
    assert.deepEqual(resultIn(encode(search(['issue', 'deploy']))), [
      ...references,
      { type: 'tool_reference', tool_name: 'deploy' },
    ]);
  });

  test('sees the text where nothing was found, where it failed, and where the provider lacks one of them', () => {
    assert.equal(resultIn(encode(search(undefined))), textOnly);
    assert.equal(resultIn(encode(search([]))), textOnly);
    assert.equal(resultIn(encode(search(['issue'], { error: true }))), textOnly);
    assert.equal(resultIn(encode(search(['issue', 'gone']))), textOnly);
    const illegal = { ...spec('issue', true), input: { type: 'object', properties: { 'a b': {} } } as JsonObject };
    const changes = { tools: [spec('find_tools'), illegal] };
    assert.equal(resultIn(encode(search(['issue']), changes)), textOnly);
    const { leftOut } = wire.encode(orderOf([hello], { ...changes, abilities: searching }));
    assert.deepEqual(
      leftOut.map(({ tool }) => tool),
      ['issue'],
    );
  });

  test('is referred to a tool by the name under which it is sent', () => {
    const odd = { ...spec('issue', true), name: 'is.sue' };
    assert.deepEqual(resultIn(encode(search(['is.sue']), { tools: [spec('find_tools'), odd] })), [
      { type: 'tool_reference', tool_name: 'is_sue' },
    ]);
  });

  test('deferred tools are no part of the canonical sequence, as they are none of what a cache is keyed by', () => {
    const sequence = (list: ToolSpec[]): string => {
      const encoded = wire.encode(orderOf([hello], { tools: list, abilities: searching }));
      assert.deepEqual(wire.canonical(encoded.body)?.tools, encoded.canonical.tools);
      return encoded.canonical.tools.toString();
    };
    assert.equal(sequence(tools), sequence(tools.slice(0, 2)));
    assert.notEqual(sequence(tools), sequence(tools.slice(1)));
  });

  test('the model server takes it all, and finds no break when a tool is found', async (t) => {
    const server = await startModelServer({ turns: [{ text: 'fine', repeat: 'forever' }], position: 'count' });
    t.after(() => server.close());
    const send = async (messages: Message[]): Promise<void> => {
      const { body } = wire.encode(orderOf(messages, { abilities: searching }));
      const headers = { ...wire.headers(), 'content-type': 'application/json' };
      const response = await fetch(`${server.url}/v1/messages`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      assert.equal(response.status, 200, await response.text());
    };
    const found = search(['issue']);
    const call = { type: 'call' as const, id: 'c2', name: 'issue', arguments: {} };
    const result = { type: 'result' as const, id: 'c2', name: 'issue', text: 'done', error: false };
    await send([hello]);
    await send(found);
    await send([...found, { role: 'assistant', parts: [call], source }, { role: 'user', parts: [result] }]);
    assert.deepEqual([server.refusals, server.prefixBreaks], [[], []]);
  });
});

describe('any other model', () => {
  for (const name of ['anthropic', 'openai-chat', 'openai-responses', 'gemini']) {
    test(`isn’t told of deferred tools over ${name}, and sees results as they are`, async () => {
      const other = await loadWire(name);
      const order = orderFor(other, search(['issue']), { source: { ...source, wire: name }, tools });
      const body = bodyText(other, order);
      const [sent, later] = [body.includes('Does find_tools.'), body.includes('Does issue.')];
      assert.deepEqual([sent, later], [true, false]);
      assert.ok(!body.includes('tool_reference') && !body.includes('defer_loading'));
      assert.ok(body.includes(textOnly));
      assert.deepEqual(other.encode(order).leftOut, [], 'that is nothing to be told');
    });
  }

  test('a call of a deferred tool goes back to it under the same name', async () => {
    const odd = { ...spec('is.sue', true) };
    const call = { type: 'call' as const, id: 'c1', name: 'is.sue', arguments: {} };
    const result = { type: 'result' as const, id: 'c1', name: 'is.sue', text: 'done', error: false };
    const talk: Message[] = [hello, { role: 'assistant', parts: [call], source }, { role: 'user', parts: [result] }];
    for (const abilities of [searching, {}]) {
      const body = bodyText(wire, orderOf(talk, { tools: [spec('find_tools'), odd], abilities }));
      assert.ok(body.includes('"name":"is_sue","input":{}'));
    }
  });

  test('the same tools and messages are encoded anew for a model that can do more', () => {
    const messages = search(['issue']);
    const plain = (): unknown => resultIn(encode(messages, { abilities: {} }));
    assert.equal(plain(), textOnly);
    assert.deepEqual(resultIn(encode(messages)), references);
    assert.equal(plain(), textOnly);
  });
});
