import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadSettings } from '../../src/config/index.ts';
import { settingsSchema } from '../../src/config/schema.ts';
import { createSetting } from './places.ts';

const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');

interface Group {
  readonly properties?: { readonly [name: string]: Group };
}

function keysOf(schema: Group, prefix = ''): string[] {
  const names = Object.entries(schema.properties ?? {}).filter(([name]) => name !== '$schema');
  return names.flatMap(([name, inner]) =>
    inner.properties === undefined ? [prefix + name] : keysOf(inner, `${prefix}${name}.`),
  );
}

test('the page lists every key of the schema, and no other', () => {
  const rows = page.split('## Keys')[1]?.split('## Trust')[0] ?? '';
  const listed = [...rows.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, key]) => key);
  assert.deepEqual(listed, keysOf(settingsSchema as Group));
});

test('the page gives the defaults that are in force', async (t) => {
  const { workspace, env } = createSetting(t);
  const { entries } = await loadSettings({ workspace, env });
  const values = entries.filter(({ value }) => typeof value !== 'object');
  assert.ok(values.length > 10);
  for (const { path, value } of values) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${path.join('.')}\` |`)) ?? '';
    const shown = row.split('|').at(-3)?.trim();
    assert.equal(shown?.replaceAll('`', ''), typeof value === 'string' ? value : JSON.stringify(value), path.join('.'));
  }
});
