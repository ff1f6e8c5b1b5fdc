import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { layersOf, PieceReader, shareOut, weightOf, type SentPart } from '../../src/observe/index.ts';
import { holds } from '../support/property.ts';

const block = (role: string, value: unknown): SentPart => ({ of: 'messages', role, text: JSON.stringify(value) });

/** Kind, name and count of the pieces of blocks that come one after the other. */
function read(...parts: SentPart[]): string[] {
  const reader = new PieceReader();
  return parts.flatMap((part) => {
    const pieces = reader.read(part);
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
    assert.equal(bytes, Buffer.byteLength(part.text), 'the pieces of a part are the part');
    return pieces.map(({ kind, name, count }) => `${count} ${kind}: ${name}`);
  });
}

const png = 'iVBORw0KGgo='.repeat(100);

describe('the blocks of each wire are told by what they are', () => {
  test('Messages', () => {
    const pieces = read(
      block('user', { type: 'text', text: 'fix  the\nbug' }),
      block('user', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }),
      block('assistant', { type: 'thinking', thinking: 'hm', signature: 'x' }),
      block('assistant', { type: 'text', text: 'I look.' }),
      block('assistant', { type: 'tool_use', id: 't1', name: 'read', input: { path: 'src/a.ts', limit: 3 } }),
      block('user', { type: 'tool_result', tool_use_id: 't1', content: 'long' }),
      block('system', { type: 'text', text: 'mode plan' }),
    );
    assert.deepEqual(pieces, [
      '1 user: fix the bug',
      '1 images: image/png',
      '0 images: image',
      '1 thinking: hm',
      '1 assistant: I look.',
      '1 calls: read src/a.ts',
      '1 results: read src/a.ts',
      '1 system-messages: mode plan',
    ]);
  });

  test('an image in a result is no part of the result', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };
    const [first, second] = new PieceReader().read(
      block('user', { type: 'tool_result', tool_use_id: 't', content: [image, { type: 'text', text: 'seen' }] }),
    );
    assert.deepEqual([first?.kind, first?.bytes, second?.kind], ['images', png.length + 2, 'results']);
  });

  test('Responses', () => {
    const pieces = read(
      block('user', { type: 'input_text', text: 'look' }),
      block('', { role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${png}` }] }),
      block('', { type: 'reasoning', summary: [], encrypted_content: 'xyz' }),
      block('', { type: 'function_call', call_id: 'c1', id: 'fc_1', name: 'shell', arguments: '{"command":"ls -l"}' }),
      block('', { type: 'function_call_output', call_id: 'c1', output: 'a b' }),
      block('', { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: '*** Begin Patch' }),
      block('', { type: 'custom_tool_call_output', call_id: 'c2', output: 'ok' }),
      block('', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }),
      block('developer', { type: 'input_text', text: 'be brief' }),
      block('', { type: 'item_reference', id: 'x' }),
    );
    assert.deepEqual(pieces, [
      '1 user: look',
      '1 images: image/png',
      '0 images: user',
      '1 thinking: thinking',
      '1 calls: shell ls -l',
      '1 results: shell ls -l',
      '1 calls: apply_patch *** Begin Patch',
      '1 results: apply_patch *** Begin Patch',
      '1 assistant: Done.',
      '1 system-messages: be brief',
      '1 other: other',
    ]);
  });

  test('Chat Completions: whole messages, and what stands beside their content', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"file_path":"b.ts"}' } };
    const pieces = read(
      block('user', { role: 'user', content: 'look' }),
      block('assistant', { role: 'assistant', content: null, reasoning_content: 'so', tool_calls: [call] }),
      block('tool', { role: 'tool', tool_call_id: 'c1', content: 'text' }),
      block('assistant', { tool_calls: [{ ...call, id: 'c2' }] }),
      block('tool', { tool_call_id: 'c2' }),
      block('tool', { type: 'text', text: 'text' }),
    );
    assert.deepEqual(pieces, [
      '1 user: look',
      '1 calls: read b.ts',
      '1 thinking: thinking',
      '0 calls: assistant',
      '1 results: read b.ts',
      '1 calls: read b.ts',
      '0 calls: assistant',
      '0 results: read b.ts',
      '1 results: read b.ts',
    ]);
  });

  test('generateContent: results without an id belong to the calls in their order', () => {
    const called = (path: string) => block('model', { functionCall: { name: 'read', args: { path } } });
    const answered = block('user', { functionResponse: { name: 'read', response: { output: 'x' } } });
    const pieces = read(
      block('user', { text: 'look' }),
      block('user', { inlineData: { mimeType: 'image/png', data: png } }),
      block('model', { text: 'hm', thought: true }),
      called('a'),
      called('b'),
      answered,
      answered,
      block('model', { text: 'Done.' }),
    );
    assert.deepEqual(pieces, [
      '1 user: look',
      '1 images: image/png',
      '0 images: image',
      '1 thinking: hm',
      '1 calls: read a',
      '1 calls: read b',
      '1 results: read a',
      '1 results: read b',
      '1 assistant: Done.',
    ]);
  });
});

test('tools have their names, however they are wrapped', () => {
  const tool = (value: unknown): string | undefined =>
    new PieceReader().read({ of: 'tools', role: '', text: JSON.stringify(value) })[0]?.name;
  assert.equal(tool({ name: 'read', description: 'x' }), 'read');
  assert.equal(tool({ type: 'function', function: { name: 'edit' } }), 'edit');
  assert.equal(tool({ type: 'web_search' }), 'web_search');
  assert.equal(tool({ googleSearch: {} }), 'googleSearch');
  assert.equal(tool(null), 'tool');
});

test('no shape is trusted: whatever comes, its bytes are counted and nothing is thrown', async (context) => {
  const words =
    'type text content name input arguments tool_calls id call_id source data functionCall functionResponse media_type ' +
    'mimeType image_url __proto__ reasoning role tool_use tool_result image thought url tool_use_id function args';
  const word = fc.constantFrom(...words.split(' '));
  const text = fc.oneof(word, fc.string({ unit: 'binary' }), fc.constant('data:image/png;base64,AAAA'));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(text, fc.integer(), fc.constant(null), fc.boolean()),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(word, tie('value'), { maxKeys: 6 }),
    ),
  }));
  const part = fc.record({
    of: fc.constantFrom('tools' as const, 'system' as const, 'messages' as const),
    role: fc.constantFrom('user', 'assistant', 'tool', 'model', '', '__proto__'),
    text: fc.oneof(
      value.map((each) => JSON.stringify(each)),
      fc.string({ unit: 'binary' }),
    ),
  });
  await holds(context, fc.array(part, { maxLength: 5 }), 500, async (parts) => {
    const reader = new PieceReader();
    for (const each of parts) {
      const pieces = reader.read(each);
      const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
      assert.equal(bytes, Buffer.byteLength(each.text));
      assert.ok(pieces.every((piece) => piece.bytes >= 0 && piece.name.length <= 120));
    }
    await Promise.resolve();
  });
});

test('a total that is shared out adds up', async (context) => {
  const weights = fc.array(fc.nat({ max: 100_000 }), { maxLength: 40 });
  await holds(context, fc.tuple(fc.nat({ max: 1_000_000 }), weights), 200, async ([total, list]) => {
    const shares = shareOut(total, list);
    const hasWeight = list.some((weight) => weight > 0);
    assert.equal(
      shares.reduce((sum, share) => sum + share, 0),
      hasWeight ? total : 0,
    );
    assert.ok(shares.every((share, at) => share >= 0 && (list[at] !== 0 || share === 0)));
    await Promise.resolve();
  });
});

test('layers hold their largest pieces in order, and an image weighs the same however large its file is', () => {
  const piece = (name: string, tokens: number) => ({
    kind: 'results' as const,
    name,
    bytes: tokens * 3,
    tokens,
    count: 1 as const,
  });
  const [layer] = layersOf([piece('a', 5), piece('b', 9), piece('c', 1), piece('d', 9)], () => 3);
  assert.deepEqual(
    layer?.largest.map(({ name }) => name),
    ['b', 'd', 'a'],
  );
  assert.deepEqual([layer.count, layer.tokens, layer.bytes], [4, 24, 72]);
  const image = { kind: 'images', name: '', count: 1 as const };
  assert.equal(weightOf({ ...image, bytes: 10 }), weightOf({ ...image, bytes: 5_000_000 }));
  assert.equal(weightOf({ ...image, count: 0, bytes: 10 }), 10);
});
