/** Whole sessions with deferred tools, over every wire: found, called, and nothing before the end of a request ever changes. */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { run, type EventData } from '../../src/core/index.ts';
import { loadWire } from '../../src/model/index.ts';
import { memoryLog, startModelServer, type Scenario } from '../../src/testing/index.ts';
import { createRegistry, defineTool, toolSet } from '../../src/tools/index.ts';
import { peers } from '../contracts/wire-peers.ts';
import type { Peer } from '../contracts/wire-talk.ts';
import { open } from '../core/drive.ts';
import { rig } from '../model/loopback.ts';
import { ownCalls } from './own-calls.ts';

const harmless = { effects: ['read' as const], resources: [] };
const input = {
  type: 'object',
  properties: { number: { type: 'integer' } },
  required: ['number'],
  additionalProperties: false,
} as const;

const tools = [
  ...Array.from({ length: 20 }, (_, index) =>
    defineTool({
      name: `tracker_${index}`,
      description: `Does the thing number ${index} with an issue.`,
      input,
      effects: harmless,
      execute: ({ number }) => `thing ${index} done with issue ${number}`,
    }),
  ),
  defineTool({
    name: 'core',
    description: 'The one that is always told.',
    input: { type: 'object', properties: {} },
    deferral: 'never',
    effects: harmless,
    execute: () => 'core',
  }),
];

const scenario: Scenario = {
  window: 200_000,
  turns: [
    { calls: [{ name: 'find_tools', arguments: { query: 'select:tracker_7' } }] },
    { calls: [{ name: 'use_tool', arguments: { name: 'tracker_7', arguments: { number: 4 } } }] },
    { calls: [{ name: 'find_tools', arguments: { query: 'thing 12' } }, { name: 'core' }] },
    { calls: [{ name: 'use_tool', arguments: { name: 'tracker_12', arguments: { number: 'x' } } }] },
    { text: 'Done.' },
  ],
};

async function session(t: TestContext, peer: Peer) {
  const server = await startModelServer(scenario);
  t.after(() => server.close());
  const { target } = peer;
  const set = toolSet(createRegistry(tools), { window: 200_000, ownDeferral: false });
  const calls = await ownCalls({ tools, own: { registry: set.registry } });
  t.after(() => calls[Symbol.asyncDispose]());
  const log = memoryLog();
  const bodies = new Map<string, Buffer>();
  const own = await rig(t, server.url, {
    model: {
      link: async ({ wire }) => {
        const known = await loadWire(wire);
        return { wire: known, baseUrl: server.url, headers: () => known.keyHeaders('a key') };
      },
      previousBody: async (id) => bodies.get(id),
    },
  });
  const { loop, view } = await open({
    log,
    model: {
      prepare: (current, ask) => own.model.prepare(current, ask),
      send: (request, id, signal, notify) => {
        bodies.set(id, Buffer.from(request.body));
        return own.model.send(request, id, signal, notify);
      },
    },
    calls: calls.calls,
    setup: { ...target, tools: set.specs, checks: 'waived' },
    input: 'Do something with issue 4.',
  });
  await run(loop);
  const of = <K extends keyof EventData>(kind: K) =>
    log.events.flatMap((event) => (event.kind === kind ? [event.data as EventData[K]] : []));
  return { server, of, view };
}

for (const peer of peers) {
  describe(`deferred tools over ${peer.name}`, () => {
    test('are found and called through use_tool; no request breaks the one before', async (t) => {
      const { server, of, view } = await session(t, peer);
      assert.equal(view.stop?.reason, 'completed', JSON.stringify(view.stop));
      assert.deepEqual([server.refusals, server.prefixBreaks], [[], []]);
      assert.ok(of('request').every((request) => request.extends));
      for (const { question } of server.requests) assert.deepEqual(question.tools, ['core', 'find_tools', 'use_tool']);
      assert.deepEqual(
        of('result').map(({ tool, outcome, failed }) => [tool, failed ?? outcome]),
        [
          ['find_tools', 'ok'],
          ['tracker_7', 'ok'],
          ['find_tools', 'ok'],
          ['core', 'ok'],
          ['tracker_12', 'schema'],
        ],
      );
      const texts = server.requests.at(-1)?.question.messages.flatMap(({ results }) => results.map(({ text }) => text));
      assert.match(texts?.[0] ?? '', /^tracker_7: Does the thing number 7 .*\narguments: \{"type":"object"/);
      assert.equal(texts?.[1], 'thing 7 done with issue 4');
      assert.match(texts?.[2] ?? '', /^tracker_12: /);
    });
  });
}
