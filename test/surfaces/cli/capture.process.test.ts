import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import type { CaptureAudit } from '../../../src/harness/index.ts';
import { commandLine, openBench, type Bench, type StartOptions } from './command-line.ts';

const sdk = (name: string): string => JSON.stringify(import.meta.resolve(name));
const node = process.execPath;

/** Posts bodies to the Messages API that it finds, and says what came back. */
const poster = `
const bodies = JSON.parse(process.argv[2] ?? '[]');
for (const body of bodies) {
  const headers = { 'x-api-key': process.env.ANTHROPIC_API_KEY, 'content-type': 'application/json' };
  const url = process.env.ANTHROPIC_BASE_URL + '/v1/messages?key=in-the-address';
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  console.log(answer.status, (await answer.text()).includes(process.argv[3] ?? 'done'));
}
process.exit(Number(process.argv[4] ?? 0));
`;

const asking = (text: string, more: object = {}) => ({
  model: 'claude-a',
  max_tokens: 9,
  ...more,
  messages: [{ role: 'user', content: text }],
});

interface Captured extends Awaited<ReturnType<Bench['reins']>> {
  bench: Bench;
  /** The folder of the capture in the state folder; empty where none was made. */
  folder: string;
}

function captures(bench: Bench): string[] {
  const all = join(bench.environment['XDG_STATE_HOME'] ?? '', 'reins', 'captures');
  return existsSync(all) ? readdirSync(all).map((name) => join(all, name)) : [];
}

async function capture(
  t: TestContext,
  program: string,
  words: string[],
  options?: StartOptions & { with?: string[] },
): Promise<Captured> {
  const bench = openBench(t);
  const file = bench.file('client.mjs', program);
  const ended = await bench.reins(['capture', ...(options?.with ?? []), '--', node, file, ...words], options);
  return { ...ended, bench, folder: captures(bench)[0] ?? '' };
}

const indexOf = (folder: string) =>
  readFileSync(join(folder, 'requests.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { number: number; file: string; path: string; bytes: number });

async function auditOf(bench: Bench, folder: string): Promise<CaptureAudit> {
  const { out, exit, err } = await bench.reins(['capture', '--audit', folder, '--json']);
  assert.equal(exit, 0, err);
  return JSON.parse(out) as CaptureAudit;
}

describe('a capture', () => {
  test('keeps each body to the byte, in order, for its owner alone, and no header', async (t) => {
    const bodies = [asking('hello é'), asking('again', { system: 'Be brief.' })];
    const { folder, exit, err, out } = await capture(t, poster, [JSON.stringify(bodies)]);
    assert.equal(exit, 0, err);
    assert.equal(out, '200 true\n200 true\n');
    const index = indexOf(folder);
    assert.deepEqual(
      index.map(({ number, file, path }) => [number, file, path]),
      [
        [1, '0001.json', '/v1/messages'],
        [2, '0002.json', '/v1/messages'],
      ],
    );
    const kept = index.map(({ file }) => readFileSync(join(folder, file), 'utf8'));
    assert.deepEqual(
      kept,
      bodies.map((body) => JSON.stringify(body)),
    );
    assert.deepEqual(readdirSync(folder).toSorted(), ['0001.json', '0002.json', 'requests.jsonl']);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    for (const name of readdirSync(folder)) {
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
      assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /reins-capture-no-key|x-api-key|in-the-address/);
    }
  });

  test('gives the program no key and no other way to a provider', async (t) => {
    const secrets = {
      ANTHROPIC_API_KEY: 'real-1',
      OPENAI_API_KEY: 'real-2',
      GROQ_API_KEY: 'real-3',
      GITHUB_TOKEN: 'real-4',
      AWS_SECRET_ACCESS_KEY: 'real-5',
      DB_PASSWORD: 'real-6',
      ANTHROPIC_AUTH_TOKEN: 'real-7',
      GROQ_BASE_URL: 'https://real-8',
      CLAUDE_CODE_USE_BEDROCK: 'real-9',
      ANTHROPIC_CUSTOM_HEADERS: 'x: real-10',
    };
    const kept = { KEYBOARD: 'us', TOKENIZERS_PARALLELISM: 'no', MONKEY: 'yes', NO_PROXY: 'intra.example' };
    const { out, exit } = await capture(t, 'console.log(JSON.stringify(process.env));', [], {
      environment: { ...secrets, ...kept },
    });
    assert.equal(exit, 0);
    assert.doesNotMatch(out, /real-\d/);
    const env = JSON.parse(out) as { [name: string]: string };
    const url = env['ANTHROPIC_BASE_URL'] ?? '';
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.deepEqual(
      ['OPENAI_BASE_URL', 'OPENAI_API_BASE', 'GOOGLE_GEMINI_BASE_URL', 'REINS_CAPTURE_URL'].map((name) => env[name]),
      [`${url}/v1`, `${url}/v1`, url, url],
    );
    const { NO_PROXY, ...others } = kept;
    for (const [name, value] of Object.entries(others)) assert.equal(env[name], value);
    assert.equal(env['NO_PROXY'], `${NO_PROXY},127.0.0.1,localhost`);
  });

  test('serves the official clients of all wires, by the variables alone', async (t) => {
    const program = `
      import Anthropic from ${sdk('@anthropic-ai/sdk')};
      import OpenAI from ${sdk('openai')};
      import { GoogleGenAI } from ${sdk('@google/genai')};
      const messages = [{ role: 'user', content: 'hello' }];
      const message = await new Anthropic().messages.create({ model: 'claude-a', max_tokens: 99, messages });
      console.log(message.content[0].text);
      const openai = new OpenAI();
      console.log((await openai.chat.completions.create({ model: 'gpt-a', messages })).choices[0].message.content);
      console.log((await openai.responses.create({ model: 'gpt-b', input: 'hello' })).output_text);
      const google = new GoogleGenAI({});
      console.log((await google.models.generateContent({ model: 'gemini-a', contents: 'hello' })).text);
      process.exit(0);
    `;
    const { bench, folder, out, err, exit } = await capture(t, program, []);
    assert.equal(exit, 0, err);
    assert.equal(out, 'done\ndone\ndone\ndone\n');
    const { requests } = await auditOf(bench, folder);
    assert.deepEqual(
      requests.map((request) => ('wire' in request ? [request.wire, request.model] : request.problem)),
      [
        ['anthropic', 'claude-a'],
        ['openai-chat', 'gpt-a'],
        ['openai-responses', 'gpt-b'],
        ['gemini', 'gemini-a'],
      ],
    );
  });

  test('answers by a scenario, and says what that refused', async (t) => {
    const bench = openBench(t);
    const file = bench.file('client.mjs', poster);
    const scenario = bench.scenario({ turns: [{ text: 'from ${workspace}' }] }).slice('script:'.length);
    const bodies = JSON.stringify([
      asking('one'),
      {
        ...asking('two'),
        messages: [
          { role: 'user', content: 'two' },
          { role: 'assistant', content: 'x' },
          { role: 'user', content: 'three' },
        ],
      },
    ]);
    const { out, err, exit } = await bench.reins(['capture', '--script', scenario, '--', node, file, bodies, 'from /']);
    assert.deepEqual([out, exit], ['200 true\n400 false\n', 0], err);
    assert.match(err, /not served: request 2: the scenario has no turn 2/);
    assert.equal(indexOf(captures(bench)[0] ?? '').length, 2);
  });

  test('refuses everything with --refuse, and has it all the same', async (t) => {
    const bodies = JSON.stringify([asking('one')]);
    const { out, folder } = await capture(t, poster, [bodies, 'only records'], { with: ['--refuse'] });
    assert.equal(out, '400 true\n');
    assert.equal(indexOf(folder).length, 1);
  });

  test('keeps also what no model server could read, and names what it does not serve', async (t) => {
    const program = `
      const post = (path, body) => fetch(process.env.OPENAI_BASE_URL + path, { method: 'POST', body }).then(({ status }) => status);
      console.log(await post('/responses', 'no JSON'), await post('/embeddings', '{}'));
      process.exit(0);
    `;
    const { out, err, folder, bench } = await capture(t, program, []);
    assert.equal(out, '400 404\n');
    assert.match(err, /not served: Not found: POST \/v1\/embeddings/);
    assert.equal(readFileSync(join(folder, '0001.json'), 'utf8'), 'no JSON');
    const { requests } = await auditOf(bench, folder);
    assert.deepEqual(requests, [{ number: 1, problem: '0001.json is no request that can be read (/v1/responses)' }]);
  });

  test('passes standard input and output on, and prints its table on standard error', async (t) => {
    const bench = openBench(t);
    const started = bench.start(['capture', '--', 'cat'], { stdin: 'open' });
    started.child.stdin.end('through\n');
    const { out, err, exit } = await started.ended;
    assert.deepEqual([out, exit], ['through\n', 0]);
    assert.match(err, /captured 0 requests\n$/);
    assert.deepEqual(captures(bench), [], 'nothing came, so nothing is kept');
  });
});

describe('the exit code of a capture', () => {
  test('is the program’s own', async (t) => {
    assert.equal((await capture(t, poster, ['[]', '', '7'])).exit, 7);
  });

  test('tells the signal that ended it', async (t) => {
    const bench = openBench(t);
    assert.equal((await bench.reins(['capture', '--', 'sh', '-c', 'kill -KILL $$'])).exit, 137);
  });

  test('is the program’s also when it is told to end: it gets the signal and has its say', async (t) => {
    const bench = openBench(t);
    const script = 'trap "echo bye; exit 9" TERM; echo ready; while :; do sleep 0.05; done';
    const started = bench.start(['capture', '--', 'sh', '-c', script]);
    await started.until('out', /ready/);
    started.child.kill('SIGTERM');
    const { out, exit } = await started.ended;
    assert.deepEqual([out, exit], ['ready\nbye\n', 9]);
  });

  test('is 2 for what can’t be started or isn’t said, and nothing is left behind', async (t) => {
    const bench = openBench(t);
    const file = bench.file('not-executable', '');
    for (const [words, said] of [
      [['--', 'no-such-program'], /"no-such-program" can’t be started: there is no such program/],
      [['--', file], /can’t be started: it may not be run/],
      [[], /Which program\?/],
      [['--'], /Which program\?/],
      [['claude'], /argument too many/],
      [['--json', '--', 'true'], /--json goes with --audit/],
      [['--refuse', '--script', 'x.json', '--', 'true'], /exclude each other/],
      [['--script', 'x.json', '--', 'true'], /x\.json/],
      [['--audit', bench.workspace, '--', 'true'], /runs nothing/],
      [['--audit', bench.workspace], /holds no capture/],
    ] as [string[], RegExp][]) {
      const { exit, err, out } = await bench.reins(['capture', ...words]);
      assert.deepEqual([exit, out], [2, ''], err);
      assert.match(err, said);
    }
    assert.deepEqual(captures(bench), []);
  });

  test('is 1 when a request could not be kept', async (t) => {
    const bench = openBench(t);
    const out = join(bench.workspace, 'out');
    mkdirSync(out);
    writeFileSync(join(out, '0001.json'), 'somebody’s own');
    const file = bench.file('client.mjs', poster);
    const words = ['capture', '--out', out, '--', node, file, JSON.stringify([asking('one')])];
    const { exit, err } = await bench.reins(words);
    assert.equal(exit, 1);
    assert.match(err, /can’t be written.*0001\.json/);
    assert.equal(readFileSync(join(out, '0001.json'), 'utf8'), 'somebody’s own');
  });
});

test('--out names the folder, and one that has a capture is not touched', async (t) => {
  const bench = openBench(t);
  const file = bench.file('client.mjs', poster);
  const words = ['capture', '--out', 'captures/one', '--', node, file, JSON.stringify([asking('one')])];
  assert.equal((await bench.reins(words)).exit, 0);
  const folder = join(bench.workspace, 'captures', 'one');
  const before = readFileSync(join(folder, 'requests.jsonl'), 'utf8');
  assert.equal(statSync(dirname(folder)).mode & 0o777, 0o700);
  const again = await bench.reins(words);
  assert.equal(again.exit, 2);
  assert.match(again.err, /has a capture already/);
  assert.equal(readFileSync(join(folder, 'requests.jsonl'), 'utf8'), before);
  assert.deepEqual(captures(bench), []);
});

describe('an audit', () => {
  const tools = [{ name: 'bash', description: 'runs '.repeat(100), input_schema: {} }];
  const base = { tools, system: 'You are brief.', max_tokens: 9, model: 'claude-a' };
  const grown = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'bash', input: { command: 'ls -l' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'file\n'.repeat(500) }] },
  ];
  const bodies = [
    asking('one', base),
    { ...base, messages: grown },
    { ...base, system: 'You are long.', messages: grown },
  ];

  test('says what is in the requests and where they break, for people and for programs', async (t) => {
    const { bench, folder, err } = await capture(t, poster, [JSON.stringify(bodies)]);
    const shown = await bench.reins(['capture', '--audit', folder]);
    assert.equal(shown.exit, 0);
    assert.ok(err.endsWith(shown.out), 'the same table as at the end of the capture');
    assert.match(shown.out, /^tools +1: ~\d+ +1: ~\d+\n {4}bash /m);
    assert.match(shown.out, /^results +- +1: ~\d+\n {4}bash ls -l +- +~\d+$/m);
    const { requests } = await auditOf(bench, folder);
    assert.deepEqual(
      requests.map((request) => ('extension' in request ? request.extension.prefix : request.problem)),
      ['first', 'extends', 'broke'],
    );
    const last = requests[2];
    assert.ok(last !== undefined && 'extension' in last && last.extension.prefix === 'broke');
    assert.deepEqual(
      [last.extension.before, last.extension.broke.of, last.extension.broke.name],
      [2, 'system', 'You are brief.'],
    );
    assert.equal(last.layers.reduce((sum, { bytes }) => sum + bytes, 0) + last.frame, last.bytes);
    assert.equal(
      last.layers.reduce((sum, { tokens }) => sum + tokens, 0),
      last.total,
    );
    assert.equal(last.tools.tokens + last.system + last.messages, last.total);
  });

  test('trusts no folder: damage is named, and nothing outside is read', async (t) => {
    const { bench, folder } = await capture(t, poster, [JSON.stringify(bodies)]);
    bench.file('secret.json', JSON.stringify(asking('secret')));
    const line = { number: 9, at: 1, path: '/v1/messages', file: '../../../../workspace/secret.json', bytes: 1 };
    appendFileSync(join(folder, 'requests.jsonl'), `${JSON.stringify(line)}\n{"torn":\nnull\n`);
    rmSync(join(folder, '0002.json'));
    writeFileSync(join(folder, '0003.json'), '\u001b[2J{');
    const { requests } = await auditOf(bench, folder);
    assert.doesNotMatch(JSON.stringify(requests), /secret/);
    const problems = requests.map((request) => ('problem' in request ? request.problem : 'read'));
    assert.equal(problems[0], 'read');
    assert.match(problems[1] ?? '', /^0002\.json can’t be read: /);
    assert.match(problems[2] ?? '', /^0003\.json is no request that can be read/);
    assert.deepEqual(
      problems.slice(3),
      [4, 5, 6].map((number) => `line ${number} of requests.jsonl is damaged`),
    );
    assert.equal((await bench.reins(['capture', '--audit', folder])).exit, 0);
  });

  test('reads plain files alone: nothing that a link leads to, and nothing that never ends', async (t) => {
    const bench = openBench(t);
    const secret = bench.file('secret.json', JSON.stringify(asking('secret')));
    const folder = bench.file('hostile/requests.jsonl', '').replace('/requests.jsonl', '');
    const line = (number: number) => ({ number, at: 1, path: '/v1/messages', file: `${number}.json`, bytes: 1 });
    writeFileSync(
      join(folder, 'requests.jsonl'),
      [1, 2, 3, 4].map((number) => `${JSON.stringify(line(number))}\n`).join(''),
    );
    symlinkSync(secret, join(folder, '1.json'));
    symlinkSync('/dev/zero', join(folder, '2.json'));
    mkdirSync(join(folder, '3.json'));
    execFileSync('mkfifo', [join(folder, '4.json')]);
    const { requests } = await auditOf(bench, folder);
    const problems = requests.map((request) => ('problem' in request ? request.problem : 'read'));
    assert.deepEqual(
      problems,
      [1, 2, 3, 4].map((number) => `${number}.json can’t be read: it is no file`),
    );
    rmSync(join(folder, 'requests.jsonl'));
    execFileSync('mkfifo', [join(folder, 'requests.jsonl')]);
    const { exit, err } = await bench.reins(['capture', '--audit', folder]);
    assert.equal(exit, 2);
    assert.match(err, /holds no capture: it is no file/);
  });
});

test('Reins itself can be captured: what it sends extends, and no session of it needs a key', async (t) => {
  const bench = openBench(t);
  bench.file('a.txt', 'alpha\n');
  const calls = [{ name: 'read', arguments: { path: 'a.txt' } }];
  const scenario = bench
    .scenario({ turns: [{ text: 'I look.', calls }, { text: 'It says alpha.' }] })
    .slice('script:'.length);
  const program = [node, commandLine, 'run', '--mode', 'plan', '--model', 'anthropic/claude-sonnet-5-5', 'look'];
  const { out, err, exit } = await bench.reins(['capture', '--script', scenario, '--', ...program]);
  assert.deepEqual([out, exit], ['It says alpha.\n', 0], err);
  const { requests } = await auditOf(bench, captures(bench)[0] ?? '');
  assert.deepEqual(
    requests.map((request) => ('extension' in request ? request.extension : request.problem)),
    [{ prefix: 'first' }, { prefix: 'extends', before: 1 }],
  );
});
