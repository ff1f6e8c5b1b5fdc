/** A reply with calls over an implementation of `Calls`, and what is recorded after it. */
import assert from 'node:assert/strict';
import { openCalls, Recorder, View, type Calls, type JsonObject } from '../../src/core/index.ts';
import { manualClock, memoryLog } from '../../src/testing/index.ts';

export interface TableTool {
  decision: 'allow' | 'ask' | 'deny';
  run: () => string;
}

export interface CallsUnderTest {
  calls: Calls;
  close: () => Promise<void>;
}

/** Makes the way of calls over a table of tools, where every question stays open for later. */
export type MakeCalls = (tools: { [name: string]: TableTool }) => Promise<CallsUnderTest>;
/** A call as the model makes it: of a tool, and with which arguments if they are no JSON object. */
export type Asked = [name: string, malformed?: string];
export type CallsRig = Awaited<ReturnType<typeof openCallsRig>>;

export const open = new AbortController().signal;
const source = { wire: 'test', model: 'test' };

function partOf([name, malformed]: Asked, index: number) {
  const part = { type: 'call' as const, id: `call_${index}`, name, arguments: {} as JsonObject };
  return malformed === undefined ? part : { ...part, malformed };
}

export async function openCallsRig(make: MakeCalls, asked: Asked[]) {
  const executed: string[] = [];
  const tool = (decision: TableTool['decision'], text: string): TableTool => ({
    decision,
    run: () => (executed.push(text), text),
  });
  const fail: TableTool = { decision: 'allow', run: () => assert.fail('The tool broke.') };
  const subject = await make({
    look: tool('allow', 'seen'),
    edit: tool('ask', 'done'),
    drop: tool('deny', ''),
    fail,
  });
  const log = memoryLog();
  const { view, record } = new Recorder(new View(), log, manualClock(1000));
  const data = { request: '', source, parts: asked.map(partOf), stop: 'calls' as const, firstByte: 0, elapsed: 0 };
  await record({ kind: 'reply', data });
  const opened = () => openCalls(view.transcript);
  const prepare = (signal = open) => subject.calls.prepare(opened()[0]!, record, signal);
  const answer = (decision: 'yes' | 'no') =>
    record({ kind: 'answer', data: { ask: opened()[0]!.ask!, by: 'user', decision, scope: 'once' } });
  const results = () => log.events.flatMap((event) => (event.kind === 'result' ? [event.data] : []));
  const kinds = () => log.events.slice(1).map(({ kind }) => kind);
  return { ...subject, executed, record, opened, prepare, answer, results, kinds };
}
