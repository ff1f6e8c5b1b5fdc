/** What the strict mode says to everything about a conversation: keys, images, sizes, marks, tools. */
import { assistant, call, hello, image, mark, result, talk, text, tool, user, type Cases } from './request-parts.ts';

const megabyte = 1024 * 1024;

function png(width: number, height: number, bytes = 100): Buffer {
  const data = Buffer.alloc(bytes);
  data.write('89504e470d0a1a0a', 'hex');
  data.writeUInt32BE(width, 16);
  data.writeUInt32BE(height, 20);
  return data;
}
const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([8, 0, 4, 0, 0, 0, 0])]);
const jpeg = Buffer.from('ffd8ffe000040000ffc0001108001000200301', 'hex');
const webp = (kind: string, size: string) =>
  Buffer.concat([Buffer.from(`RIFF0000WEBP${kind}0000`), Buffer.from(size, 'hex'), Buffer.alloc(8)]);

export const envelopeCases: Cases = {
  keys: {
    refused: {
      'an unknown key at the top': { ...hello, maxTokens: 5 },
      'an unknown key in a message': talk({ ...user('a'), name: 'x' }),
      'an unknown key in a block': talk(user([text('a', { id: 1 })])),
      'an id in a result': talk(user('a'), assistant([call('t')]), user([result('t', { name: 'read' })])),
      'an index in a call': talk(user('a'), assistant([call('t', { index: 0 })]), user([result('t')])),
      'an unknown key in a tool': { ...hello, tools: [tool('a', { type: 'object' }, { inputSchema: {} })] },
    },
    accepted: {
      'every key there is': {
        ...hello,
        temperature: 1,
        top_p: 1,
        top_k: 1,
        stop_sequences: ['x'],
        metadata: { user_id: 'u' },
        service_tier: 'auto',
        output_config: { effort: 'high' },
        thinking: { type: 'adaptive' },
        tool_choice: { type: 'auto' },
      },
      'a tool with its own keys': {
        ...hello,
        tools: [tool('a', { type: 'object' }, { strict: true, defer_loading: false })],
      },
      'a provider’s own tool': { ...hello, tools: [{ type: 'bash_20250124', name: 'bash', max_characters: 5 }] },
    },
  },
  images: {
    refused: {
      'more than 5 MB': talk(user([image(png(10, 10, 5 * megabyte + 1))])),
      'a side over 8000': talk(user([image(png(10, 8001))])),
      'text that says it is an image': talk(
        user([image(Buffer.from('not an image, but long enough to be one, really'))]),
      ),
      'a kind that it isn’t': talk(user([image(png(10, 10), 'image/jpeg')])),
      'an unknown kind': talk(user([image(png(10, 10), 'image/bmp')])),
      'bad base64': talk(user([image('####')])),
      'a wide gif in a result': talk(
        user('a'),
        assistant([call('t')]),
        user([
          result('t', {
            content: [
              image(Buffer.concat([Buffer.from('GIF89a'), Buffer.from('411f010000000000', 'hex')]), 'image/gif'),
            ],
          }),
        ]),
      ),
      'a jpeg without a frame': talk(user([image(Buffer.from('ffd8ffe000040000ffd9ffff', 'hex'), 'image/jpeg')])),
    },
    accepted: {
      'exactly 5 MB': talk(user([image(png(10, 10, 5 * megabyte))])),
      'a side of 8000': talk(user([image(png(8000, 8000))])),
      'a gif': talk(user([image(gif, 'image/gif')])),
      'a jpeg': talk(user([image(jpeg, 'image/jpeg')])),
      'webp, lossy': talk(user([image(webp('VP8 ', '0000009d012a10002000'), 'image/webp')])),
      'webp, lossless': talk(user([image(webp('VP8L', '2f0f001f00ffffff0000'), 'image/webp')])),
      'webp, extended': talk(user([image(webp('VP8X', '000000000f00001f0000'), 'image/webp')])),
      'an image elsewhere': talk(user([{ type: 'image', source: { type: 'url', url: 'https://a.invalid/b.png' } }])),
    },
  },
  window: {
    refused: {
      'too much input': talk(user('x'.repeat(4 * 10_000))),
      'input and output together': { ...talk(user('x'.repeat(4 * 9_000))), max_tokens: 1100 },
      'more than 32 MB': talk(user('x'.repeat(32 * megabyte))),
    },
    accepted: {
      'input and output that just fit': { ...talk(user('x'.repeat(4 * 8_980))), max_tokens: 1000 },
      'an image, whatever its bytes': talk(user([image(png(10, 10, megabyte))])),
    },
  },
  marks: {
    refused: {
      'five marks': {
        tools: [tool('a', { type: 'object' }, mark())],
        system: [text('a', mark()), text('b', mark())],
        ...talk(
          user('a'),
          assistant([call('t')]),
          user([result('t', { content: [text('a', mark())] }), text('b', mark())]),
        ),
      },
      'a kind of mark that isn’t': talk(user([text('a', { cache_control: { type: 'lasting' } })])),
      'a lifetime that isn’t': talk(user([text('a', mark('2h'))])),
      'a long one after a short one': { system: [text('a', mark('5m'))], ...talk(user([text('b', mark('1h'))])) },
    },
    accepted: {
      'four marks': {
        tools: [tool('a', { type: 'object' }, mark())],
        system: [text('a', mark()), text('b', mark())],
        ...talk(user('a'), assistant([call('t')]), user([result('t', mark())])),
      },
      'a short one after a long one': { system: [text('a', mark('1h'))], ...talk(user([text('b', mark())])) },
      'a mark at the top': { ...hello, ...mark() },
    },
  },
  tools: {
    refused: {
      'a name with a dot': { ...hello, tools: [tool('a.b')] },
      'a name that is too long': { ...hello, tools: [tool('a'.repeat(129))] },
      'a name twice': { ...hello, tools: [tool('a'), tool('a')] },
      'no schema': { ...hello, tools: [{ name: 'a' }] },
      'a schema of no object': { ...hello, tools: [tool('a', { type: 'string' })] },
      'a schema without type': { ...hello, tools: [tool('a', { properties: {} })] },
      'a union at the top': { ...hello, tools: [tool('a', { type: 'object', anyOf: [{}] })] },
      'a property with a blank': { ...hello, tools: [tool('a', { type: 'object', properties: { 'a b': {} } })] },
      'properties in a list': { ...hello, tools: [tool('a', { type: 'object', properties: [] })] },
      'required that is true': {
        ...hello,
        tools: [tool('a', { type: 'object', properties: { b: { type: 'object', required: true } } })],
      },
      'items in a list': {
        ...hello,
        tools: [tool('a', { type: 'object', properties: { b: { type: 'array', items: [] } } })],
      },
      'a choice that isn’t there': { ...hello, tools: [tool('a')], tool_choice: { type: 'tool', name: 'b' } },
    },
    accepted: {
      'the longest name': { ...hello, tools: [tool('a'.repeat(128))] },
      'a nested schema': {
        ...hello,
        tools: [
          tool('a', {
            type: 'object',
            properties: { 'b.c-d': { anyOf: [{ type: 'array', items: { type: 'string' } }, true] }, e: true },
            required: ['b.c-d'],
          }),
        ],
      },
      'a choice that is there': { ...hello, tools: [tool('a')], tool_choice: { type: 'tool', name: 'a' } },
    },
  },
};
