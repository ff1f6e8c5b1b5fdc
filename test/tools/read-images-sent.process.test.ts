import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createSession, type EventData } from '../../src/harness/index.ts';
import { startModelServer } from '../../src/testing/index.ts';
import { ground } from '../harness/ground.ts';
import { gif, jpeg, noisyPng, png } from './image-files.ts';

const colours = [
  [255, 0, 0],
  [0, 0, 255],
];
const picture = { width: 8, height: 6, indices: new Uint8Array(48) };
/** Files by name, and whether the model is given an image. */
const files: { [name: string]: [content: Buffer, given: boolean] } = {
  'big.png': [noisyPng(1600, 1500), true],
  'tall.png': [png({ width: 300, height: 9000 }), true],
  'print.jpg': [jpeg({ width: 40, height: 30, components: 4 }), true],
  'moving.gif': [gif({ width: 8, height: 6, colours, pictures: [picture, picture] }), true],
  'fake.png': [Buffer.from('only text\n'), false],
  'cut.png': [noisyPng(40, 30).subarray(0, 900), false],
};
const given = Object.values(files).filter(([, isGiven]) => isGiven).length;
const call = (path: string) => ({ name: 'read', arguments: { path } });

describe('images that were read', () => {
  for (const wire of ['anthropic', 'openai-responses', 'openai-chat', 'gemini']) {
    test(`are taken by a strict provider, now and with all that follows: ${wire}`, async (t) => {
      const server = await startModelServer({
        turns: [{ calls: Object.keys(files).map(call) }, { text: 'seen' }, { text: 'hello to you' }],
      });
      t.after(() => server.close());
      const models = {
        eyes: {
          rates: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
          window: 200_000,
          abilities: { images: true },
        },
      };
      const user = { providers: { mine: { wire, baseUrl: server.url, keyVariable: 'KEY', models } } };
      const place = await ground(t, { user, env: { KEY: 'key-of-mine' } });
      for (const [name, [content]] of Object.entries(files)) writeFileSync(join(place.workspace, name), content);
      const results: EventData['result'][] = [];
      const session = await createSession({
        ...place,
        settings: { mode: 'plan', model: 'mine/eyes' },
        onEvent: (event) => {
          if (event.kind === 'result') results.push(event.data);
        },
      });
      t.after(() => session.close());
      await session.say('look at them');
      await session.run();
      await session.say('hello');
      const outcome = await session.run();
      assert.equal(outcome.outcome, 'completed', JSON.stringify(outcome));
      assert.deepEqual(server.refusals, []);
      assert.equal(server.requests.length, 3);
      for (const { question } of server.requests.slice(1)) {
        const images = question.messages.reduce((sum, message) => sum + message.images, 0);
        assert.equal(images, given);
      }
      assert.equal(results.filter(({ images }) => images !== undefined).length, given);
    });
  }
});
