import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadSettings } from '../../src/config/index.ts';
import { settingsSchema } from '../../src/config/schema.ts';
import { vendors } from '../../src/model/index.ts';
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
  const rows = page.split('## Keys')[1]?.split('## Providers')[0] ?? '';
  const listed = [...rows.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, key]) => key);
  assert.deepEqual(listed, keysOf(settingsSchema as Group));
});

test('the page names every key of a provider, a model and a route, and every choice of them', () => {
  const section = (from: string, to: string) => page.split(from)[1]?.split(to)[0] ?? '';
  const { providers, models, routes } = settingsSchema.properties;
  const provider = providers.additionalProperties.properties;
  const named = (text: string, words: readonly string[], what: string) => {
    for (const word of words) assert.ok(text.includes(`\`${word}\``), `${what} ${word}`);
  };
  const onProviders = section('## Providers', '### The key');
  named(onProviders, Object.keys(provider), 'the key');
  named(onProviders, [...provider.profile.enum, ...provider.auth.enum], 'the choice');
  named(onProviders, Object.keys(vendors), 'the provider');
  named(
    page,
    Object.values(vendors).flatMap(({ keyVariables }) => keyVariables),
    'the variable',
  );
  const onModels = section('## Models', '### Phases');
  const { abilities } = models.additionalProperties.properties;
  named(onModels, Object.keys(models.additionalProperties.properties), 'the key');
  named(onModels, Object.keys(abilities.properties), 'the ability');
  const { when } = routes.items.properties;
  const onRoutes = section('### Routes', '### Without a model');
  named(onRoutes, [...Object.keys(when.properties), ...when.properties.failure.items.enum], 'the condition');
  named(onRoutes, when.properties.role.enum, 'the role');
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
