import assert from 'node:assert/strict';
import { mkdirSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createSession, sayTo, sessionDiff, type Event, type Session } from '../../src/harness/index.ts';
import { createRedactor } from '../../src/safety/index.ts';
import { startModelServer, temporaryWorkspace, type Scenario } from '../../src/testing/index.ts';

const value = 'Zx81kQpL0vNm77RtYwBa';
const nested = 'nested.9value/x7.q';
const other = 'Qw55-granted-9fKtLz3';
const key = 'k3y-of-the-user-77Xq';
const keyLines = Array.from({ length: 5 }, (_, index) =>
  `${'QmFzZTY0'.repeat(7)}l1n3${index}${'abc'.slice(index % 3)}`.padEnd(64, 'Z').slice(0, 64),
);
const keyFile = ['-----BEGIN PRIVATE KEY-----', ...keyLines, '-----END PRIVATE KEY-----', ''].join('\n');
const spellings = [
  value,
  nested,
  key,
  Buffer.from(value).toString('base64').slice(0, 24),
  encodeURIComponent(value),
  ...keyLines,
];

interface Place {
  workspace: string;
  env: { [name: string]: string | undefined };
  session: Session;
  events: Event[];
  watched: string[];
  requests: () => string[];
}

async function open(
  t: TestContext,
  turns: (placeholder: string) => Scenario['turns'],
  checks?: string[],
  user: object = {},
): Promise<Place> {
  const config = `KEY_FILE=no\npassword: ${value}\nlast\n`;
  const files = {
    '.env': `API_TOKEN=${value}\n`,
    'sub/.env': `DB_PASSWORD=${nested}\n`,
    'config.yml': config,
    'id.pem': keyFile,
    'long.txt': `${'x'.repeat(1990)}${value}\n`,
  };
  const workspace = await temporaryWorkspace({ files });
  const home = await temporaryWorkspace({
    files: { '.config/reins/settings.json': JSON.stringify({ files: { env: 'allow' }, ...user }) },
  });
  const state = join(home.path, '.local/state/reins');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(join(state, 'placeholders.key'), Buffer.alloc(32, 7), { mode: 0o600 });
  const placeholder = createRedactor({ values: [{ name: 'API_TOKEN', value }], key: () => Buffer.alloc(32, 7) }).redact(
    value,
  );
  const server = await startModelServer({ position: 'count', turns: turns(placeholder) });
  const env = {
    PATH: process.env['PATH'],
    HOME: home.path,
    MY_TOKEN: other,
    NPM_TOKEN: other,
    HARMLESS: `x${value}`,
    MONKEY: 'banana',
    GIT_AUTHOR_NAME: 'Ann',
  };
  const events: Event[] = [];
  const watched: string[] = [];
  const session = await createSession({
    workspace: workspace.path,
    env,
    settings: {
      model: 'x',
      mode: 'unsafe',
      checks: checks ?? 'waived',
      endpoint: { baseUrl: server.url, apiKey: key },
    },
    onEvent: (event) => events.push(event),
    onNotification: (notification) => watched.push(JSON.stringify(notification)),
  });
  t.after(async () => {
    await session.close();
    await server.close();
    await workspace.dispose();
    await home.dispose();
  });
  return {
    workspace: workspace.path,
    env,
    session,
    events,
    watched,
    requests: () => server.requests.map(({ bytes }) => bytes.toString()),
  };
}

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

/** No value stands in anything that a session keeps, sends, tells or shows. */
function assertNowhere({ env, session, events, watched, requests }: Place, ...more: string[]): void {
  const jobs = join(env['HOME'] ?? '', '.local/state/reins/jobs');
  const folders = [session.folder, ...(existsSync(jobs) ? [jobs] : [])];
  const kept = folders.flatMap((folder) => [...filesIn(folder)]).map((path) => readFileSync(path, 'latin1'));
  const texts = { kept, watched: [watched.join('')], events: [JSON.stringify(events)], requests: requests(), more };
  for (const [where, all] of Object.entries(texts)) {
    for (const text of all) for (const secret of spellings) assert.ok(!text.includes(secret), `${where}: ${secret}`);
  }
  const deltas = watched.map((line) => (JSON.parse(line) as { delta?: string }).delta ?? '').join('');
  for (const secret of spellings) assert.ok(!deltas.includes(secret), `deltas: ${secret}`);
}

const call = (name: string, args: object) => ({ name, arguments: args as { [name: string]: string } });
const results = ({ events }: Place) => events.flatMap((event) => (event.kind === 'result' ? [event.data] : []));

describe('secrets in a run', () => {
  test('stand in no line of the log, no blob, no request, no notification and no outcome', async (t) => {
    const flood = `i=0; while [ $i -lt 4000 ]; do echo "$i ${'filler '.repeat(8)}"; i=$((i+1)); done; cat .env; base64 -w0 .env`;
    const place = await open(
      t,
      () => [
        {
          calls: [
            call('shell', {
              command: `cat .env; printf %s ${value.slice(0, 7)}; sleep 0.1; printf '%s\\n' ${value.slice(7)}; cat id.pem`,
            }),
            call('shell', { command: flood }),
            call('read', { path: 'config.yml' }),
            call('read', { path: 'sub/.env' }),
            call('read', { path: 'id.pem', offset: 3 }),
            call('read', { path: 'long.txt' }),
            call('search', { pattern: 'password|QmFz' }),
            call('shell', { command: 'cat .env; sleep 0.2; cat id.pem', background: 'kept' }),
          ],
        },
        {
          calls: [
            call('edit', { path: 'config.yml', old: 'last', new: 'first' }),
            call('shell', { command: 'cat sub/.env' }),
          ],
        },
        { text: `Done: ${value} and ${key}.` },
        { text: 'Really done.' },
        { text: 'Really done.' },
        { text: 'Really done.' },
      ],
      ['cat config.yml id.pem; exit 1'],
    );
    await place.session.say('go');
    const outcome = await place.session.run();
    assertNowhere(place, JSON.stringify(outcome), await place.session.diff());
    const shown = results(place)
      .map(({ text }) => text)
      .join('\n');
    assert.match(shown, /API_TOKEN=\[secret:API_TOKEN:[0-9a-f]{8}\]/);
    assert.ok(results(place).some(({ blob }) => blob !== undefined));
    const evidence = place.events.find((event) => event.kind === 'evidence');
    assert.ok(evidence?.kind === 'evidence' && /password: \[secret:/.test(evidence.data.shown ?? ''));
    const { patch } = await sessionDiff(place.env, place.session.id);
    assertNowhere(place, patch.toString());
  });

  test('keep their bytes when a line beside them or their own line is edited', async (t) => {
    const place = await open(t, (placeholder) => [
      { calls: [call('read', { path: 'config.yml' }), call('read', { path: '.env' })] },
      { calls: [call('edit', { path: 'config.yml', old: 'last', new: 'first' })] },
      { calls: [call('edit', { path: 'config.yml', old: `password: ${placeholder}`, new: `secret: ${placeholder}` })] },
      { calls: [call('write', { path: '.env', content: `NEW=1\nAPI_TOKEN=${placeholder}\n` })] },
      {
        calls: [
          call('write', { path: 'fresh.txt', content: placeholder }),
          call('shell', { command: `echo '${placeholder}' > out.txt` }),
        ],
      },
      { text: 'Done.' },
    ]);
    await place.session.say('go');
    await place.session.run();
    const at = (name: string) => readFileSync(join(place.workspace, name), 'utf8');
    assert.equal(at('config.yml'), `KEY_FILE=no\nsecret: ${value}\nfirst\n`);
    assert.equal(at('.env'), `NEW=1\nAPI_TOKEN=${value}\n`);
    const [fresh, shell] = results(place).slice(-2);
    assert.match(
      fresh?.text ?? '',
      /fresh\.txt: \[secret:API_TOKEN:\w+\] stands for a secret that isn’t in this file now/,
    );
    assert.match(shell?.text ?? '', /here it would be taken as it is written\. Nothing was run/);
    assert.ok(!readdirSync(place.workspace).some((name) => name === 'fresh.txt' || name === 'out.txt'));
    assertNowhere(place);
  });

  test('are refused in what a person says and in what the model calls, before they are recorded', async (t) => {
    const place = await open(t, () => [
      { text: `Thinking of ${value}.`, calls: [call('shell', { command: `echo ${value} > out.txt` })] },
      { text: 'Done.' },
    ]);
    await assert.rejects(place.session.say(`use ${value}`), { code: 'secret-given' });
    const sessions = () => readdirSync(join(place.env['HOME'] ?? '', '.local/state/reins/sessions'));
    const before = sessions();
    const settings = { model: 'x', endpoint: { baseUrl: 'http://127.0.0.1:9', apiKey: key } };
    for (const task of [`use ${value}`, `use ${key}`]) {
      const given = { workspace: place.workspace, env: place.env, settings, task };
      await assert.rejects(createSession(given), { code: 'secret-given' });
    }
    assert.deepEqual(sessions(), before);
    await assert.rejects(sayTo(place.env, place.session.id, `use ${key} or ${value}`), { code: 'secret-given' });
    await place.session.say('go');
    await place.session.run();
    const [withheld] = results(place);
    assert.equal(withheld?.outcome, 'error');
    assert.match(withheld?.text ?? '', /held a secret that Reins knows/);
    assert.ok(!readdirSync(place.workspace).includes('out.txt'));
    assertNowhere(place);
  });

  test('are no part of the environment of commands, unless they are granted by name', async (t) => {
    const turns = () => [{ calls: [call('shell', { command: 'env | cut -d= -f1' })] }, { text: 'Done.' }];
    const names = async (user: object): Promise<string[]> => {
      const place = await open(t, turns, undefined, user);
      await place.session.say('go');
      await place.session.run();
      assertNowhere(place);
      return results(place)[0]?.text.split('\n') ?? [];
    };
    const plain = await names({});
    for (const name of ['MONKEY', 'GIT_AUTHOR_NAME', 'PATH']) assert.ok(plain.includes(name), name);
    for (const name of ['MY_TOKEN', 'NPM_TOKEN', 'HARMLESS']) assert.ok(!plain.includes(name), name);
    const granted = await names({ environment: { pass: ['NPM_TOKEN'] } });
    assert.ok(granted.includes('NPM_TOKEN') && !granted.includes('MY_TOKEN'));
  });
});
