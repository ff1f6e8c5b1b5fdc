import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Recorder, View, type Draft, type Event, type SetupData } from '../../src/core/index.ts';
import { summariserFor } from '../../src/harness/compaction/index.ts';
import { findProvider } from '../../src/harness/models/index.ts';
import { openRecord } from '../../src/harness/record.ts';
import { settingsFor } from '../../src/harness/settings.ts';
import { manualClock, memoryLog, scriptedSummariser, startModelServer } from '../../src/testing/index.ts';
import { ground } from '../harness/ground.ts';
import { setup } from '../model/loopback.ts';
import { testSummariserContract, unusable, usable, type SummariserUnderTest } from './summariser.ts';

type Record = (draft: Draft) => Promise<Event>;

/** Two turns behind a task. */
async function talked(
  record: Record,
  given: SetupData,
): Promise<Pick<SummariserUnderTest, 'record' | 'reply' | 'tail'>> {
  const { provider, wire, model } = given;
  const source = { provider, wire, model };
  const reply = async (text: string): Promise<string> => {
    const said = { source, parts: [{ type: 'text' as const, text }], stop: 'end' as const, firstByte: 1, elapsed: 1 };
    return (await record({ kind: 'reply', data: { request: 'r', ...said } })).id;
  };
  await record({ kind: 'setup', data: given });
  await record({ kind: 'input', data: { from: 'user', text: 'The task.' } });
  await reply('One.');
  await record({ kind: 'input', data: { from: 'user', text: 'And?' } });
  return { record, reply, tail: await reply('Two.') };
}

testSummariserContract('one that asks a model', async (t: TestContext, said): Promise<SummariserUnderTest> => {
  const server = await startModelServer({ turns: [], after: { text: said } });
  const { workspace, env } = await ground(t);
  const settings = { model: 'anthropic/claude-sonnet-4-5', endpoint: { baseUrl: server.url, apiKey: 'no secret' } };
  const options = { workspace, env, settings };
  const provider = await findProvider(options, await settingsFor(options));
  const record = await openRecord(join(workspace, '.state'), undefined, workspace);
  t.after(async () => {
    assert.deepEqual(server.refusals, []);
    await record.session.close();
    await provider.close();
    await server.close();
  });
  const path = await talked(record.recorder.record, setup({ ...provider.target }));
  const summariser = summariserFor(provider.aside, record);
  return { summariser, view: record.view, ...path };
});

testSummariserContract('the scripted one', async (_, said): Promise<SummariserUnderTest> => {
  const recorder = new Recorder(new View(), memoryLog(), manualClock(0));
  const path = await talked(recorder.record, setup());
  const summaries = said === unusable ? [{ problem: 'it was unusable' }] : [usable];
  return { summariser: scriptedSummariser(summaries), view: recorder.view, ...path };
});
