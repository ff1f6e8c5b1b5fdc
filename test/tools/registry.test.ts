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

/** A schema with so many in each other. */
function nested(depth: number): object {
  let schema: object = { type: 'string' };
  for (let level = 0; level < depth; level += 1) schema = { not: schema };
  return { properties: { a: schema } };
}

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

  test('of two tools of one name the later counts, if the name is to be replaced', () => {
    const [first, second] = [named('a'), named('a', { description: 'Does it anew.' })];
    const registry = createRegistry([first, named('b'), second], { replace: ['a'] });
    assert.equal(registry.get('a'), second);
    assert.deepEqual(registry.names(), ['a', 'b']);
    assert.throws(() => createRegistry([first, second], { replace: ['b'] }), isUsage);
    assert.throws(() => createRegistry([first, second, first], { replace: ['a'] }), /Three tools are called "a"/);
  });

  test('what is to be replaced must be there twice: a name that is wrong is heard', () => {
    assert.throws(() => createRegistry([named('a')], { replace: ['a'] }), /"a" can’t be replaced: only one tool/);
    assert.throws(() => createRegistry([named('a')], { replace: ['b'] }), /"b" can’t be replaced: no tool/);
  });

  test('a clash names the way out', () => {
    assert.throws(() => createRegistry([named('a'), named('a')]), /Two tools are called "a".* under replace/);
  });

  test('tells the model of a tool that takes plain text how it is to be offered', () => {
    const input = { type: 'object', properties: { patch: { type: 'string' } } } as const;
    const text = { argument: 'patch', grammar: { syntax: 'lark' as const, definition: 'start: "x"' } };
    const tool = defineTool({ name: 'a', description: 'Does it.', input, text, execute: () => 'done' });
    assert.deepEqual(createRegistry([tool]).specs(), [{ name: 'a', description: 'Does it.', input, text }]);
  });

  const oddFields: [string, object, RegExp][] = [
    ['a limit of results below what has room', { resultLimit: 499 }, /resultLimit .* 500 or more, not 499/],
    ['a negative one', { resultLimit: -1 }, /resultLimit/],
    ['one that is no number', { resultLimit: NaN }, /resultLimit/],
    ['half a one', { resultLimit: 1000.5 }, /resultLimit/],
    ['none at once', { atOnce: 0 }, /atOnce is a whole number, 1 or more, not 0/],
    ['a negative number at once', { atOnce: -1 }, /atOnce/],
    ['endlessly many at once', { atOnce: Infinity }, /atOnce/],
    ['a deferral that there isn’t', { deferral: 'later' }, /deferral is never, auto, always or untold, not "later"/],
    ['keywords that are one text', { keywords: 'a b' }, /keywords/],
    ['keywords that are no texts', { keywords: [1] }, /keywords/],
    ['idempotence that is a word', { idempotent: 'yes' }, /idempotent/],
    ['no way to execute', { execute: undefined }, /has no execute/],
    ['a time limit that isn’t a function any more', { timeout: 5 }, /has no timeout/],
    ['a description that is none', { description: 7 }, /no description/],
    ['a text that is no argument', { text: { argument: 'patch' } }, /the argument "patch", which its schema/],
    [
      'a grammar of another kind',
      { text: { argument: 'a', grammar: { syntax: 'peg', definition: 'x' } } },
      /lark or regex/,
    ],
    [
      'a grammar without words',
      { text: { argument: 'a', grammar: { syntax: 'lark', definition: '' } } },
      /no definition/,
    ],
  ];
  for (const [name, field, message] of oddFields) {
    test(`refuses a tool with ${name}`, () => {
      const tool = named('a', { input: { type: 'object', properties: { a: { type: 'string' } } } });
      assert.throws(
        () => createRegistry([{ ...tool, ...field }]),
        (error) => isUsage(error) && message.test(String(error)) && String(error).includes('"a"'),
      );
    });
  }

  test('takes the least that is allowed', () => {
    const tool = { ...named('a'), resultLimit: 500, atOnce: 1, keywords: [], deferral: 'never' as const };
    assert.deepEqual(createRegistry([tool]).names(), ['a']);
  });

  const oddSchemas: [string, object, RegExp][] = [
    [
      'a type that there isn’t',
      { properties: { a: { type: 'strin' } } },
      /at \/properties\/a, the type "strin" is unknown/,
    ],
    ['a type that is no word', { properties: { a: { type: 7 } } }, /the type 7/],
    ['a list of types with a strange one', { properties: { a: { type: ['string', 'nil'] } } }, /"nil"/],
    ['properties that are a list', { properties: [] }, /properties is an object of schemas/],
    ['a property that is no schema', { properties: { a: 'string' } }, /at \/properties\/a, a schema is/],
    ['required that is one name', { required: 'a' }, /required is a list of names/],
    ['a pattern that is none', { properties: { a: { pattern: '(' } } }, /the pattern "\(" is no regular expression/],
    ['a pattern of names that is none', { patternProperties: { '[': {} } }, /the pattern "\["/],
    ['a pattern that is a number', { properties: { a: { pattern: 5 } } }, /a pattern is a text/],
    ['an empty choice', { properties: { a: { enum: [] } } }, /enum is a list with something in it/],
    ['a choice that is a text', { properties: { a: { enum: 'ab' } } }, /enum/],
    ['a union of nothing', { properties: { a: { anyOf: [] } } }, /anyOf is a list/],
    ['a bound that is a text', { properties: { a: { minimum: '1' } } }, /minimum is a number/],
    ['a length below 0', { properties: { a: { maxLength: -1 } } }, /maxLength is a whole number/],
    ['half a length', { properties: { a: { minItems: 1.5 } } }, /minItems is a whole number/],
    ['multiples of 0', { properties: { a: { multipleOf: 0 } } }, /multipleOf is above 0/],
    ['items that are no schema', { properties: { a: { items: 5 } } }, /at \/properties\/a\/items/],
    [
      'a mistake deep inside',
      { properties: { a: { anyOf: [{}, { not: { type: 'x' } }] } } },
      /\/properties\/a\/anyOf\/1\/not/,
    ],
    [
      'a reference to nothing',
      { properties: { a: { $ref: '#/$defs/b' } } },
      /the reference "#\/\$defs\/b" leads to nothing/,
    ],
    ['a reference to elsewhere', { properties: { a: { $ref: 'https://x.example/y' } } }, /leads to nothing/],
    ['a reference that is no text', { properties: { a: { $ref: 1 } } }, /leads to nothing/],
    ['no bottom', nested(70), /nested more than 64 deep/],
  ];
  for (const [name, schema, message] of oddSchemas) {
    test(`refuses a schema with ${name}`, () => {
      assert.throws(
        () => createRegistry([named('a', { input: { type: 'object', ...schema } })]),
        (error) => isUsage(error) && message.test(String(error)),
      );
    });
  }

  const soundSchemas: [string, object][] = [
    ['schemas that are yes or no', { properties: { a: true, b: false } }],
    ['several types', { properties: { a: { type: ['string', 'null'] } } }],
    [
      'a reference to a definition',
      { properties: { a: { $ref: '#/$defs/b~1c' } }, $defs: { 'b/c': { type: 'string' } } },
    ],
    ['one to itself', { properties: { a: { $ref: '#' } } }],
    ['one by an anchor', { properties: { a: { $ref: '#here' } }, $defs: { b: { $anchor: 'here' } } }],
    ['one by an id', { properties: { a: { $ref: 'node' } }, $defs: { b: { $id: 'node' } } }],
    ['words of nobody’s', { 'x-order': 1, properties: { a: { type: 'string', format: 'odd', title: 7 } } }],
    ['items of before 2020', { properties: { a: { items: [{ type: 'string' }] } } }],
    ['much, but not too much in each other', nested(20)],
  ];
  for (const [name, schema] of soundSchemas) {
    test(`takes a schema with ${name}`, async () => {
      const tool = named('a', { input: { type: 'object', ...schema } });
      await using session = await toolSession({ tools: [tool], policy: { mode: 'unsafe' } });
      assert.equal((await session.call('a', {})).text, 'done');
    });
  }

  test('gives the same specs whatever the order', () => {
    const [a, b, c] = [named('a'), named('b'), named('c')];
    assert.deepEqual(createRegistry([c, a, b]).specs(), createRegistry([a, b, c]).specs());
    assert.deepEqual(createRegistry([c, a, b]).names(), ['a', 'b', 'c']);
  });

  test('the tools that no work is done without cost the first request at most 550 tokens', () => {
    const least = ['edit', 'read', 'shell', 'write'];
    const all = createRegistry(builtinTools({ shell: folderShell('/') })).specs();
    const specs = all.filter(({ name }) => least.includes(name));
    assert.equal(specs.length, least.length);
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
