/** Many tools in a run: those that don’t mind are found by a search, by the wire’s own means where it has them. */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { createSession, ReinsError } from '../../src/harness/index.ts';
import { startModelServer, type ScriptedReply } from '../../src/testing/index.ts';
import { defineTool } from '../../src/tools/index.ts';
import { go, ground } from './ground.ts';

const input = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] } as const;
const harmless = { effects: ['read' as const], resources: [] };
const tools = Array.from({ length: 20 }, (_, index) =>
  defineTool({
    name: `tracker_${index}`,
    description: `Does the thing number ${index} with an issue.`,
    input,
    effects: harmless,
    execute: ({ number }) => `thing ${index} done with issue ${number}`,
  }),
);

const find: ScriptedReply = { calls: [{ name: 'find_tools', arguments: { query: 'select:tracker_7,tracker_8' } }] };
const direct: ScriptedReply = { calls: [{ name: 'tracker_7', arguments: { number: 4 } }] };
const through: ScriptedReply = {
  calls: [{ name: 'use_tool', arguments: { name: 'tracker_7', arguments: { number: 4 } } }],
};

async function running(t: TestContext, model: string, turns: object[]) {
  const server = await startModelServer({ turns: [...turns, { text: 'Done.' }] as ScriptedReply[] });
  t.after(() => server.close());
  const place = await ground(t, { env: { ANTHROPIC_API_KEY: 'k', MISTRAL_API_KEY: 'k' } });
  const endpoint = { baseUrl: server.url };
  const results: string[] = [];
  const ran = await go(place, {
    tools,
    settings: { model, endpoint, checks: 'waived' },
    onEvent: ({ kind, data }) => kind === 'result' && results.push(`${data.tool}: ${data.text.split('\n')[0]}`),
  });
  return { ...ran, server, results };
}

const found = 'find_tools: tracker_7: Does the thing number 7 with an issue.';
const done = 'tracker_7: thing 7 done with issue 4';

describe('deferred tools in a run', () => {
  test('Anthropic keeps them out of sight itself; what was found is called by its name, and the prefix stands', async (t) => {
    const { server, outcome, results, requests, setup } = await running(t, 'anthropic/claude-sonnet-5', [find, direct]);
    assert.equal(outcome.outcome, 'completed', outcome.detail);
    assert.deepEqual(results, [found, done]);
    assert.deepEqual([server.refusals, server.prefixBreaks], [[], []]);
    assert.ok(requests.every((request) => request.extends));
    const deferred = setup.tools.filter((spec) => spec.deferred === true).map(({ name }) => name);
    assert.ok(tools.every(({ name }) => deferred.includes(name)));
    const sent = server.requests[1]?.body as { messages: { content: { content?: unknown }[] }[] };
    assert.deepEqual(sent.messages.at(-1)?.content[0]?.content, [
      { type: 'tool_reference', tool_name: 'tracker_7' },
      { type: 'tool_reference', tool_name: 'tracker_8' },
    ]);
  });

  test('where the provider refuses that, the run goes on through use_tool', async (t) => {
    const refused = { status: 400, message: 'tools.12.custom.defer_loading: Extra inputs are not permitted' };
    const turns = [{ ...find, failures: [refused] }, through];
    const { server, outcome, results } = await running(t, 'anthropic/claude-sonnet-5', turns);
    assert.equal(outcome.outcome, 'completed', outcome.detail);
    assert.deepEqual(results, [found, done]);
    assert.ok(!JSON.stringify(server.requests.at(-1)?.body).includes('tool_reference'));
  });

  test('any other model calls them through use_tool', async (t) => {
    const { server, outcome, results, requests, setup } = await running(t, 'mistral/mistral-medium-3.5', [
      find,
      through,
    ]);
    assert.equal(outcome.outcome, 'completed', outcome.detail);
    assert.deepEqual(results, [found, done]);
    assert.deepEqual([server.refusals, server.prefixBreaks], [[], []]);
    assert.ok(requests.every((request) => request.extends));
    assert.ok(setup.tools.every(({ deferred }) => deferred === undefined));
  });

  test('few tools are all told at once', async (t) => {
    const { workspace, env } = await ground(t, { env: { ANTHROPIC_API_KEY: 'k' } });
    const session = await createSession({ workspace, env, tools: tools.slice(0, 2) });
    await session.close();
    const names = session.view.setup?.tools.map(({ name }) => name) ?? [];
    assert.ok(names.includes('tracker_0') && !names.includes('find_tools'));
  });
});

describe('a tool in the place of a built-in one', () => {
  const read = defineTool({
    name: 'read',
    description: 'Reads anew.',
    input,
    effects: harmless,
    execute: () => 'anew',
  });
  const open = async (t: TestContext, replaceTools?: string[]) => {
    const { workspace, env } = await ground(t, { env: { ANTHROPIC_API_KEY: 'k' } });
    const options = replaceTools === undefined ? {} : { replaceTools };
    const session = await createSession({ workspace, env, tools: [read], ...options });
    await session.close();
    return session.view.setup?.tools.find(({ name }) => name === 'read')?.description;
  };

  test('is an error, unless it is said', async (t) => {
    const isUsage = (error: unknown) => error instanceof ReinsError && error.code === 'usage-arguments';
    await assert.rejects(open(t), isUsage);
    await assert.rejects(open(t, ['write']), isUsage);
    assert.equal(await open(t, ['read']), 'Reads anew.');
  });
});
