import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Transformer } from '@napi-rs/image';
import * as fc from 'fast-check';
import { imageFault } from '../../src/testing/dialects/anthropic/strict/image.ts';
import { fitImage } from '../../src/tools/content/index.ts';
import { noisyPng, png } from './image-files.ts';

const never = new AbortController().signal;

describe('making an image fit', () => {
  test('whatever is damaged, what is given is whole, and nothing rejects', async () => {
    const picture = new Transformer(noisyPng(40, 30));
    const files = [
      ['image/png', noisyPng(40, 30)],
      ['image/jpeg', await picture.jpeg(80)],
      ['image/webp', await picture.webp(80)],
    ] as const;
    const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255));
    const damage = fc.record({
      file: fc.constantFrom(...files),
      changes: fc.array(change, { maxLength: 4 }),
      kept: fc.constantFrom(1, 1, 0.9, 0.3),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ file: [type, whole], changes, kept }) => {
        const bytes = Buffer.from(whole.subarray(0, Math.ceil(whole.length * kept)));
        // Most of what can go wrong lies in the first bytes.
        for (const [at, value] of changes) bytes[Math.floor(at ** 3 * (bytes.length - 1))] = value;
        const report = await fitImage(bytes, type, { side: 100, signal: never });
        if ('problem' in report) return assert.notEqual(report.problem, '');
        const { fitted } = report;
        assert.equal(imageFault(fitted.mediaType, fitted.bytes.toString('base64')), undefined);
        const { width, height } = await new Transformer(fitted.bytes).metadata();
        assert.deepEqual([width, height], [fitted.width, fitted.height]);
        assert.ok(Math.max(width, height) <= 100);
      }),
      { numRuns: 80 },
    );
  });

  test('where nothing can decode on this machine, no image is given', async () => {
    const load = () => Promise.reject(new Error('no build for this machine'));
    const report = await fitImage(png({ width: 40, height: 20 }), 'image/png', { side: 100, signal: never, load });
    assert.deepEqual(report, {
      size: { width: 40, height: 20 },
      remarks: [],
      problem: 'what decodes images can’t be loaded on this machine',
    });
  });

  test('time is limited, and a cancel ends the wait', async () => {
    const file = png({ width: 5000, height: 4000 });
    const late = await fitImage(file, 'image/png', { side: 100, signal: never, limit: 1 });
    assert.match('problem' in late ? late.problem : '', /took longer than 0\.001 seconds/);
    const cancelled = await fitImage(file, 'image/png', { side: 100, signal: AbortSignal.abort() });
    assert.match('problem' in cancelled ? cancelled.problem : '', /cancelled/);
    const next = await fitImage(png({ width: 40, height: 20 }), 'image/png', { side: 100, signal: never });
    assert.ok('fitted' in next);
  });
});
