/** What requests to both of OpenAI's APIs have in common, for tests that put together legal and illegal ones. */
import type { Json } from './request-parts.ts';

const megabyte = 1024 * 1024;

const dataUrl = (bytes: Buffer, type: string): string => `data:${type};base64,${bytes.toString('base64')}`;

function png(bytes = 100): Buffer {
  const data = Buffer.alloc(bytes);
  data.write('89504e470d0a1a0a', 'hex');
  return data;
}

/** An image with far more bytes than it costs tokens. */
export const largeImage = dataUrl(png(megabyte), 'image/png');

/** URLs of images, by what they are. */
export const imageUrls: { refused: { [name: string]: string }; accepted: { [name: string]: string } } = {
  refused: {
    'more than 20 MB': dataUrl(png(20 * megabyte + 1), 'image/png'),
    'text that says it is an image': dataUrl(Buffer.from('not an image'), 'image/png'),
    'a kind that it isn’t': dataUrl(png(), 'image/jpeg'),
    'an unknown kind': dataUrl(png(), 'image/bmp'),
    'a kind of a prototype’s name': dataUrl(png(), 'constructor'),
    'bad base64': 'data:image/png;base64,####',
    'no data': 'data:image/png;base64,',
    'data without base64': 'data:image/png,abc',
    'a path': 'a.png',
    'a file': 'file:///a.png',
  },
  accepted: {
    'exactly 20 MB': dataUrl(png(20 * megabyte), 'image/png'),
    'a gif': dataUrl(Buffer.from('GIF89a------'), 'image/gif'),
    'a jpeg': dataUrl(Buffer.from('ffd8ffe000040000', 'hex'), 'image/jpeg'),
    'a webp': dataUrl(Buffer.from('RIFF----WEBPVP8 '), 'image/webp'),
    'an image elsewhere': 'https://a.invalid/b.png',
  },
};

const property = (inner: unknown): Json => ({ type: 'object', properties: { b: inner } });
const structured = {
  type: 'object',
  properties: { b: { type: 'string' } },
  required: ['b'],
  additionalProperties: false,
};

/** Parameters of a function: the schema, and whether the structured mode is asked for. */
export const parameters: { refused: { [name: string]: [unknown, boolean?] }; accepted: typeof parameters.refused } = {
  refused: {
    'no schema': [null],
    'a schema of no object': [{ type: 'string' }],
    'a schema without type': [{ properties: {} }],
    'a union at the top': [{ type: 'object', anyOf: [{}] }],
    'properties in a list': [{ type: 'object', properties: [] }],
    'a property that is a text': [property('string')],
    'required that is true': [property({ type: 'object', required: true })],
    'items in a list': [property({ type: 'array', items: [] })],
    'an array without items': [property({ type: 'array' })],
    'structured, with a property that isn’t required': [{ ...structured, required: [] }, true],
    'structured, open to more': [{ type: 'object', properties: {}, required: [] }, true],
    'structured, open within': [
      { ...structured, properties: { b: { anyOf: [{ type: 'object', properties: {} }, { type: 'null' }] } } },
      true,
    ],
  },
  accepted: {
    'a nested schema': [
      {
        type: 'object',
        properties: { 'b.c d': { anyOf: [{ type: 'array', items: { type: 'string' } }, true] }, e: true },
      },
    ],
    structured: [structured, true],
    'the same, not structured': [{ ...structured, required: [] }, false],
  },
};

/** Cases that differ in one value only. */
export const mapCases = <T>(cases: { [name: string]: T }, make: (value: T) => Json): { [name: string]: Json } =>
  Object.fromEntries(Object.entries(cases).map(([name, value]) => [name, make(value)]));
