import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { builtinTools, createRegistry, defineTool, toolSet, type Tool } from '../../src/tools/index.ts';

const page = readFileSync(new URL('../../docs/default-tools.md', import.meta.url), 'utf8');

/** What the page says that a tool says, in the order of its rows. */
function quotedOf(name: string): { sentences: string[]; properties: { [name: string]: string } } {
  const sentences: string[] = [];
  const properties: { [name: string]: string } = {};
  for (const [, property, text = ''] of page.matchAll(
    new RegExp(String.raw`^\| ${name} \| (?:\`(\w+)\`: )?“(.*?)”`, 'gm'),
  )) {
    if (property === undefined) sentences.push(text);
    else properties[property] = text;
  }
  return { sentences, properties };
}

const unused = (): never => assert.fail('nothing is run here');
const needs = {
  shell: { run: unused },
  jobs: { list: unused, look: unused, type: unused, end: unused },
  searcher: { search: unused, find: unused },
  fetcher: { fetch: unused },
  memory: { change: unused },
  map: { mapper: { map: unused }, isTold: true },
  plan: () => undefined,
};

/** Every built-in tool that a model may be told of, whatever it edits with. */
function builtin(): Tool[] {
  const told = (['replace', 'patch', 'tagged', 'whole'] as const).flatMap((edits) =>
    builtinTools({ ...needs, edits }).filter(({ deferral }) => deferral !== 'untold'),
  );
  const rare = defineTool({
    name: 'rare',
    description: 'Does something rare.',
    input: { type: 'object' },
    deferral: 'always',
    execute: unused,
  });
  const { registry } = toolSet(createRegistry([rare]), { window: 100_000, ownDeferral: false });
  return [...told, registry.get('use_tool') ?? assert.fail('deferral brings it')];
}

test('the page says of every sentence of a description what it prevents', () => {
  // A tool whose description depends on the edit format has all of it in the page.
  const longest = new Map<string, Tool>();
  for (const tool of builtin()) {
    const known = longest.get(tool.name)?.description.length ?? 0;
    if (tool.description.length >= known) longest.set(tool.name, tool);
  }
  assert.ok(longest.size > 8);
  for (const [name, { description }] of longest) {
    assert.equal(quotedOf(name).sentences.join(' '), description.replaceAll(/\s+/g, ' '), name);
  }
});

test('the page says the same of every word that is said of an argument', () => {
  for (const { name, input } of builtin()) {
    const entries = Object.entries((input['properties'] ?? {}) as { [name: string]: { description?: string } });
    const said = entries.flatMap(([property, { description }]) =>
      description === undefined ? [] : [[property, description]],
    );
    assert.deepEqual(quotedOf(name).properties, Object.fromEntries(said), name);
  }
});
