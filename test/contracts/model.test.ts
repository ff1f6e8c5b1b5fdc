import type { Clock } from '../../src/core/index.ts';
import { scriptedModel, startModelServer } from '../../src/testing/index.ts';
import { now, rig } from '../model/loopback.ts';
import { testModelContract } from './model.ts';

testModelContract('the model over a wire', async (t, turns) => {
  const server = await startModelServer({ turns });
  t.after(() => server.close());
  const { model } = await rig(t, server.url);
  return { model, asked: () => server.waitForRequest(1) };
});

/** Stands still, so that only an abort ends a wait. */
const clock: Clock = { now: () => now, sleep: () => new Promise(() => undefined) };

testModelContract('the scripted model', (_, turns) => {
  const first = Promise.withResolvers<void>();
  return {
    model: scriptedModel(turns, { clock, onRequest: () => first.resolve() }),
    asked: () => first.promise,
  };
});
