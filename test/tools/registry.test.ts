import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { Type } from 'typebox';
import { ReinsError } from '../../src/core/index.ts';
import { builtinTools, createRegistry, defineTool } from '../../src/tools/index.ts';
import { folderShell } from './folder-shell.ts';
import { toolSession } from './session.ts';

const named = (name: string, over: Partial<Parameters<typeof defineTool>[0]> = {}) =>
  defineTool({
    name,
    description: 'Does it.',
    input: { type: 'object', properties: {} },
    execute: () => 'done',
    ...over,
  });

const isUsage = (error: unknown) => error instanceof ReinsError && error.code === 'usage-arguments';

describe('the registry', () => {
  test('takes names of 1 to 64 allowed characters, and no others', () => {
    for (const name of ['a', 'A_z-09', 'x'.repeat(64)]) assert.deepEqual(createRegistry([named(name)]).names(), [name]);
    for (const name of ['', 'x'.repeat(65), 'a b', 'a.b', 'ä', 'a\n']) {
      assert.throws(() => createRegistry([named(name)]), isUsage, JSON.stringify(name));
    }
  });

  test('refuses two of one name, an empty description, arguments that are no object', () => {
    assert.throws(() => createRegistry([named('a'), named('a')]), isUsage);
    assert.throws(() => createRegistry([named('a', { description: ' ' })]), isUsage);
    assert.throws(() => createRegistry([named('a', { input: { type: 'string' } })]), isUsage);
  });

  test('gives the same specs whatever the order', () => {
    const [a, b, c] = [named('a'), named('b'), named('c')];
    assert.deepEqual(createRegistry([c, a, b]).specs(), createRegistry([a, b, c]).specs());
    assert.deepEqual(createRegistry([c, a, b]).names(), ['a', 'b', 'c']);
  });

  test('the four built-in tools cost the first request at most 550 tokens', () => {
    const specs = createRegistry(builtinTools({ shell: folderShell('/') })).specs();
    assert.deepEqual(
      specs.map(({ name }) => name),
      ['edit', 'read', 'shell', 'write'],
    );
    const wire = specs.map(({ name, description, input }) => ({ name, description, input_schema: input }));
    const tokens = countTokens(JSON.stringify(wire));
    assert.ok(tokens <= 550, String(tokens));
  });
});

describe('a tool of one’s own', () => {
  test('of a few lines, with TypeBox or plain JSON Schema, its arguments typed', async () => {
    const add = defineTool({
      name: 'add',
      description: 'Add two numbers.',
      input: Type.Object({ a: Type.Number(), b: Type.Number() }, { additionalProperties: false }),
      effects: { effects: ['read'], resources: [] },
      execute: ({ a, b }) => String(a + b),
    });
    const shout = defineTool({
      name: 'shout',
      description: 'Say it loudly.',
      input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      effects: { effects: ['read'], resources: [] },
      execute: async ({ text }) => text.toUpperCase(),
    });
    await using session = await toolSession({ tools: [add, shout], policy: { mode: 'plan' } });
    assert.equal((await session.call('add', { a: 1, b: 2 })).text, '3');
    assert.equal((await session.call('shout', { text: 'hey' })).text, 'HEY');
    assert.match((await session.call('add', { a: '1', b: 2 })).text, /- a: must be number, got "1"/);
    assert.deepEqual(session.registry.specs()[0]?.input, {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      additionalProperties: false,
    });
  });

  test('one that declares nothing is cannot-tell: asked about, refused in plan', async () => {
    await using session = await toolSession({ tools: [named('odd')], policy: { mode: 'edit' } });
    const result = await session.call('odd', {});
    assert.equal(result.outcome, 'denied');
    assert.deepEqual(
      session.verdicts().map(({ decision, resources }) => [decision, resources]),
      [['ask', 'unknown']],
    );
    await using plan = await toolSession({ tools: [named('odd')], policy: { mode: 'plan' } });
    await plan.call('odd', {});
    assert.equal(plan.verdicts()[0]?.by, 'mode:plan');
  });

  test('can write through the workspace’s files and report what it changed', async () => {
    const stamp = defineTool({
      name: 'stamp',
      description: 'Stamp a file.',
      input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      effects: async ({ path }, { files }) => {
        const real = await files.resolve(path, 'write');
        if (typeof real !== 'string') return { effects: ['write'], resources: [], refused: real.refused };
        return { effects: ['write'], resources: [{ access: 'write', path: real }] };
      },
      execute: async ({ path }, { files }) => {
        const real = await files.resolve(path, 'write');
        if (typeof real !== 'string') return { outcome: 'error', text: real.refused };
        const after = await files.write(real, Buffer.from('stamped'), null);
        if (typeof after !== 'string') return { outcome: 'error', text: after.refused };
        return { outcome: 'ok', text: 'Stamped.', changes: [{ path: real, before: null, after }] };
      },
    });
    await using session = await toolSession({ tools: [stamp], policy: { mode: 'edit' } });
    const result = await session.call('stamp', { path: 'a/b' });
    assert.equal(result.outcome, 'ok');
    assert.equal(result.changes?.length, 1);
    assert.equal((await session.workspace.read('a/b')).toString(), 'stamped');
    assert.equal((await session.call('stamp', { path: '../x' })).outcome, 'denied');
    assert.equal((await session.call('stamp', { path: '.git/hooks/pre-commit' })).outcome, 'denied');
  });
});
