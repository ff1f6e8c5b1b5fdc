import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { nobodyThere } from '../../harness/ground.ts';
import { serve } from '../../model/loopback.ts';
import { openBench, type Bench } from './command-line.ts';

function settings(bench: Bench, user: object): void {
  const config = join(bench.environment['XDG_CONFIG_HOME'] ?? '', 'reins');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'settings.json'), JSON.stringify(user));
}

async function served(context: TestContext, ids: string[]): Promise<string> {
  const body = JSON.stringify({ data: ids.map((id) => ({ id })) });
  return (await serve(context, (_, response) => response.end(body))).url;
}

describe('reins models', () => {
  test('lists what can be used with sizes and prices, and says of the rest why not', async (context) => {
    const bench = openBench(context);
    const url = await served(context, ['qwen3:8b', '\u001b[2Jevil']);
    settings(bench, {
      providers: { ...nobodyThere, ollama: { baseUrl: url } },
      routes: [{ model: 'ollama/qwen3:8b', when: { failure: ['quota', 'unreachable'], tries: 2 } }],
      effort: 'low',
    });
    const environment = { ANTHROPIC_API_KEY: 'secret-0123456789' };
    const { out, err, exit } = await bench.reins(['models'], { environment });
    assert.deepEqual([exit, err], [0, '']);
    assert.match(out, /^model {3}anthropic\/claude-sonnet-5-5 \(effort low\)$/m);
    assert.match(out, /because there is ANTHROPIC_API_KEY/);
    assert.match(
      out,
      /^route {3}ollama\/qwen3:8b \(effort low\): after a failure: quota, unreachable, after 2 tries$/m,
    );
    assert.match(out, /^✓ anthropic {3}has ANTHROPIC_API_KEY$/m);
    assert.match(
      out,
      /anthropic\/claude-opus-5-5 +1,000,000 in 128,000 out {2}\$4 in \$20 out a million, 2026-11-12$/m,
    );
    assert.match(out, /anthropic\/claude-haiku-5-5 .* no rate: its price depends on the length of the prompt$/m);
    assert.match(out, /^✗ openai .*OPENAI_API_KEY is not set/m);
    assert.doesNotMatch(out, /openai\/gpt/);
    assert.match(out, new RegExp(`^✓ ollama +answers at ${url}$`, 'm'));
    assert.match(out, /ollama\/qwen3:8b .*no rate; assumed: a context window of 32000 tokens/);
    assert.match(out, /^✗ vllm +nothing answers at/m);
    assert.doesNotMatch(out, /secret|evil|\u001b/);
  });

  test('with --all also the models of the others', async (context) => {
    const bench = openBench(context);
    settings(bench, { providers: nobodyThere });
    const { out } = await bench.reins(['models', '--all']);
    assert.match(out, /^✗ No model is configured/m);
    assert.match(out, /openai\/gpt-6\.2-sol/);
  });

  test('with --json one object, with all of it and no key', async (context) => {
    const bench = openBench(context);
    settings(bench, { providers: nobodyThere });
    const { out } = await bench.reins(['models', '--json'], { environment: { OPENAI_API_KEY: 'secret-0123456789' } });
    assert.doesNotMatch(out, /secret/);
    const report = JSON.parse(out) as { model: { name: string }; providers: { name: string; models: object[] }[] };
    assert.equal(out.trimEnd().split('\n').length, 1);
    assert.equal(report.model.name, 'openai/gpt-6.2-sol');
    assert.ok(report.providers.length >= 13);
    assert.ok(report.providers.every(({ models }) => Array.isArray(models)));
  });

  test('says what an untrusted project would choose, and mistakes in the settings', async (context) => {
    const bench = openBench(context);
    settings(bench, { providers: nobodyThere });
    bench.file('.reins/settings.json', '{ "model": "openai/gpt-5" }');
    const untrusted = await bench.reins(['models']);
    assert.equal(untrusted.exit, 0);
    assert.match(untrusted.err, /^! The settings of this project are not trusted; left out: model/);
    bench.file('.reins/settings.json', '{ "providers": {} }');
    const refused = await bench.reins(['models']);
    assert.deepEqual([refused.exit, refused.out], [2, '']);
    assert.match(refused.err, /settings\.json:1:3: providers: Only the user’s own settings may have this key/);
  });
});

test('effort, thinking and temperature of a run are what the request says', async (context) => {
  const bench = openBench(context);
  const model = bench.scenario({ turns: [{ text: 'Hello.' }] });
  const words = ['run', '--model', model, '--effort', 'high', '--thinking', '2048', '--temperature', '1', 'greet'];
  const ended = await bench.reins(words);
  assert.equal(ended.exit, 0, ended.err);
  const { out } = await bench.reins(['log', '--json']);
  assert.match(out, /"settings":\{"effort":"high","thinking":2048,"temperature":1\}/);
});
