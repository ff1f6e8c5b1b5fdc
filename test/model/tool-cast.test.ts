import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { Compile } from 'typebox/schema';
import type { Json, JsonObject, ToolSpec } from '../../src/core/index.ts';
import { castTools, toolNames, type ToolRule } from '../../src/model/sending/tool-cast.ts';
import { factor } from '../support/property.ts';
import { anySchema, someArguments } from './any-schema.ts';

const name = { illegal: /[^a-zA-Z0-9_-]/g, longest: 12, first: /[a-zA-Z_]/ };

/** A provider that takes everything. */
const wide: ToolRule = {
  name,
  schema: {
    keywords: 'all',
    references: true,
    topUnions: true,
    typeLists: 'keep',
    enums: 'any',
    needsType: false,
    needsItems: false,
    lonelyUnions: false,
    depth: 64,
    bytes: 1_000_000,
  },
};

/** One that takes JSON Schema, but no reference and no union at the top. */
const plain = ruleOf({ references: false, topUnions: false, needsItems: true });

const someKeywords = new Set(
  'type title description enum items prefixItems anyOf oneOf properties additionalProperties required'.split(' '),
);
const some = ruleOf({ ...plain.schema, keywords: someKeywords, enums: 'scalars' });
const split = ruleOf({ ...some.schema, typeLists: 'any-of', needsType: true, depth: 4 });

const narrowKeywords = new Set('type description enum items anyOf properties required nullable'.split(' '));
/** One with a dialect of its own. */
const narrow = ruleOf({
  ...plain.schema,
  keywords: narrowKeywords,
  typeLists: 'nullable',
  enums: 'strings',
  needsType: true,
  lonelyUnions: true,
});

function ruleOf(schema: Partial<ToolRule['schema']>): ToolRule {
  return { name, schema: { ...wide.schema, ...schema } };
}

function tool(input: JsonObject, name = 'read'): ToolSpec {
  return { name, description: 'Reads.', input };
}

function cast(input: JsonObject, rule: ToolRule): JsonObject {
  const { tools, leftOut } = castTools([tool(input)], rule);
  assert.deepEqual(leftOut, []);
  return tools[0]!.input;
}

/** The cast schema of one property of an object. */
function castProperty(property: Json, rule: ToolRule): Json {
  const schema = cast({ type: 'object', properties: { x: property } }, rule);
  return (schema['properties'] as JsonObject)['x']!;
}

describe('what is right by the true schema is right by the cast one', () => {
  const rules = { wide, plain, some, split, narrow };
  for (const [title, rule] of Object.entries(rules)) {
    test(`for the rule "${title}", which every part of the cast schema keeps`, () => {
      let right = 0;
      fc.assert(
        fc.property(anySchema, fc.array(someArguments, { minLength: 10, maxLength: 20 }), (schema, values) => {
          const before = JSON.stringify(schema);
          const said = cast(schema, rule);
          assert.equal(JSON.stringify(schema), before, 'the schema given was changed');
          assert.equal(said['type'], 'object');
          assertKept(said, rule);
          const isRight = checkOf(schema);
          const isRightCast = checkOf(withoutNullable(said));
          for (const value of values) {
            if (!isRight(value)) continue;
            right += 1;
            assert.ok(isRightCast(value), `${JSON.stringify(value)} is refused by ${JSON.stringify(said)}`);
          }
        }),
        { numRuns: 300 * factor },
      );
      assert.ok(right > 500, `only ${right} values were right at all`);
    });
  }
});

/** A check; a schema that refers to itself without end takes nothing as true and rules nothing out as cast. */
function checkOf(schema: JsonObject): (value: unknown) => boolean {
  const compiled = Compile(schema);
  return (value) => {
    try {
      return compiled.Check(value);
    } catch (error) {
      assert.ok(error instanceof RangeError);
      return schema['$defs'] === undefined;
    }
  };
}

function assertKept(schema: JsonObject, rule: ToolRule, isTop = true): void {
  const { keywords, topUnions, lonelyUnions, typeLists, enums, needsType, needsItems } = rule.schema;
  if (keywords === 'all') return;
  const said = JSON.stringify(schema);
  for (const keyword of Object.keys(schema)) assert.ok(keywords.has(keyword), `${keyword} in ${said}`);
  if (isTop && !topUnions) assert.ok(schema['anyOf'] === undefined && schema['oneOf'] === undefined, said);
  if (lonelyUnions && schema['anyOf'] !== undefined) assert.deepEqual(Object.keys(schema), ['anyOf']);
  if (typeLists !== 'keep') assert.ok(!Array.isArray(schema['type']), said);
  if (needsType) assert.ok(schema['type'] ?? schema['anyOf'] ?? schema['oneOf'], said);
  if (needsItems && schema['type'] === 'array') assert.ok(schema['items'], said);
  if (schema['enum'] !== undefined && enums === 'strings') assert.equal(schema['type'], 'string', said);
  if (schema['enum'] !== undefined && enums !== 'any') {
    const allowed = enums === 'strings' ? ['string'] : ['string', 'number'];
    for (const value of schema['enum'] as Json[]) assert.ok(allowed.includes(typeof value), said);
  }
  const properties = Object.entries((schema['properties'] ?? {}) as JsonObject);
  for (const required of (schema['required'] ?? []) as string[]) {
    assert.ok(
      properties.some(([key]) => key === required),
      said,
    );
  }
  const lists = ['anyOf', 'oneOf', 'prefixItems'].flatMap((keyword) => (schema[keyword] ?? []) as JsonObject[]);
  const items = Object.keys((schema['items'] ?? {}) as JsonObject).length === 0 ? [] : [schema['items'] as JsonObject];
  for (const inner of [...properties.map(([, value]) => value as JsonObject), ...lists, ...items]) {
    assertKept(inner, rule, false);
  }
}

/** The cast schema in JSON Schema's own words, for the check. */
function withoutNullable(schema: JsonObject): JsonObject {
  const { nullable, ...rest } = schema;
  const said = Object.entries(rest).map(([keyword, value]): [string, Json] => {
    if (keyword === 'properties') return [keyword, mapped(value as JsonObject)];
    if (keyword === 'items') return [keyword, withoutNullable(value as JsonObject)];
    if (keyword === 'anyOf') return [keyword, (value as JsonObject[]).map(withoutNullable)];
    return [keyword, value];
  });
  return nullable === true ? { anyOf: [{ type: 'null' }, Object.fromEntries(said)] } : Object.fromEntries(said);
}

function mapped(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, withoutNullable(value as JsonObject)]),
  );
}

describe('how a schema is cast', () => {
  // One line a case, so that it reads as the table it is.
  // oxfmt-ignore
  const cases: [string, Json, ToolRule, Json][] = [
    ['a constant is a list of one', { const: 'a' }, some, { type: 'string', enum: ['a'] }],
    ['a value or null', { type: ['string', 'null'] }, narrow, { type: 'string', nullable: true }],
    ['a list or null', { anyOf: [{ type: 'array' }, { type: 'null' }] }, narrow, { type: 'array', nullable: true, items: {} }],
    ['several types', { type: ['string', 'integer'], minLength: 1 }, split, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
    ['values and null', { enum: ['a', null] }, some, { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] }],
    ['values and null, in one type', { enum: ['a', null] }, narrow, { type: 'string', enum: ['a'], nullable: true }],
    ['values that can’t be listed leave their type', { enum: [1, 2] }, narrow, { type: 'number' }],
    ['an empty value can’t be listed', { enum: ['', 'a'] }, narrow, { type: 'string' }],
    ['a list of something', { type: 'array' }, plain, { type: 'array', items: {} }],
    ['an older list of schemas', { items: [{ type: 'string' }] }, plain, { prefixItems: [{ type: 'string' }] }],
    ['no further items', { prefixItems: [{}], items: false }, plain, { prefixItems: [{}], maxItems: 1 }],
    ['places become kinds', { type: 'array', prefixItems: [{ type: 'string' }], maxItems: 1 }, narrow, { type: 'array', items: { type: 'string' } }],
    ['all of several', { allOf: [{ type: 'number' }, { type: 'integer', minimum: 2 }, { minimum: 1 }] }, some, { type: 'integer' }],
    ['exactly one of several', { oneOf: [{ type: 'string' }, { type: 'number' }] }, narrow, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['what stands beside a union', { description: 'd', anyOf: [{ type: 'string' }, { type: 'number' }] }, narrow, { anyOf: [{ type: 'string', description: 'd' }, { type: 'number', description: 'd' }] }],
    ['a negation that can’t be said', { type: 'string', not: { pattern: '^a' } }, some, { type: 'string' }],
    ['a negation that can', { type: 'string', not: { pattern: '^a' } }, plain, { type: 'string', not: { pattern: '^a' } }],
    ['always and never', { properties: { a: true, b: false } }, plain, { properties: { a: {} } }],
    ['patterns that can’t be named open the rest', { type: 'object', patternProperties: { '^a': {} }, additionalProperties: false }, some, { type: 'object' }],
    ['what isn’t described but required', { type: 'object', required: ['a', 'a', 7] }, plain, { type: 'object', properties: { a: {} }, required: ['a'] }],
    ['what is required and can’t be', { type: 'object', properties: {}, required: ['a'], additionalProperties: false }, plain, { type: 'object', properties: {}, additionalProperties: false }],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, plain, {}],
    ['a reference to nowhere', { $ref: '#/$defs/none', description: 'd' }, plain, { description: 'd' }],
    ['what is malformed', { type: 'text', properties: [], required: 'a', minimum: '1', anyOf: [], pattern: '(' }, wide, {}],
  ];
  for (const [title, property, rule, expected] of cases) {
    test(title, () => assert.deepEqual(castProperty(property, rule), expected));
  }

  test('a reference is written out, and kept where it is understood', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { at: { $ref: '#/$defs/place', description: 'where' } },
      $defs: { place: { type: 'string', description: 'a place' } },
    };
    assert.deepEqual(cast(schema, plain), {
      type: 'object',
      properties: { at: { type: 'string', description: 'where' } },
    });
    assert.deepEqual(cast(schema, wide), schema);
  });

  test('a recursion is left open where it begins again', () => {
    const node: JsonObject = {
      type: 'object',
      properties: { next: { $ref: '#/$defs/node' }, value: { type: 'string' } },
    };
    assert.deepEqual(cast({ $ref: '#/$defs/node', $defs: { node } }, plain), {
      type: 'object',
      properties: { next: { type: 'object' }, value: { type: 'string' } },
    });
  });

  test('a union of arguments becomes one object that says what goes together', () => {
    const kind = (action: string, ...names: string[]): JsonObject => ({
      type: 'object',
      properties: {
        action: { type: 'string', const: action },
        ...Object.fromEntries(names.map((key) => [key, { type: 'string' }])),
      },
      required: ['action', ...names],
      additionalProperties: false,
    });
    const schema = { description: 'An action.', anyOf: [kind('open', 'path'), kind('find', 'path', 'text')] };
    assert.deepEqual(cast(schema, some), {
      type: 'object',
      description: 'An action. Give one of these sets: action="open", path; action="find", path, text.',
      properties: {
        action: { type: 'string', enum: ['open', 'find'] },
        path: { type: 'string' },
        text: { type: 'string' },
      },
      required: ['action', 'path'],
      additionalProperties: false,
    });
    assert.deepEqual(cast(schema, wide), { ...schema, type: 'object' });
  });

  test('a kind that is no object can’t be meant', () => {
    assert.deepEqual(cast({ oneOf: [{ type: 'null' }, { properties: { a: { type: 'string' } } }] }, plain), {
      type: 'object',
      properties: { a: { type: 'string' } },
    });
  });

  test('what is deeper than the provider takes is left open', () => {
    const deep = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'object', properties: { b: {} } } } },
    };
    assert.deepEqual(cast(deep, ruleOf({ depth: 1 })), {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'object' } } },
    });
    assert.deepEqual(cast(deep, ruleOf({ depth: 3 })), deep);
  });

  test('references that fan out without end stay small', () => {
    const level = (index: number): JsonObject => ({
      type: 'object',
      properties: { a: { $ref: `#/$defs/d${index + 1}` }, b: { $ref: `#/$defs/d${index + 1}` } },
    });
    const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`d${index}`, level(index)]));
    const said = cast({ $ref: '#/$defs/d0', $defs }, plain);
    assert.ok(JSON.stringify(said).length < 200_000);
  });

  test('a property may have any name', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"const":1},"type":{},"$ref":{}}}',
    ) as JsonObject;
    assert.deepEqual(cast(schema, wide), schema);
    assert.equal(
      JSON.stringify(cast(schema, some)),
      '{"type":"object","properties":{"__proto__":{"type":"number","enum":[1]},"type":{},"$ref":{}}}',
    );
  });

  test('no schema whatever makes it fail', () => {
    const keywords = fc.constantFrom(
      'type',
      'items',
      '$ref',
      'anyOf',
      'allOf',
      'properties',
      'enum',
      'not',
      'if',
      '$defs',
      'required',
      'const',
    );
    const { anything } = fc.letrec<{ anything: Json }>((tie) => ({
      anything: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Json>(null, true, 1, 'string', '#', '#/properties/items', '%'),
        fc.array(tie('anything'), { maxLength: 3 }),
        fc.dictionary(keywords, tie('anything'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(keywords, anything, { maxKeys: 5 }), (schema) => {
        for (const rule of [wide, plain, split, narrow]) assert.equal(cast(schema, rule)['type'], 'object');
      }),
      { numRuns: 300 * factor },
    );
  });
});

describe('tools that can’t be cast are left out by name', () => {
  const leftOut = (input: JsonObject, rule = plain): string => {
    const cast = castTools([tool(input, 'bad'), tool({ type: 'object' }, 'good')], rule);
    assert.deepEqual(
      cast.tools.map(({ name }) => name),
      ['good'],
    );
    assert.deepEqual(
      cast.leftOut.map(({ tool }) => tool),
      ['bad'],
    );
    return cast.leftOut[0]!.why;
  };

  test('a schema that contains itself', () => {
    const circle: JsonObject = { type: 'object' };
    circle['properties'] = { again: circle };
    assert.match(leftOut(circle), /contains itself/);
  });

  test('a schema of absurd depth', () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = { items: deep };
    assert.match(leftOut(deep), /nested more than 200 levels/);
  });

  test('a schema that is no JSON', () => {
    assert.match(leftOut({ default: 1n as unknown as number }), /no JSON/);
  });

  test('a schema beyond the limit, but not one at it', () => {
    const schema = { type: 'object', description: 'x'.repeat(100) };
    const { length } = JSON.stringify(schema);
    assert.match(
      leftOut(schema, ruleOf({ bytes: length - 1 })),
      new RegExp(`has ${length} bytes, and at most ${length - 1}`),
    );
    assert.deepEqual(cast(schema, ruleOf({ bytes: length })), schema);
    const simple = { type: 'object', properties: { a: { type: 'string', description: 'x'.repeat(100) } } };
    const { length: whole } = JSON.stringify(simple);
    assert.match(leftOut(simple, ruleOf({ bytes: whole - 1 })), /at most/);
    assert.deepEqual(cast(simple, ruleOf({ bytes: whole })), simple);
  });

  test('a schema that is larger than anybody would read', () => {
    assert.match(leftOut({ description: 'x'.repeat(2_000_000) }), /has 2000018 characters; more than 2000000/);
  });

  test('the second of one name', () => {
    const cast = castTools([tool({ type: 'object' }), tool({ type: 'object', title: 'second' })], plain);
    assert.deepEqual(
      cast.tools.map(({ input }) => input),
      [{ type: 'object' }],
    );
    assert.deepEqual(cast.leftOut, [{ tool: 'read', why: 'Another tool has the same name.' }]);
  });
});

describe('names', () => {
  const named = (...names: string[]): ToolSpec[] => names.map((entry) => tool({ type: 'object' }, entry));

  test('are cast once each, and found back', () => {
    const own = ['a.b', 'a_b', 'a/b', '1st', '', 'a-very-long-name', 'a-very-long-nose', 'ä'];
    const names = toolNames(named(...own), plain);
    const sent = own.map((entry) => names.sent(entry));
    assert.deepEqual(sent, ['a_b_2', 'a_b', 'a_b_3', '_1st', 'unnamed', 'a-very-long-', 'a-very-lon_2', '_']);
    assert.deepEqual(
      sent.map((entry) => names.own(entry)),
      own,
    );
  });

  test('that no tool has are cast by themselves, and left as they came', () => {
    const names = toolNames(named('read'), plain);
    assert.equal(names.sent('gone.tool'), 'gone_tool');
    assert.equal(names.own('gone_tool'), 'gone_tool');
    assert.equal(names.own('toString'), 'toString');
  });

  test('are legal and different for any tools', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ maxLength: 20 }), { maxLength: 30 }), (own) => {
        const tools = named(...own);
        const names = toolNames(tools, plain);
        const sent = own.map((entry) => names.sent(entry));
        assert.equal(new Set(sent).size, own.length);
        for (const entry of sent) assert.match(entry, /^[a-zA-Z_][a-zA-Z0-9_-]{0,11}$/);
        assert.deepEqual(
          sent.map((entry) => names.own(entry)),
          own,
        );
        assert.deepEqual(
          castTools(tools, plain).tools.map(({ name }) => name),
          sent,
        );
      }),
      { numRuns: 300 * factor },
    );
  });
});

test('the same tools are cast once, and the same way again', () => {
  const make = (): ToolSpec[] => [tool({ type: 'object', properties: { a: { const: 1 } } })];
  const tools = make();
  assert.equal(castTools(tools, some), castTools(tools, some));
  assert.notEqual(castTools(tools, some), castTools(tools, narrow));
  assert.deepEqual(castTools(make(), some), castTools(tools, some));
});
