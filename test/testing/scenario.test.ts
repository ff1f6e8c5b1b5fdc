import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Check } from 'typebox/schema';
import * as fc from 'fast-check';
import { ReinsError } from '../../src/core/index.ts';
import { loadScenario, parseScenario, scenarioSchema, startModelServer, strictRules } from '../../src/testing/index.ts';

/** What is wrong with a text, in the words of the error; undefined when it is a scenario. */
async function faultOf(text: string): Promise<string | undefined> {
  try {
    await parseScenario(text, 'demo.jsonc');
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ReinsError);
    assert.equal(error.code, 'scenario-invalid');
    return error.detail;
  }
}

const refused: [string, string, RegExp][] = [
  ['no JSON', '{"turns": [}', /^demo\.jsonc:1:12: isn’t JSON \(value expected\)/],
  ['an empty file', '', /^demo\.jsonc:1:1: isn’t JSON/],
  ['a list', '[]', /^demo\.jsonc:1:1: the scenario must be an object/],
  ['no turns', '{}', /^demo\.jsonc:1:1: the scenario lacks the key turns/],
  ['nothing to reply', '{"turns": []}', /turns must hold a turn/],
  [
    'an unknown key',
    '{\n "turns": [\n  {"txt": "a"}]}',
    /^demo\.jsonc:3:4: turns\[0\]\.txt is an unknown key; known here: thinking, text,/,
  ],
  ['a wrong kind', '{"turns": [{"text": 5}]}', /^demo\.jsonc:1:13: turns\[0\]\.text must be a text or a list/],
  ['a call without name', '{"turns": [{"calls": [{}]}]}', /turns\[0\]\.calls\[0\] lacks the key name/],
  [
    'arguments that are no object',
    '{"turns": [{"calls": [{"name": "a", "arguments": []}]}]}',
    /calls\[0\]\.arguments must be an object/,
  ],
  [
    'arguments beside malformed ones',
    '{"turns": [{"calls": [{"name": "a", "arguments": {}, "malformed": "{"}]}]}',
    /calls\[0\] has both/,
  ],
  [
    'a failure of no kind',
    '{"turns": [{"text": "a", "failures": [{"times": 2}]}]}',
    /failures\[0\] must be an object with one of status, cut,/,
  ],
  [
    'a key of another failure',
    '{"turns": [{"text": "a", "failures": [{"cut": "in-text", "status": 500}]}]}',
    /failures\[0\]\.cut is an unknown key/,
  ],
  [
    'an unknown stage',
    '{"turns": [{"text": "a", "failures": [{"cut": "in-txt"}]}]}',
    /failures\[0\]\.cut must be one of before-headers/,
  ],
  [
    'a stage that never comes',
    '{"turns": [{"text": "a", "failures": [{"cut": "in-call"}]}]}',
    /failures\[0\] can’t happen: the reply has no call/,
  ],
  [
    'a body that ends before its headers',
    '{"turns": [{"text": "a", "failures": [{"cut": "before-headers", "how": "end"}]}]}',
    /can’t happen before the headers/,
  ],
  [
    'a status that is none',
    '{"turns": [{"text": "a", "failures": [{"status": 99}]}]}',
    /status must be a whole number of at least 200 and at most 599/,
  ],
  [
    'a failure behind an endless one',
    '{"turns": [{"text": "a", "failures": [{"close": true, "times": "forever"}, {"status": 500}]}]}',
    /failures\[1\] is never reached/,
  ],
  ['close that is not true', '{"turns": [{"text": "a", "failures": [{"close": false}]}]}', /close must be true/],
  [
    'a turn behind an endless one',
    '{"turns": [{"text": "a", "repeat": "forever"}, {"text": "b"}]}',
    /turns\[1\] is never reached/,
  ],
  [
    'an end behind an endless turn',
    '{"turns": [{"text": "a", "repeat": "forever"}], "after": {"text": "b"}}',
    /after is never reached/,
  ],
  [
    'no repetition at all',
    '{"turns": [{"text": "a", "repeat": 0}]}',
    /repeat must be a whole number of at least 1 or "forever"|repeat must be a whole number of at least 1/,
  ],
  ['an empty turn', '{"turns": [{}]}', /turns\[0\] is empty/],
  ['a rule without a condition', '{"turns": [], "anyTurn": [{"text": "a"}]}', /anyTurn\[0\] lacks the key when/],
  ['a condition on a turn', '{"turns": [{"text": "a", "when": {}}]}', /when is an unknown key/],
  ['blocks beside text', '{"turns": [{"text": "a", "blocks": []}]}', /blocks can’t stand beside text/],
  ['raw beside text', '{"turns": [{"text": "a", "raw": []}]}', /raw is the whole stream/],
  ['half a millisecond', '{"turns": [{"text": "a", "delay": 1.5}]}', /delay must be a whole number/],
  [
    'an expectation of nothing',
    '{"turns": [{"text": "a", "expect": {"contains": ""}}]}',
    /expect\.contains must be a text that isn’t empty/,
  ],
  [
    'an unknown check',
    '{"strict": {"except": ["orphans"]}, "turns": [{"text": "a"}]}',
    /strict\.except\[0\] must be one of keys,/,
  ],
  ['a key twice', '{"turns": [{"text": "a"}], "turns": []}', /^demo\.jsonc:1:28: the key "turns" is there twice/],
];
for (const [name, text, message] of refused) {
  test(`a scenario with ${name} is refused, with its place`, async () => {
    assert.match((await faultOf(text)) ?? 'accepted', message);
  });
}

test('an odd key is quoted, so that it can’t draw on a terminal', async () => {
  const fault = await faultOf('{"turns": [{"\\u001b[2J x": 1}]}');
  assert.match(fault ?? '', /turns\[0\]\["\\u001b\[2J x"\] is an unknown key/);
});

const accepted: [string, string][] = [
  ['comments and trailing commas', '// why\n{"turns": [/* one */ {"text": "a",},],}'],
  ['a schema key and a description', '{"$schema": "x", "description": "d", "turns": [{"text": "a"}]}'],
  ['only rules', '{"turns": [], "anyTurn": [{"when": {"contains": "x"}, "text": "a"}]}'],
  ['only an end', '{"turns": [], "after": {"text": "a"}}'],
  ['an empty reply that is meant', '{"turns": [{"stop": "end"}]}'],
  ['several blocks of text', '{"turns": [{"text": ["a", "b"]}]}'],
  [
    'a cut where it can happen',
    '{"turns": [{"calls": [{"name": "a"}], "failures": [{"cut": "in-call", "how": "end", "times": 3}]}]}',
  ],
  ['any stage of a raw stream', '{"turns": [{"raw": [{"type": "ping"}], "failures": [{"cut": "in-call"}]}]}'],
  ['the last turn repeated for ever', '{"turns": [{"text": "a"}, {"text": "b", "repeat": "forever"}]}'],
  ['no usage, some usage', '{"turns": [{"text": "a", "usage": "none"}, {"text": "a", "usage": {"input": 0}}]}'],
  [
    'arguments of every kind',
    '{"turns": [{"calls": [{"name": "a", "arguments": {"x": null, "y": [1], "z": {"k": true}}}]}]}',
  ],
  ['a key of prototypes', '{"turns": [{"calls": [{"name": "a", "arguments": {"__proto__": 1, "constructor": 2}}]}]}'],
];
for (const [name, text] of accepted) {
  test(`a scenario with ${name} is accepted`, async () => assert.equal(await faultOf(text), undefined));
}

test('what the schema refuses is always refused with a place and a key', async () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const key = fc.constantFrom('text', 'calls', 'blocks', 'failures', 'expect', 'usage', 'repeat', 'raw', 'stop');
  const turn = fc.dictionary(key, value, { maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 3 }), async (turns) => {
      const fault = await faultOf(JSON.stringify({ turns }, null, 1));
      const fits = Check(scenarioSchema, { turns });
      if (!fits) assert.match(fault ?? 'accepted', /^demo\.jsonc:\d+:\d+: turns\[\d+\]\S* \S/);
    }),
    { numRuns: 300 },
  );
});

test('the published schema is the one that is applied', async () => {
  const file = fileURLToPath(new URL('../../schema/scenario.schema.json', import.meta.url));
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), JSON.parse(JSON.stringify(scenarioSchema)));
});

test('the scenarios of the documentation are scenarios', async () => {
  const page = await readFile(fileURLToPath(new URL('../../docs/testing.md', import.meta.url)), 'utf8');
  const examples = [...page.matchAll(/```jsonc\n(.*?)```/gs)].map((match) => match[1] ?? '');
  assert.ok(examples.length > 0);
  for (const example of examples) assert.equal(await faultOf(example), undefined);
  for (const rule of strictRules) assert.ok(page.includes(`| \`${rule}\` |`), `the check ${rule} is not documented`);
  for (const key of Object.keys(scenarioSchema.properties.turns.items.properties)) {
    assert.ok(page.includes(`\`${key}\``), `the key ${key} is not documented`);
  }
});

test('a file is read, and one that can’t be is named', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'reins-scenario-'));
  context.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'a.jsonc');
  await writeFile(file, '{"turns": [{"text": "grüß"}]} // fine');
  assert.equal(JSON.stringify(await loadScenario(file)), '{"turns":[{"text":"grüß"}]}');
  await writeFile(file, Buffer.from('{"turns": [{"text": "gr\xfc\xdf"}]}', 'latin1'));
  await assert.rejects(loadScenario(file), { code: 'scenario-invalid', detail: `${file}: the text isn’t UTF-8.` });
  await assert.rejects(loadScenario(join(folder, 'none')), {
    code: 'scenario-invalid',
    detail: `${join(folder, 'none')}: it doesn’t exist.`,
  });
});

test('a scenario that mentions a workspace isn’t served without one', async () => {
  const scenario = { turns: [{ text: 'in ${workspace}' }] };
  await assert.rejects(startModelServer(scenario), { code: 'scenario-invalid' });
  const server = await startModelServer(scenario, { values: { workspace: '/w' } });
  await server.close();
});
